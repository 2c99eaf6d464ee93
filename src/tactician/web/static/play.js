// The page of one board: the drawing, what can be done, the log, what planners think, the evaluation over the game.
import { boards, element, Live, notify, request } from "./api.js";
import { PAD, Pointing } from "./pointing.js";
import { searches, Thinking } from "./thinking.js";
import { Zoom } from "./zoom.js";

const PACES = { slow: 1100, normal: 550, fast: 200, "at once": 0 };
const IDLE = ["stop", "wait", "pass", "end turn"];
const SIGNS = { up: "▲", down: "▼", left: "◀", right: "▶" };
const CLOCK_MS = 500;
const WAITING = "Waiting for a free search process …";

// Several things in a sentence: 1, 2 and 3.
function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : `${words[0]}`;
}

export class Play {
  constructor(page, id) {
    this.page = page;
    this.id = id;
    this.token = boards.get(id)?.token;
    this.frames = new Map();
    this.log = [];
    this.values = [];
    this.shown = -1;
    this.browsing = false;
    this.running = true;
    this.busy = false;
    this.previews = new Map();
    this.peeked = null;
    this.pace = localStorage.getItem("tactician.pace") ?? "normal";
  }

  async open() {
    if (!this.token) throw new Error("This board belongs to another browser: its token is not here.");
    await this.read(0);
    if (this.closed) return;
    this.build();
    await this.display(this.view.number, 0);
    this.update();
    this.zoom.apply();
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.live = new Live(this.id, this.token, {
      onMessage: (message) => this.receive(message),
      onReady: () => {
        this.connection.textContent = "";
        for (const id of this.live.asked.keys()) this.panel(id).empty(WAITING);
        this.reread().then(() => this.proceed()).catch(notify);
      },
      onLost: () => { this.connection.textContent = "connection lost, trying again …"; this.busy = false; },
    });
  }

  close() {
    this.closed = true;
    document.removeEventListener("keydown", this.onKey);
    clearInterval(this.clock);
    this.zoom?.close();
    this.live?.close();
  }

  // -- what the server says ---------------------------------------------------------------------------------

  call(path, body, method = "POST") {
    return request(`/api/boards/${this.id}${path}`, { method, body, token: this.token });
  }

  async read(since) {
    let view = await this.call(`?since=${since}`, undefined, "GET");
    this.take(view);
    while (view.last < view.number) {
      view = await this.call(`?since=${view.last + 1}`, undefined, "GET");
      this.take(view);
    }
  }

  // After a socket came back: whatever happened meanwhile.
  async reread() {
    const before = this.view.events;
    await this.read(Math.max(0, Math.min(this.shown, this.view.number)));
    if (this.view.events !== before) await this.follow();
  }

  // An answer that was on its way while something happened is older than what is known: it changes nothing.
  take(view) {
    if (view.events < (this.view?.events ?? 0)) return;
    if (view.preparing || view.number < (this.view?.number ?? 0) || this.view?.preparing) {
      const preparing = view.preparing || this.view?.preparing;
      for (const number of this.frames.keys()) if (preparing || number > view.number) this.frames.delete(number);
      this.previews.clear();
      this.panels().forEach((panel) => panel.outdated(view.number));
      this.log.length = Math.min(this.log.length, view.first);
    }
    this.view = view;
    Morph.unpack(view.pictures).forEach((svg, i) => this.frames.set(view.first + i, svg));
    view.log.forEach((entry) => { this.log[entry.number] = entry; });
    view.values.forEach((value, i) => { this.values[view.first + i] = value; });
    this.log.length = Math.min(this.log.length, view.number);
    this.values.length = Math.min(this.values.length, view.number + 1);
  }

