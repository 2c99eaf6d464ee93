// Choose actions by pointing at parts of a drawing. An action is a list of parts: pointing at a part keeps the actions that
// begin with it, what can be pointed at next lights up, one action left is played, several are offered by name.
const NS = "http://www.w3.org/2000/svg";
const PAD = { up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight" };

export class Pointing {
  constructor(picture, { onAction, onChange }) {
    Object.assign(this, { picture, onAction, onChange, actions: [], chosen: [], focused: null, held: false });
    picture.addEventListener("click", (event) => this.click(event));
    picture.addEventListener("keydown", (event) => this.key(event));
    picture.addEventListener("focusin", (event) => { this.wantsFocus = true; this.focus(event.target.closest("[data-part]")); });
    picture.addEventListener("focusout", () => { this.focused = null; this.draw(); });
    // A part that had the focus may go with its picture; the focus comes back, unless a person has taken it elsewhere.
    const elsewhere = (event) => { if (!picture.contains(event.target)) this.wantsFocus = false; };
    for (const kind of ["focusin", "pointerdown"]) document.addEventListener(kind, elsewhere);
  }

  // What can be done in the drawing that is shown now. If that is what could be done before, what was chosen stays.
  offer(actions) {
    const hadFocus = this.picture.contains(document.activeElement) || this.wantsFocus;
    if (JSON.stringify(actions) !== JSON.stringify(this.actions)) this.chosen = [];
    this.actions = actions;
    this.held = false;
    this.refresh();
    if (hadFocus && actions.length) this.focusFirst();
  }

  // While an action is on its way nothing lights up: a click would be lost. The next offer ends this.
  hold() {
    this.held = true;
    this.refresh();
  }

  get matching() {
    return this.actions.filter((action) => this.chosen.every((part, i) => action.parts[i] === part));
  }

  // Actions that need no more parts than those chosen.
  get complete() {
    return this.matching.filter((action) => action.parts.length === this.chosen.length);
  }

  get next() {
    if (this.held) return new Set();
    const place = this.chosen.length;
    return new Set(this.matching.filter((action) => action.parts.length > place).map((action) => action.parts[place]));
  }

  get byKeys() {
    const names = new Set(this.actions.map((action) => action.name));
    return Object.keys(PAD).every((name) => names.has(name));
  }

  refresh() {
    const elements = Morph.parts(this.picture.querySelector("svg"));
    const next = this.next;
    for (const [part, one] of elements) {
      if (next.has(part)) {
        one.setAttribute("tabindex", "0");
        one.setAttribute("role", "button");
        one.setAttribute("aria-label", this.label(part, one));
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
      }
    }
    // A picture is one thing to readers; a board that can be acted on is a group of buttons.
    const svg = this.picture.querySelector("svg");
    if (svg) {
      svg.setAttribute("role", next.size ? "group" : "img");
      svg.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "position");
    }
    this.elements = elements;
    this.draw();
    this.onChange();
  }

  label(part, one) {
    const place = this.chosen.length;
    const through = this.matching.filter((action) => action.parts[place] === part);
    const what = one.querySelector("title")?.textContent ?? part.replace(":", " ");
    return through.length === 1 ? through[0].name : `${what}: ${through.length} actions`;
  }

  point(part) {
    if (!this.next.has(part)) {
      this.chosen = [];
      if (!this.next.has(part)) { this.refresh(); return; }
    }
    this.chosen.push(part);
    const left = this.matching, hadFocus = this.picture.contains(document.activeElement);
    if (left.length === 1) { this.play(left[0]); return; }
    this.refresh();
    if (hadFocus) this.focusFirst();
  }

  play(action) {
    this.chosen = [];
    this.onAction(action);
  }

  back() {
    if (!this.chosen.length) return false;
    const part = this.chosen.pop(), hadFocus = this.picture.contains(document.activeElement);
    this.refresh();
    if (hadFocus) this.elements.get(part)?.focus();
    return true;
  }

  click(event) {
    if (this.held) return;
    const next = this.next, first = new Set(this.actions.map((action) => action.parts[0]));
    const under = document.elementsFromPoint(event.clientX, event.clientY)
      .map((one) => one.closest?.("[data-part]")).filter((one) => one && this.picture.contains(one));
    const hit = under.find((one) => next.has(one.dataset.part)) ?? under.find((one) => first.has(one.dataset.part));
    if (hit) this.point(hit.dataset.part);
    else if (this.chosen.length) { this.chosen = []; this.refresh(); }
  }

  key(event) {
    const part = event.target.closest?.("[data-part]");
    if ((event.key === "Enter" || event.key === " ") && part) {
      event.preventDefault();
      this.point(part.dataset.part);
    } else if (event.key.startsWith("Arrow") && !this.byKeys) {
      event.preventDefault();
      this.step(event.key, part);
    }
  }

  // The nearest part that can be pointed at in a direction.
  step(key, from) {
    const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
    const start = from && Morph.box(from);
    if (!start) { this.focusFirst(); return; }
    const [x, y] = Morph.centre(start);
    let best = null, least = Infinity;
    for (const part of this.next) {
      const one = this.elements.get(part), box = one && one !== from && Morph.box(one);
      if (!box) continue;
      const [cx, cy] = Morph.centre(box), along = (cx - x) * dx + (cy - y) * dy, across = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (along > 1 && along + 2.5 * across < least) { least = along + 2.5 * across; best = one; }
    }
    best?.focus();
  }

  focusFirst() {
    const first = [...this.elements].find(([part]) => this.next.has(part));
    first?.[1].focus({ preventScroll: true });
  }

  focus(one) {
    this.focused = one?.dataset.part ?? null;
    this.draw();
  }

  layer(name) {
    const svg = this.picture.querySelector("svg");
    let layer = svg?.querySelector(`g.${name}`);
    if (svg && !layer) {
      layer = document.createElementNS(NS, "g");
      layer.setAttribute("class", name);
      layer.setAttribute("aria-hidden", "true");
      svg.append(layer);
    }
    return layer;
  }

  draw() {
    const layer = this.layer("board-marks");
    if (!layer) return;
    const marks = [];
    for (const part of this.next) marks.push([part, "can"]);
    if (!this.held) for (const part of this.chosen) marks.push([part, "chosen"]);
    if (this.focused) marks.push([this.focused, "focus"]);
    layer.classList.toggle("board-many", marks.length > 60);
    layer.replaceChildren(...marks.map(([part, kind]) => this.outline(part, kind)).filter(Boolean));
  }

  outline(part, kind) {
    const one = this.elements?.get(part), box = one && Morph.box(one);
    if (!box) return null;
    const rect = document.createElementNS(NS, "rect");
    const size = { width: Math.max(1, box.width - 2), height: Math.max(1, box.height - 2) };
    for (const [name, value] of Object.entries({ x: box.x + 1, y: box.y + 1, ...size, rx: 6 })) rect.setAttribute(name, value);
    rect.setAttribute("class", `board-mark ${kind}`);
    return rect;
  }

  // Where a part is; a piece that is not there yet is looked for by its place ("unit:3,4" on "square:3,4").
  place(part) {
    const parts = Morph.parts(this.picture.querySelector("svg"));
    const suffix = part.slice(part.indexOf(":"));
    const one = parts.get(part) ?? [...parts].find(([name]) => name.endsWith(suffix) && name.indexOf(":") === name.length - suffix.length)?.[1];
    const box = one && Morph.box(one);
    return box ? Morph.centre(box) : null;
  }

  // Turns as arrows, each with a weight from 0 to 1.
  arrows(turns) {
    const layer = this.layer("board-arrows");
    if (!layer) return;
    const made = [];
    for (const { parts, weight } of turns) {
      for (const pointed of parts) {
        const ends = pointed.map((part) => this.place(part)).filter(Boolean);
        if (ends.length >= 2) made.push(...arrow(ends[0], ends[ends.length - 1], weight));
        else if (ends.length === 1) made.push(ring(ends[0], weight));
      }
    }
    layer.replaceChildren(...made);
  }

  // What a turn would change, half transparent over the drawing.
  ghosts(markup) {
    const layer = this.layer("board-ghosts");
    if (!layer) return;
    layer.replaceChildren();
    const svg = markup && Morph.parse(markup);
    if (!svg) return;
    svg.style.cssText = "position:absolute;inset:0;visibility:hidden;width:100%;height:auto";
    this.picture.append(svg);
    const now = Morph.parts(this.picture.querySelector("svg"));
    for (const [part, one] of Morph.parts(svg)) {
      const old = now.get(part);
      const same = old && old.innerHTML === one.innerHTML && old.getAttribute("transform") === one.getAttribute("transform");
      if (one.localName === "g" && !same && !one.querySelector("[data-part]")) {
        const copy = Morph.lifted(one);
        copy.setAttribute("class", "board-ghost");
        layer.append(copy);
      }
    }
    svg.remove();
  }
}

