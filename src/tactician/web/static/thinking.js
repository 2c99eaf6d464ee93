// The panel that shows what a planner thinks: best turns with values, how much it has searched, how it developed.
import { element } from "./api.js";

const short = (number) => (number === null || number === undefined ? "" : Math.abs(number) >= 1e5 ? number.toExponential(2) : Number(number.toPrecision(5)).toString());
const large = (number) => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);

export class Thinking {
  constructor(title, { onHover, onLeave, onPick }) {
    Object.assign(this, { onHover, onLeave, onPick, history: [], answer: null });
    this.heading = element("h2", {}, title);
    this.body = element("div", { "data-thinking": "" });
    this.root = element("section", { class: "card thinking", "aria-label": title }, this.heading, this.body);
    this.empty();
  }

  empty(text = "Nothing is searched.") {
    this.history = [];
    this.answer = null;
    this.body.replaceChildren(element("p", { class: "muted" }, text));
  }

  show(answer, title) {
    if (title) this.heading.textContent = title;
    this.answer = answer;
    const root = answer.rootInfo;
    if (root.value !== null) this.history.push([root.timeMs, root.value]);
    if (root.figures?.mean !== undefined) (this.population ??= []).push(root.figures);
    this.body.replaceChildren(this.figures(root, answer.isDuringSearch), this.line(root), this.turns(answer), ...this.choices(answer));
  }

  // Every turn with a weight by its value, from 0 for the worst to 1 for the best.
  weighted(most = 10) {
    const turns = (this.answer?.turnInfos ?? []).slice(0, most), values = turns.map((turn) => turn.value ?? 0);
    const best = Math.max(...values), worst = Math.min(...values);
    return turns.map((turn, i) => ({ parts: turn.parts, turn, weight: best > worst ? (values[i] - worst) / (best - worst) : 1 }));
  }

  figures(root, running) {
    const shown = [["", running ? "searching" : "done"], ["value", short(root.value)], ["evaluations", large(root.evaluations)],
      ["per second", large(root.evaluationsPerSecond)], ["iterations", large(root.iterations)]];
    if (root.nodes) shown.push(["nodes", large(root.nodes)], ["depth", `${root.depth.toFixed(1)} (max ${root.maxDepth})`]);
    if (root.uniqueOutcomes) shown.push(["different turns", large(root.uniqueOutcomes)]);
    for (const [name, value] of Object.entries(root.figures ?? {})) shown.push([name, name === "diversity" ? `${Math.round(100 * value)} %` : short(value)]);
    return element("p", { class: "figures" }, ...shown.filter(([, value]) => value !== "").map(([name, value]) => element("span", {}, name ? `${name} ` : "", element("b", {}, value))));
  }

  // The value of the best turn over the search; for populations also the mean.
  line(root) {
    if (this.history.length < 3) return "";
    const values = this.history.map(([, value]) => value), means = (this.population ?? []).map((one) => one.mean);
    const all = values.concat(means), low = Math.min(...all), high = Math.max(...all), span = high - low || 1;
    const path = (list) => list.map((v, i) => `${((300 * i) / Math.max(1, list.length - 1)).toFixed(1)},${(56 - (52 * (v - low)) / span).toFixed(1)}`).join(" ");
    const holder = element("div");
    holder.innerHTML = `<svg class="graph" style="height:60px;cursor:default" viewBox="0 0 300 60" preserveAspectRatio="none" role="img" aria-label="Value of the best turn during the search">`
      + (means.length > 2 ? `<polyline class="line" style="stroke:var(--can)" points="${path(means)}"/>` : "") + `<polyline class="line" points="${path(values)}"/></svg>`;
    return holder;
  }

  turns(answer) {
    const rows = this.weighted().map(({ turn, weight }) => element("tr", {
      tabindex: "0", onmouseenter: () => this.onHover(turn), onmouseleave: () => this.onLeave(), onfocus: () => this.onHover(turn), onblur: () => this.onLeave(),
      onclick: () => this.onPick?.(turn),
    }, element("td", { class: "number" }, short(turn.value)), element("td", {}, element("span", { class: "share", style: `width:${8 + 30 * weight}px` })),
      element("td", {}, turn.names.join("; "))));
    if (!rows.length) return element("p", { class: "muted" }, "No turn is valued yet.");
    return element("table", { class: "turns" }, element("thead", {}, element("tr", {}, element("th", {}, "value"), element("th", {}, element("span", { class: "only-read" }, "preference")), element("th", {}, "turn"))), element("tbody", {}, ...rows));
  }

  choices(answer) {
    return (answer.choices ?? []).map((player, seat) => element("div", {}, element("h3", { style: "font-size:.9rem;margin:8px 0 2px" }, `player ${seat + 1}`),
      element("table", {}, element("tbody", {}, ...player.slice(0, 6).map((one) => element("tr", {}, element("td", {}, one.name),
        element("td", {}, element("span", { class: "share", style: `width:${Math.round(110 * one.share)}px` })), element("td", { class: "number" }, `${Math.round(100 * one.share)} %`)))))));
  }
}
