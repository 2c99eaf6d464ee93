// The pages around boards: begin a game, come back to one, replays, the study.
import { boards, element, notify, request, takeAccess } from "./api.js";
import { Play } from "./play.js";

const MOST_LISTED = 12;
const FAVOURITES = ["oep", "fdts", "emcts"];
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
    const back = element("a", { class: "button", href: "#/" }, "Back");
    const said = [element("h1", {}, "This did not work"), element("p", {}, error.message), back];
    if (stays()) page.replaceChildren(element("div", { class: "card" }, ...said));
  }
}

async function lobby() {
  const catalog = await request("/api/catalog");
  document.title = "tactician board";
  return element("div", { class: "lobby" }, catalog.study ? await studyForm() : newGame(catalog), ownGames());
}

function ownGames() {
  const mine = Object.entries(boards.all()).sort((a, b) => b[1].created - a[1].created).slice(0, MOST_LISTED);
  const entry = ([id, one]) => {
    const when = element("small", { class: "muted" }, new Date(one.created).toLocaleString());
    const title = `${one.title}: ${one.seats.join(" v ")}`;
    return element("li", {}, element("a", { href: `#/board/${id}` }, title, element("br"), when));
  };
  const list = mine.length
    ? element("ul", { class: "list" }, ...mine.map(entry))
    : element("p", { class: "muted" }, "None in this browser yet.");
  return element("section", { class: "card" }, element("h2", {}, "Your games"), list);
}

// -- a new game ----------------------------------------------------------------------------------------------

