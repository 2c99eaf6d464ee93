// The pages around boards: begin a game, come back to one, replays, the study.
import { boards, element, notify, request, takeAccess } from "./api.js";
import { Play } from "./play.js";

const page = document.getElementById("page");
let current = null, visits = 0;

async function route() {
  const visit = ++visits, stays = () => visit === visits;  // somebody may go on before a page has loaded
  current?.close();
  current = null;
  const [, what, id] = location.hash.replace(/^#/, "").split("/");
  page.replaceChildren(element("p", { class: "muted" }, "Loading …"));
  try {
    if (what === "board" && id) {
      current = new Play(page, id);
      await current.open();
    } else {
      const content = await (what === "replays" ? replays() : lobby());
      if (stays()) page.replaceChildren(content);
    }
  } catch (error) {
    if (stays()) page.replaceChildren(element("div", { class: "card" }, element("h1", {}, "This did not work"), element("p", {}, error.message), element("a", { class: "button", href: "#/" }, "Back")));
  }
}

async function lobby() {
  const catalog = await request("/api/catalog");
  document.title = "tactician board";
  const mine = Object.entries(boards.all()).sort((a, b) => b[1].created - a[1].created);
  const list = element("section", { class: "card" }, element("h2", {}, "Your games"), mine.length
    ? element("ul", { class: "list" }, ...mine.slice(0, 12).map(([id, one]) => element("li", {}, element("a", { href: `#/board/${id}` }, `${one.title}: ${one.seats.join(" v ")}`, element("br"), element("small", { class: "muted" }, new Date(one.created).toLocaleString())))))
    : element("p", { class: "muted" }, "None in this browser yet."));
  return element("div", { class: "lobby" }, catalog.study ? await studyForm() : newGame(catalog), list);
}

function newGame(catalog) {
  const form = element("form", { class: "card", "aria-labelledby": "new-game" });
  const chosen = () => new FormData(form).get("game");
  const seats = element("fieldset", {}, element("legend", {}, "Seats"));
  const parameters = element("div", { class: "fields" });
  const about = new Map();
  const choices = element("div", { class: "games", role: "radiogroup", "aria-label": "Game" }, ...catalog.games.map((game, i) => element("label", {},
    element("input", { type: "radio", name: "game", value: game.name, checked: i === catalog.games.findIndex((one) => one.own || one.name === "hero-academy") }), element("strong", {}, game.name), element("span", { class: "hint" }, game.description))));

  const values = () => Object.fromEntries([...parameters.querySelectorAll("[data-parameter]")].filter((one) => one.value !== "" && one.value !== one.dataset.default)
    .map((one) => [one.dataset.parameter, one.dataset.kind === "number" ? Number(one.value) : one.value]));

  async function fillSeats() {
    const name = chosen(), body = { game: name, parameters: values() }, key = JSON.stringify(body);
    if (!about.has(key)) about.set(key, await request("/api/describe", { method: "POST", body }));
    const found = about.get(key);
    if (chosen() !== name) return;
    const best = ["oep", "fdts", "emcts"].find((one) => found.agents.some((agent) => agent.name === one)) ?? found.agents[0]?.name;
    const picks = Array.from({ length: found.players }, (_, seat) => element("label", { class: "field" }, `Player ${seat + 1}`,
      element("select", { name: "seat" }, element("option", { value: "person", selected: seat === 0 }, "a person (you)"), ...found.agents.map((agent) => element("option", { value: agent.name, title: agent.description, selected: seat > 0 && agent.name === best }, agent.name)))));
    seats.replaceChildren(element("legend", {}, "Seats"), element("div", { class: "fields" }, ...picks));
  }

  function fillParameters() {
    const game = catalog.games.find((one) => one.name === chosen());
    parameters.replaceChildren(...game.parameters.map((one) => element("label", { class: "field" }, one.name,
      one.kind === "bool" ? element("select", { "data-parameter": one.name, "data-kind": one.kind, "data-default": String(one.default) }, ...["true", "false"].map((text) => element("option", { selected: text === String(one.default) }, text)))
        : element("input", { "data-parameter": one.name, "data-kind": one.kind, "data-default": one.default ?? "", value: one.default ?? "", type: one.kind === "number" ? "number" : "text", step: "any" }),
      element("small", {}, one.description))));
    for (const one of parameters.querySelectorAll("[data-parameter]")) one.onchange = () => fillSeats().catch(notify);
    parametersBox.hidden = !game.parameters.length;
  }

  const budget = element("input", { name: "budget", value: "500ms", required: true });
  const seed = element("input", { name: "seed", type: "number", min: "0", placeholder: "random" });
  const open = element("input", { type: "checkbox", name: "open" });
  const start = element("textarea", { rows: "3", placeholder: "Actions by name, separated by semicolons, or a state as JSON", "aria-label": "Start position" });
  const parametersBox = element("details", {}, element("summary", {}, "Parameters of the game"), parameters);
  form.append(element("h1", { id: "new-game" }, "New game"), choices, seats,
    element("div", { class: "fields" }, element("label", { class: "field" }, "Budget of a planner's turn", budget, element("small", {}, `e.g. 500ms, 2s, 1000evals; at most ${catalog.longestMs / 1000} s`)),
      element("label", { class: "field" }, "Seed", seed, element("small", {}, "Decides the start and all chance."))),
    parametersBox, element("details", {}, element("summary", {}, "Analyse a position"), element("label", { class: "row" }, open, "show everything and act for all seats"), start),
    element("div", { class: "row" }, element("button", { class: "primary", type: "submit" }, "Start")));
  form.onchange = (event) => { if (event.target.name === "game") { fillParameters(); fillSeats().catch(notify); } };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const body = { game: chosen(), parameters: values(), budget: budget.value, open: open.checked };
    body.seats = [...form.querySelectorAll("[name=seat]")].map((one) => (open.checked ? "person" : one.value));
    if (seed.value !== "") body.seed = Number(seed.value);
    if (start.value.trim()) body.start = /^[[{]/.test(start.value.trim()) ? JSON.parse(start.value) : start.value;
    try { await begin("/api/boards", body, body.game, body.seats); } catch (error) { notify(error); }
  };
  fillParameters();
  fillSeats().catch(notify);
  return form;
}

async function begin(path, body, title, seats) {
  const { id, token } = await request(path, { method: "POST", body });
  boards.put(id, { token, title, seats, created: Date.now() });
  location.hash = `#/board/${id}`;
}

async function studyForm() {
  const study = await request("/api/study");
  const form = element("form", { class: "card", "aria-labelledby": "study" });
  const intro = element("div", { class: "intro", hidden: true }, element("h2", {}, "The rules in short"), ...study.introduction.map((text) => element("p", {}, text)));
  form.append(element("h1", { id: "study" }, "Take part in the study"),
    element("p", {}, `You play one game of ${study.game} against a planner. Every turn is recorded, nothing else: no name, no address. You may stop at any time, and come back later to the same position in this browser.`),
    element("fieldset", {}, element("legend", {}, "How well do you know this game or games like it?"), ...study.skills.map((skill) => element("label", { class: "row" },
      element("input", { type: "radio", name: "skill", value: skill, required: true, onchange: () => { intro.hidden = skill !== "beginner"; } }), skill))),
    intro, element("div", { class: "row" }, element("button", { class: "primary", type: "submit" }, "Begin")));
  form.onsubmit = async (event) => {
    event.preventDefault();
    try { await begin("/api/study/games", { skill: new FormData(form).get("skill") }, "hero-academy", ["study"]); } catch (error) { notify(error); }
  };
  return form;
}

async function replays() {
  const records = await request("/api/records");
  const rows = records.map((one) => element("tr", {}, element("td", {}, element("a", { href: `/api/records/${one.tournament}/${one.key}`, target: "_blank", onclick: (event) => openRecord(event, one) }, one.game)),
    element("td", {}, one.seats.join(" v ")), element("td", {}, one.budget), element("td", { class: "number" }, one.returns.map((value) => value.toFixed(0)).join(" : "))));
  return element("div", { class: "card" }, element("h1", {}, "Replays"), records.length
    ? element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Games" }, element("table", {}, element("thead", {}, element("tr", {}, ...["game", "seats", "budget", "result"].map((name) => element("th", {}, name)))), element("tbody", {}, ...rows)))
    : element("p", { class: "muted" }, "The store has no finished games yet. Finish one, or start the server with --store FILE of a tournament."));
}

// With an access token a plain link would be refused: it can't carry one.
async function openRecord(event, one) {
  if (!localStorage.getItem("tactician.access")) return;
  event.preventDefault();
  try {
    const text = await request(`/api/records/${one.tournament}/${one.key}`, { text: true });
    window.open(URL.createObjectURL(new Blob([text], { type: "text/html" })), "_blank");
  } catch (error) { notify(error); }
}

takeAccess();
window.addEventListener("hashchange", route);
route();