  async receive(message) {
    if (message.type === "view") {
      this.busy = false;
      const mover = this.view.acting[0];
      this.take(message.view);
      if (mover !== undefined && !this.view.simultaneous) this.state.textContent = `${this.who(mover)} plays`;
      await this.follow();
      this.proceed();
    } else if (message.type === "thinking") {
      const panel = this.thinking.get(message.seat);
      panel.root.hidden = false;
      panel.show(message, `${this.numbered(message.seat)}${searches(message) ? " thinks" : ""}`);
      this.showArrows(...this.thinking.values());
    } else if (message.type === "analysis") {
      const panel = this.panel(message.id);
      panel.show(message, `${message.planner}, move ${message.number}`);
      if (message.id !== "second") this.showArrows(panel);
    } else if (message.type === "changed") {
      if (message.events > this.view.events && !this.busy && !this.acting) await this.reread().catch(notify);
    } else if (message.type === "error" && this.panel(message.id)) {
      this.panel(message.id).empty(message.error);
      notify(new Error(message.error));
    } else if (message.type === "error") {
      this.busy = false;
      this.running = false;
      notify(new Error(message.error));
      this.update();
    } else if (message.type === "done") this.update();
  }

  // -- showing ----------------------------------------------------------------------------------------------

  // Show what happened, action by action, up to the present.
  async follow() {
    if (this.browsing) { this.update(); return; }
    const target = this.view.number;
    if (this.shown > target || this.view.preparing) await this.display(target, 0);
    while (this.shown < target && !this.browsing) {
      const wait = PACES[this.pace];
      await this.display(this.shown + 1, 0.75 * wait);
      if (wait && this.shown < target) await new Promise((resolve) => setTimeout(resolve, 0.3 * wait));
    }
    if (this.shown === target) await this.display(target, 0);
    this.update();
  }

  async display(number, duration) {
    const svg = this.frames.get(number);
    if (svg === undefined) return;
    this.shown = number;
    this.peeked = this.hovered = null;
    this.pointing?.arrows([]);
    this.announce(number);
    const shown = Morph.show(this.picture, svg, duration, this.log[number - 1]?.parts ?? []);
    this.zoom.measure();
    await shown;
    this.drawGraph();
    this.markLog();
  }

  announce(number) {
    const entry = this.log[number - 1];
    if (entry) this.said.textContent = this.sentence(entry);
  }

  sentence(entry) {
    return entry.seat < 0 ? entry.name : `${this.who(entry.seat)}: ${entry.name}`;
  }

  who(seat) {
    const name = this.view.seats[seat];
    const same = this.view.seats.filter((other) => other === name).length > 1;
    return name === "person" ? (same ? `You as player ${seat + 1}` : "You") : same ? `${name} (player ${seat + 1})` : name;
  }

  numbered(seat) {
    return `${this.view.seats[seat]} (player ${seat + 1})`;
  }

  build() {
    const view = this.view;
    this.picture = element("div", { class: "picture" });
    this.frame = element("div", { class: "frame" }, this.picture);
    this.state = element("strong", { "aria-live": "polite" });
    this.connection = element("span", { class: "muted", role: "status" });
    this.bar = element("div", { class: "bar", "data-bar": "" });
    this.said = element("p", { class: "only-read", "aria-live": "polite" });
    this.list = element("div", { class: "actions" });
    this.logList = element("ol", { class: "log", "aria-label": "Log", tabindex: "0" });
    this.graph = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.graph.setAttribute("role", "img");
    this.graph.setAttribute("aria-label", "Evaluation over the game; click to jump");
    this.pointing = new Pointing(this.picture, { onAction: (action) => this.act(action), onChange: () => this.updateBar() });
    const hover = { onHover: (turn, number) => this.preview(turn, number), onLeave: () => this.endPreview() };
    const panelOf = (name, seat) => (name === "person" ? [] : [[seat, new Thinking(this.numbered(seat), hover)]]);
    this.thinking = new Map(view.seats.flatMap(panelOf));
    this.first = new Thinking("Analysis", hover);
    this.second = new Thinking("Second planner", hover);
    this.second.root.hidden = true;
    const seats = view.open ? "analysis: everything is shown" : view.seats.map((name, i) => `${i + 1}: ${name}`).join(" · ");
    const head = [element("h1", {}, view.title), this.state, element("span", { class: "muted" }, seats), this.connection];
    const board = element("section", { "aria-label": "Board" },
      element("div", { class: "status" }, ...head), this.frame, this.bar, this.said);
    const box = (name, content, attributes) =>
      element("details", { class: "card", ...attributes }, element("summary", {}, name), content);
    this.listBox = box("Actions by name", this.list, { ontoggle: () => this.updateBar() });
    const panels = [this.controls()];
    for (const panel of this.thinking.values()) {
      panel.root.hidden = true;  // until it is its turn for the first time
      panels.push(panel.root);
    }
    if (!view.study) panels.push(this.analysisBox(), this.first.root, this.second.root);
    panels.push(box("Evaluation", this.graph, { open: true }), box("Log", this.logList, { open: true }), this.listBox);
    const aside = element("aside", {}, ...panels);
    this.page.replaceChildren(element("div", { class: "table" }, board, aside));
    document.title = `${view.title} – tactician board`;
    if (this.first.root.isConnected) this.first.root.hidden = true;
  }