function arrow([x0, y0], [x1, y1], weight) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1, width = 3 + 9 * weight, head = 8 + 14 * weight;
  const ux = (x1 - x0) / length, uy = (y1 - y0) / length, ex = x1 - ux * head, ey = y1 - uy * head;
  const line = document.createElementNS(NS, "path"), tip = document.createElementNS(NS, "path");
  line.setAttribute("d", `M${x0} ${y0} L${ex} ${ey}`);
  line.setAttribute("class", "board-arrow");
  line.setAttribute("stroke-width", width);
  tip.setAttribute("d", `M${x1} ${y1} L${ex - uy * head * 0.7} ${ey + ux * head * 0.7} L${ex + uy * head * 0.7} ${ey - ux * head * 0.7} Z`);
  tip.setAttribute("class", "board-arrow-head");
  for (const one of [line, tip]) one.setAttribute("opacity", 0.25 + 0.6 * weight);
  return [line, tip];
}

function ring([x, y], weight) {
  const circle = document.createElementNS(NS, "circle");
  const look = { class: "board-arrow", "stroke-width": 3 + 5 * weight, opacity: 0.25 + 0.6 * weight };
  for (const [name, value] of Object.entries({ cx: x, cy: y, r: 16, ...look })) circle.setAttribute(name, value);
  return circle;
}

export { PAD };