function newGame(catalog) {
  const form = element("form", { class: "card", "aria-labelledby": "new-game" });
  const chosen = () => new FormData(form).get("game");
  const seats = element("fieldset", {}, element("legend", {}, "Seats"));
  const parameters = element("div", { class: "fields" });
  const parametersBox = element("details", {}, element("summary", {}, "Parameters of the game"), parameters);
  const budget = element("input", { name: "budget", value: "500ms", required: true });
  const seed = element("input", { name: "seed", type: "number", min: "0", placeholder: "random" });
  const open = element("input", { type: "checkbox", name: "open" });
  const start = element("textarea", { rows: "3" });

  async function fillSeats() {
    const name = chosen();
    const about = await request("/api/describe", { method: "POST", body: { game: name, parameters: settings(parameters) } });
    if (chosen() === name) seats.replaceChildren(element("legend", {}, "Seats"), seatFields(about));
  }

  function fillParameters() {
    const game = catalog.games.find((one) => one.name === chosen());
    parameters.replaceChildren(...game.parameters.map(parameterField));
    for (const one of parameters.querySelectorAll("[data-parameter]")) one.onchange = () => fillSeats().catch(notify);
    parametersBox.hidden = !game.parameters.length;
  }

  form.append(
    element("h1", { id: "new-game" }, "New game"),
    gameChoices(catalog.games),
    seats,
    element("div", { class: "fields" },
      field("Budget of a planner's turn", budget, `e.g. 500ms, 2s, 1000evals; at most ${catalog.longestMs / 1000} s`),
      field("Seed", seed, "Decides the start and all chance.")),
    parametersBox,
    element("details", {}, element("summary", {}, "Analyse a position"),
      element("label", { class: "row" }, open, "show everything and act for all seats"),
      field("Start position", start, "Actions by name, separated by semicolons, or a state as JSON; empty for the usual start.")),
    element("div", { class: "row" }, element("button", { class: "primary", type: "submit" }, "Start")),
  );
  form.onchange = (event) => {
    if (event.target.name !== "game") return;
    fillParameters();
    fillSeats().catch(notify);
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const taken = [...form.querySelectorAll("[name=seat]")].map((one) => (open.checked ? "person" : one.value));
    const body = { game: chosen(), parameters: settings(parameters), seats: taken, budget: budget.value, open: open.checked };
    const text = start.value.trim();
    try {
      if (seed.value !== "") body.seed = Number(seed.value);
      if (text) body.start = /^[[{]/.test(text) ? JSON.parse(text) : text;
      await begin("/api/boards", body, body.game, body.seats);
    } catch (error) { notify(error); }
  };
  fillParameters();
  fillSeats().catch(notify);
  return form;
}

function gameChoices(games) {
  const first = Math.max(0, games.findIndex((one) => one.own || one.name === "hero-academy"));
  const choice = (game, i) => element("label", {},
    element("input", { type: "radio", name: "game", value: game.name, checked: i === first }),
    element("strong", {}, game.name),
    element("span", { class: "hint" }, game.description));
  return element("div", { class: "games", role: "radiogroup", "aria-label": "Game" }, ...games.map(choice));
}

function seatFields(about) {
  const best = FAVOURITES.find((one) => about.agents.some((agent) => agent.name === one)) ?? about.agents[0]?.name;
  const agent = (seat) => ({ name, description }) =>
    element("option", { value: name, title: description.replaceAll("`", ""), selected: seat > 0 && name === best }, name);
  const fields = Array.from({ length: about.players }, (_, seat) => {
    const person = element("option", { value: "person", selected: seat === 0 }, "a person (you)");
    return field(`Player ${seat + 1}`, element("select", { name: "seat" }, person, ...about.agents.map(agent(seat))));
  });
  return element("div", { class: "fields" }, ...fields);
}

function parameterField(one) {
  const known = { "data-parameter": one.name, "data-kind": one.kind, "data-default": String(one.default ?? "") };
  const option = (text) => element("option", { value: text, selected: text === String(one.default ?? "") }, text || "not set");
  const words = { bool: ["true", "false"], choice: one.default === null ? ["", ...(one.choices ?? [])] : one.choices }[one.kind];
  const type = one.kind === "number" ? "number" : "text";
  const input = words
    ? element("select", known, ...words.map(option))
    : element("input", { ...known, value: one.default ?? "", type, step: "any" });
  return field(one.name, input, ...marked(one.description));
}

// A text of the documentation: what stands between backticks is code.
function marked(text) {
  return text.split("`").map((piece, i) => (i % 2 ? element("code", {}, piece) : piece));
}

function field(name, input, ...hint) {
  const shown = hint.filter(Boolean);
  return element("label", { class: "field" }, name, input, shown.length ? element("small", {}, ...shown) : null);
}

// The parameters that differ from their defaults.
function settings(parameters) {
  const changed = [...parameters.querySelectorAll("[data-parameter]")]
    .filter((one) => one.value !== "" && one.value !== one.dataset.default);
  const value = (one) => (one.dataset.kind === "number" ? Number(one.value) : one.value);
  return Object.fromEntries(changed.map((one) => [one.dataset.parameter, value(one)]));
}

async function begin(path, body, title, seats) {
  const { id, token } = await request(path, { method: "POST", body });
  boards.put(id, { token, title, seats, created: Date.now() });
  location.hash = `#/board/${id}`;
}

// -- the study -----------------------------------------------------------------------------------------------

async function studyForm() {
  const study = await request("/api/study");
  const form = element("form", { class: "card", "aria-labelledby": "study" });
  const rules = study.introduction.map((text) => element("p", {}, text));
  const intro = element("div", { class: "intro", hidden: true }, element("h2", {}, "The rules in short"), ...rules);
  const skill = (name) => {
    const choose = () => { intro.hidden = name !== "beginner"; };
    const input = element("input", { type: "radio", name: "skill", value: name, required: true, onchange: choose });
    return element("label", { class: "row" }, input, name);
  };
  form.append(
    element("h1", { id: "study" }, "Take part in the study"),
    element("p", {}, `You play one game of ${study.game} against a planner. Every turn is recorded, nothing else: no `
      + "name, no address. You may stop at any time, and come back later to the same position in this browser."),
    element("fieldset", {}, element("legend", {}, "How well do you know this game or games like it?"),
      ...study.skills.map(skill)),
    intro,
    element("div", { class: "row" }, element("button", { class: "primary", type: "submit" }, "Begin")),
  );
  form.onsubmit = async (event) => {
    event.preventDefault();
    const body = { skill: new FormData(form).get("skill") };
    try { await begin("/api/study/games", body, study.game, ["study"]); } catch (error) { notify(error); }
  };
  return form;
}

// -- replays -------------------------------------------------------------------------------------------------

async function replays() {
  const records = await request("/api/records");
  const none = "The store has no finished games yet. Finish one, or start the server with --store FILE of a tournament.";
  return element("div", { class: "card" }, element("h1", {}, "Replays"),
    records.length ? recordTable(records) : element("p", { class: "muted" }, none));
}

function recordTable(records) {
  const row = (one) => {
    const href = `/api/records/${one.tournament}/${one.key}`;
    const link = element("a", { href, target: "_blank", onclick: (event) => openRecord(event, href) }, one.game);
    const result = one.returns.map((value) => value.toFixed(0)).join(" : ");
    return element("tr", {}, element("td", {}, link), element("td", {}, one.seats.join(" v ")),
      element("td", {}, one.budget), element("td", { class: "number" }, result));
  };
  const head = ["game", "seats", "budget", "result"].map((name) => element("th", {}, name));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...records.map(row)));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Games" }, table);
}

// With an access token a plain link would be refused: it can't carry one.
async function openRecord(event, href) {
  if (!localStorage.getItem("tactician.access")) return;
  event.preventDefault();
  try {
    const text = await request(href, { text: true });
    window.open(URL.createObjectURL(new Blob([text], { type: "text/html" })), "_blank");
  } catch (error) { notify(error); }
}

takeAccess();
window.addEventListener("hashchange", route);
route();