  panels() {
    return [...(this.thinking?.values() ?? []), this.first, this.second].filter(Boolean);
  }

  controls() {
    const button = (name, onclick, attributes = {}) => element("button", { onclick, ...attributes }, name);
    const key = (name) => element("kbd", {}, name);
    const setPace = () => { this.pace = pace.value; localStorage.setItem("tactician.pace", pace.value); };
    const paces = Object.keys(PACES).map((name) => element("option", { selected: name === this.pace }, name));
    const pace = element("select", { "aria-label": "Pace", onchange: setPace }, ...paces);
    this.paceSelect = pace;
    this.undoButton = element("button", { onclick: () => this.undo() }, "Undo ", key("u"));
    this.runButton = button("Pause", () => { this.running = !this.running; this.update(); this.proceed(); });
    this.giveUp = button("Give up", () => this.resign());
    this.backButton = button("Back to the game", () => this.present(), { class: "primary" });
    this.clockInput = element("input", { type: "checkbox", onchange: () => this.setClock() });
    this.clockBox = element("label", { class: "row" }, this.clockInput, "clock: two steps a second");
    this.clockBox.hidden = !this.view.simultaneous || !this.view.seats.includes("person");
    const zoom = element("button", {}, "Zoom");
    this.zoom = new Zoom(this.frame, this.picture, zoom);
    const buttons = [
      this.undoButton, this.runButton, this.giveUp, this.backButton,
      zoom,
      button("Export", () => this.download()),
      element("label", { class: "row" }, "Pace", pace),
    ];
    const hint = ["Keys: ", key("Tab"), " ", key("arrows"), " ", key("Enter"), " choose, ", key("Esc"), " back, ",
      key("u"), " undo, ", key(","), " ", key("."), " step through the game"];
    return element("div", { class: "card" }, element("div", { class: "row" }, ...buttons), this.clockBox,
      element("p", { class: "hint keys" }, ...hint));
  }

  // The panel of an analysis.
  panel(id) {
    return { first: this.first, second: this.second }[id];
  }

  analysisBox() {
    const one = element("select", { "aria-label": "Planner" });
    const two = element("select", { "aria-label": "Second planner" });
    const budget = element("input", { value: "2s", size: "6", "aria-label": "Budget of the analysis" });
    const body = { game: this.view.title, parameters: this.view.parameters };
    request("/api/describe", { method: "POST", body }).then((about) => {
      const agents = about.agents.filter((agent) => agent.name !== "random");
      const options = () => agents.map((agent) => element("option", { title: agent.description.replaceAll("`", "") }, agent.name));
      one.replaceChildren(...options());
      two.replaceChildren(element("option", { value: "" }, "no second planner"), ...options());
      one.value = agents.find((agent) => ["emcts", "fdts"].includes(agent.name))?.name ?? agents[0].name;
    }).catch(notify);
    const ask = (id, panel, planner) => {
      panel.root.hidden = !planner;
      if (!planner) {
        this.live.stop(id);
        return;
      }
      panel.empty(WAITING);
      this.live.ask({ type: "analyse", id, planner, budget: budget.value, number: this.shown });
    };
    const analyse = () => {
      this.endPreview();
      ask("first", this.first, one.value);
      ask("second", this.second, two.value);
    };
    const stop = () => [...this.live.asked.keys()].forEach((id) => {
      this.live.stop(id);
      this.panel(id).stop();
    });
    return element("details", { class: "card" }, element("summary", {}, "Analyse this position"),
      element("div", { class: "row" }, one, two, budget,
        element("button", { class: "primary", onclick: analyse, "data-analyse": "" }, "Analyse"),
        element("button", { onclick: stop }, "Stop")));
  }

