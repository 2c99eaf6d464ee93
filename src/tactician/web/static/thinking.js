// The panel that shows what a planner thinks: best turns with values, how much it has searched, how it developed.
import { element } from "./api.js";

const MOST_TURNS = 10, MOST_CHOICES = 6, WIDTH = 300, HEIGHT = 60;
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const large = (number) => compact.format(number);
const percent = (share) => `${Math.round(100 * share)} %`;

function short(number) {
  if (number === null || number === undefined) return "";
  return Math.abs(number) >= 1e5 ? number.toExponential(2) : Number(number.toPrecision(5)).toString();
}

// Whether an answer comes from a search: some agents act by rules or by chance.
export function searches({ isDuringSearch, rootInfo }) {
  return isDuringSearch || rootInfo.evaluations > 0 || rootInfo.iterations > 0;
}

export class Thinking {
  constructor(title, { onHover, onLeave }) {
    Object.assign(this, { onHover, onLeave });
    this.heading = element("h2", {}, title);
    this.body = element("div", { "data-thinking": "" });
    this.boxes = [element("div"), element("div"), element("div")];
    this.root = element("section", { class: "card thinking", "aria-label": title }, this.heading, this.body);
    this.empty();
  }

  // The position that was searched: how many moves were made before it.
  get number() {
    return this.answer?.number ?? null;
  }

  empty(text = "Nothing is searched.") {
    Object.assign(this, { best: [], means: [], answer: null, listed: null });
    if (this.pointed) this.leave();
    this.body.replaceChildren(element("p", { class: "muted" }, text));
  }

  show(answer, title) {
    if (title) this.heading.textContent = title;
    if (answer.number !== this.number || !this.answer.isDuringSearch) Object.assign(this, { best: [], means: [] });
    this.answer = answer;
    const root = answer.rootInfo;
    if (root.value !== null) this.best.push(root.value);
    if (root.figures?.mean !== undefined) this.means.push(root.figures.mean);
    this.draw(answer.isDuringSearch ? "searching" : "done");
  }

  // The search was stopped: what it had found stays.
  stop() {
    if (this.answer) this.draw("stopped");
    else this.empty("Stopped.");
  }

  // The game was taken back to an earlier position: the one that was searched may be another now.
  outdated(number) {
    for (const answer of [this.answer, this.listed]) if (answer && answer.number > number) answer.number = null;
  }

  draw(state) {
    const root = this.answer.rootInfo;
    if (!searches(this.answer)) {
      this.body.replaceChildren(element("p", { class: "muted" }, "Acts without a search."));
      return;
    }
    const [search, turns, choices] = this.boxes;
    search.replaceChildren(...[this.figures(root, state), this.line()].filter(Boolean));
    choices.replaceChildren(...this.choices(this.answer));
    if (search.parentNode !== this.body) this.body.replaceChildren(...this.boxes);
    if (this.listed !== this.answer && !this.pointed) this.list(turns);
  }

  // The list stays as it is while somebody points at a turn of it.
  list(box) {
    this.listed = this.answer;
    box.replaceChildren(this.turns(this.answer));
  }

  point(turn, answer) {
    this.pointed = turn;
    this.onHover(turn, answer.number);
  }

  leave() {
    this.pointed = null;
    this.onLeave();
    requestAnimationFrame(() => { if (this.answer && this.listed !== this.answer && !this.pointed) this.list(this.boxes[1]); });
  }

  // Every turn with a weight by its value, from 0 for the worst to 1 for the best.
  weighted(most = MOST_TURNS) {
    const turns = (this.answer?.turnInfos ?? []).slice(0, most), values = turns.map((turn) => turn.value ?? 0);
    const best = Math.max(...values), worst = Math.min(...values);
    const weight = (value) => (best > worst ? (value - worst) / (best - worst) : 1);
    return turns.map((turn, i) => ({ parts: turn.parts, turn, weight: weight(values[i]) }));
  }

  figures(root, state) {
    const shown = [
      ["", state],
      ["value", short(root.value)],
    ];
    if (root.evaluations) shown.push(["evaluations", large(root.evaluations)], ["per second", large(root.evaluationsPerSecond)]);
    if (root.iterations) shown.push(["iterations", large(root.iterations)]);
    if (root.nodes) shown.push(["nodes", large(root.nodes)], ["depth", `${root.depth.toFixed(1)} (max ${root.maxDepth})`]);
    if (root.uniqueOutcomes) shown.push(["different turns", large(root.uniqueOutcomes)]);
    for (const [name, value] of Object.entries(root.figures ?? {})) {
      shown.push([name, name === "diversity" ? percent(value) : short(value)]);
    }
    const figure = ([name, value]) => element("span", {}, name ? `${name} ` : "", element("b", {}, value));
    return element("p", { class: "figures" }, ...shown.filter(([, value]) => value !== "").map(figure));
  }

  // The value of the best turn over the search; for populations also the mean.
  line() {
    if (this.best.length < 3) return null;
    const all = this.best.concat(this.means), low = Math.min(...all), span = Math.max(...all) - low || 1;
    const points = (values) => values.map((value, i) => {
      const x = (WIDTH * i) / Math.max(1, values.length - 1), y = HEIGHT - 4 - ((HEIGHT - 8) * (value - low)) / span;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    }).join(" ");
    const mean = this.means.length > 2 ? `<polyline class="line" style="stroke:var(--can)" points="${points(this.means)}"/>` : "";
    const holder = element("div");
    holder.innerHTML = `<svg class="graph" style="height:${HEIGHT}px;cursor:default" viewBox="0 0 ${WIDTH} ${HEIGHT}" `
      + 'preserveAspectRatio="none" role="img" aria-label="Value of the best turn during the search">'
      + `${mean}<polyline class="line" points="${points(this.best)}"/></svg>`;
    return holder;
  }

  turns(answer) {
    const row = ({ turn, weight }) => {
      const share = element("span", { class: "share", style: `width:${8 + 30 * weight}px` });
      const show = () => this.point(turn, answer), leave = () => this.leave();
      const events = { onmouseenter: show, onmouseleave: leave, onfocus: show, onblur: leave };
      return element("tr", { tabindex: "0", ...events }, element("td", { class: "number" }, short(turn.value)),
        element("td", {}, share), element("td", {}, turn.names.join("; ")));
    };
    const rows = this.weighted().map(row);
    if (!rows.length) return element("p", { class: "muted" }, "No turn is valued yet.");
    const head = ["value", element("span", { class: "only-read" }, "preference"), "turn"].map((name) => element("th", {}, name));
    return element("table", { class: "turns" }, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  }

  // Where all act at once: how often each player's actions were tried.
  choices(answer) {
    const row = (one) => element("tr", {}, element("td", {}, one.name),
      element("td", {}, element("span", { class: "share", style: `width:${Math.round(110 * one.share)}px` })),
      element("td", { class: "number" }, percent(one.share)));
    return (answer.choices ?? []).map((player, seat) => element("div", {},
      element("h3", { class: "player" }, `player ${seat + 1}`),
      element("table", {}, element("tbody", {}, ...player.slice(0, MOST_CHOICES).map(row)))));
  }
}