  update() {
    const view = this.view, over = view.over, yours = view.yours && !this.browsing;
    this.state.textContent = this.situation();
    this.state.classList.toggle("result", over);
    this.undoButton.disabled = !view.canUndo || this.browsing;
    this.undoButton.hidden = !view.seats.includes("person");
    this.giveUp.hidden = over || !view.seats.includes("person") || view.open;
    this.runButton.hidden = over || view.seats.includes("person");
    this.runButton.textContent = this.running ? "Pause" : "Play";
    this.backButton.hidden = !this.browsing;
    this.pointing.offer(yours && this.shown === view.number ? view.actions : []);
    this.openList();
    if (this.sending || this.peeked !== null) this.pointing.hold();
    this.updateLog();
    this.drawGraph();
  }

  // Where nothing can be pointed at, actions are listed by name; what somebody opens or closes stays so.
  openList() {
    const { actions } = this.pointing;
    if (this.listed || !actions.length) return;
    this.listed = true;
    this.listBox.open = !actions.some((action) => action.parts.length);
  }

  situation() {
    const view = this.view;
    if (this.peeked !== null) return `Move ${this.peeked} of ${view.number}`;
    if (this.browsing) return `Move ${this.shown} of ${view.number}`;
    if (view.over) return this.result();
    // Several persons at one page: one after the other, also where all act at once.
    const alone = view.seats.filter((name) => name === "person").length === 1;
    const mover = view.acting.find((seat) => view.seats[seat] === "person");
    if (view.preparing) return `${alone ? "Choose" : `Player ${mover + 1}: choose`} before the game starts`;
    if (view.yours && view.open) return `Player ${mover + 1} to move`;
    if (view.yours) return alone ? "Your turn" : `Player ${mover + 1}: your turn`;
    return this.busy ? this.thinkers() : "The planners' turn";
  }

  thinkers() {
    const { acting } = this.view;
    if (acting.length === 1) return `${this.who(acting[0])} thinks …`;
    return acting.length ? `Players ${listed(acting.map((seat) => seat + 1))} think …` : "Everybody waits …";
  }

  result() {
    const { returns, seats } = this.view;
    if (!returns) return "The game was given up";
    const best = Math.max(...returns), winners = returns.flatMap((value, seat) => (value === best ? [seat] : []));
    if (winners.length === returns.length || best <= 0) return "Nobody wins";
    const persons = seats.flatMap((name, seat) => (name === "person" ? [seat] : []));
    if (persons.length === 1) return winners.includes(persons[0]) ? "You win" : "You lose";
    return `${listed(winners.map((seat) => this.who(seat)))} ${winners.length > 1 ? "win" : "wins"}`;
  }

  // The buttons below the board: actions that need no pointing, and those that fit what was pointed at.
  updateBar() {
    const pointing = this.pointing, buttons = [], complete = pointing.complete, pad = pointing.byKeys && !pointing.chosen.length;
    if (pad) {
      const named = new Map(pointing.actions.map((action) => [action.name, action]));
      const pointer = (name) =>
        element("button", { "data-pad": name, "aria-label": name, disabled: pointing.held, onclick: () => this.act(named.get(name)) }, SIGNS[name]);
      buttons.push(element("div", { class: "pad" }, ...Object.keys(PAD).map(pointer)));
      for (const action of pointing.actions.filter((one) => !(one.name in PAD)).slice(0, 8)) buttons.push(this.button(action, action.name[0]));
    } else {
      for (const action of complete.slice(0, 24)) buttons.push(this.button(action, !pointing.chosen.length && complete.length === 1 ? "e" : null));
      if (pointing.chosen.length) buttons.push(element("button", { onclick: () => pointing.back() }, "Back ", element("kbd", {}, "Esc")));
    }
    if (pointing.actions.length && !buttons.length) buttons.push(element("span", { class: "muted" }, "Point at what lights up."));
    this.bar.replaceChildren(...buttons);
    if (this.listBox.open) this.list.replaceChildren(...pointing.matching.slice(0, 400).map((action) => this.button(action)));
    this.listBox.hidden = !pointing.actions.length;
  }

  button(action, key = null) {
    const attributes = { class: action.parts.length ? "choice" : "primary", "data-code": action.code, disabled: this.pointing.held };
    const hint = key ? element("kbd", {}, key) : null;
    return element("button", { ...attributes, onclick: () => this.act(action) }, action.name, hint);
  }

  updateLog() {
    const items = [];
    let turn = -1;
    for (const entry of this.log) {
      if (!entry) continue;
      if (entry.turn !== turn && entry.seat >= 0) {
        turn = entry.turn;
        items.push(element("li", { class: "turn" }, `Turn ${turn + 1}, ${this.who(entry.seat)}`));
      }
      const after = entry.number + 1, show = { "data-number": after, onclick: () => this.jump(after) };
      items.push(element("li", { class: `seat-${entry.seat}` }, element("button", show, entry.name || `step ${after}`)));
    }
    this.logList.replaceChildren(...items);
    this.markLog();
  }

  markLog() {
    if (!this.logList) return;
    for (const old of this.logList.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const now = this.logList.querySelector(`[data-number="${this.shown}"]`);
    now?.setAttribute("aria-current", "step");
    if (now) this.logList.scrollTop = now.offsetTop - this.logList.offsetTop - this.logList.clientHeight + 40;
  }

  drawGraph() {
    const seat = this.view.viewer ?? 0, [low, high] = this.view.range;
    const scaled = this.values.map((value) => (value ? (2 * (value[seat] - low)) / (high - low || 1) - 1 : null));
    if (this.view.over && this.view.returns && scaled.length) {
      const most = Math.max(1e-6, ...scaled.slice(0, -1).map((value) => Math.abs(value ?? 0)));
      scaled[scaled.length - 1] = this.view.returns[seat] * most * 1.1;
    }
    Morph.graph(this.graph, scaled, Math.max(0, this.shown), (number) => this.jump(number));
  }

  // -- what the person does ---------------------------------------------------------------------------------

  async act(action) {
    if (!action || this.acting || !this.view.yours || this.browsing) return;
    this.acting = this.sending = true;
    this.pointing.hold();
    try {
      const view = await this.call("/actions", { code: action.code, number: this.view.preparing ? null : this.view.number });
      this.sending = false;
      this.take(view);
      await this.follow();
    } catch (error) {
      this.sending = false;
      notify(error);
      await this.reread().catch(() => {});
      this.update();
    } finally {
      this.acting = false;
    }
    this.proceed();
  }

  async undo() {
    if (!this.view.canUndo || this.browsing) return;
    try {
      this.take(await this.call("/undo"));
      await this.follow();
    } catch (error) { notify(error); }
  }

  async resign() {
    if (!confirm("Give this game up?")) return;
    try { this.take(await this.call("/give-up")); this.update(); } catch (error) { notify(error); }
  }

  // Ask the planners to act, if it is their turn.
  proceed() {
    const { view } = this, watching = !view.seats.includes("person");
    if (view.over || view.yours || view.preparing || this.busy || this.browsing || (watching && !this.running)) return;
    if (this.live.send({ type: "advance" })) {
      this.busy = true;
      const secret = view.hidden && view.viewer !== null;
      for (const seat of view.acting) {
        const panel = this.thinking.get(seat);
        panel.root.hidden = false;
        if (secret) panel.empty("What it thinks stays hidden while you play: it would tell what it holds.");
        else if (!panel.answer) panel.empty("No answer yet.");  // what it thought before stays until there is more
      }
      this.update();
    }
  }

  setClock() {
    clearInterval(this.clock);
    this.wanted = null;
    // The clock does not wait for pieces to glide; afterwards the pace is again the one that is chosen.
    this.pace = this.clockInput.checked ? "at once" : this.paceSelect.value;
    this.paceSelect.disabled = this.clockInput.checked;
    if (!this.clockInput.checked) return;
    this.clock = setInterval(() => {
      if (!this.view.yours || this.acting) return;
      const actions = this.view.actions;
      this.act(this.wanted && actions.find((one) => one.name === this.wanted) || actions.find((one) => IDLE.includes(one.name)) || actions[0]);
      this.wanted = null;
    }, CLOCK_MS);
  }

  jump(number) {
    number = Math.max(0, Math.min(this.view.number, number));
    this.browsing = number !== this.view.number;
    this.display(number, 0).then(() => { this.update(); if (!this.browsing) this.proceed(); });
  }

  async present() {
    this.browsing = false;
    await this.display(this.view.number, 0);
    this.update();
    this.proceed();
  }

  key(event) {
    if (event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const byKeys = this.pointing.byKeys, pad = Object.entries(PAD).find(([, key]) => key === event.key);
    const choose = (action) => { if (this.clockInput.checked) this.wanted = action.name; else this.act(action); };
    if (byKeys && pad) {
      event.preventDefault();
      choose(this.pointing.actions.find((action) => action.name === pad[0]));
    } else if (event.key === "u") this.undo();
    else if (event.key === "Escape") this.pointing.back();
    else if (event.key === ",") this.jump(this.shown - 1);
    else if (event.key === ".") this.jump(this.shown + 1);
    else if (byKeys && event.key.length === 1) {
      const action = this.pointing.actions.find((one) => !(one.name in PAD) && one.name.startsWith(event.key === " " ? "bomb" : event.key));
      if (action) { event.preventDefault(); choose(action); }
    } else if (event.key === "e") {
      const ends = this.pointing.actions.filter((action) => !action.parts.length);
      if (ends.length === 1) this.act(ends[0]);
    }
  }

  // -- turns on the board -----------------------------------------------------------------------------------

  // The best turns of panels that searched the position that is shown.
  showArrows(...panels) {
    const current = panels.filter((panel) => panel.number === this.shown);
    if (!current.length || this.peeked !== null) return;
    const turns = current.flatMap((panel) => panel.weighted(3).reverse());
    this.pointing.arrows(turns.map(({ parts, weight }) => ({ parts, weight: 0.7 * weight })));
  }

  // Show a turn that was considered, on the position it was planned for.
  async preview(turn, number) {
    const picture = this.frames.get(number), key = `${number}:${turn.codes}`;
    if (this.hovered === key) return;
    this.endPreview();
    if (picture === undefined || number > this.view.number) return;
    this.hovered = key;
    if (number !== this.shown) this.peek(number);
    this.pointing.arrows([{ parts: turn.parts, weight: 1 }]);
    try {
      if (!this.previews.has(key)) this.previews.set(key, (await this.call("/preview", { number, codes: turn.codes })).svg);
      if (this.hovered === key) this.pointing.ghosts(this.previews.get(key));
    } catch (error) { notify(error); }
  }

  endPreview() {
    this.hovered = null;
    this.pointing.ghosts(null);
    this.pointing.arrows([]);
    if (this.peeked !== null) this.peek(null);
  }

  // Show another position for as long as somebody points at a turn; null shows what was shown before.
  peek(number) {
    this.peeked = number;
    Morph.show(this.picture, this.frames.get(number ?? this.shown));
    this.update();
  }

  async download() {
    try {
      const page = await request(`/api/boards/${this.id}/export`, { token: this.token, text: true });
      const name = `${this.view.title.replace(/\W+/g, "-")}-${this.id}.html`;
      const href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
      const link = element("a", { href, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(href), 10000);
    } catch (error) { notify(error); }
  }
}
