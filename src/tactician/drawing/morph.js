// Show drawings of a game and what changed between them, without knowing the game: an element's `data-part` says what it
// is. A part that moved glides, one that is new appears, one that is gone fades, one that changed pulses.
"use strict";
const Morph = (() => {
  const NS = "http://www.w3.org/2000/svg";
  const MOST_PULSES = 6;
  const stops = new WeakMap();

  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // Pictures are a table of all different lines and, for each picture, runs of lines: [first, count].
  const unpack = (pictures) => pictures.frames.map(
    (runs) => runs.flatMap(([first, count]) => pictures.lines.slice(first, first + count)).join("\n"));

  function parse(markup) {
    const svg = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
    if (svg.nodeName !== "svg") return null;
    if (!svg.getAttribute("viewBox")) {
      svg.setAttribute("viewBox", `0 0 ${parseFloat(svg.getAttribute("width")) || 720} ${parseFloat(svg.getAttribute("height")) || 400}`);
    }
    return document.importNode(svg, true);
  }

  function parts(svg) {
    const found = new Map();
    if (svg) for (const one of svg.querySelectorAll("[data-part]")) if (!found.has(one.dataset.part)) found.set(one.dataset.part, one);
    return found;
  }

  // Where an element is, in the coordinates of its drawing.
  function box(element) {
    const svg = element.ownerSVGElement, matrix = svg.getScreenCTM();
    const rect = element.getBoundingClientRect();
    if (!matrix || !rect.width) return null;
    const scale = matrix.a || 1;
    return { x: (rect.left - matrix.e) / scale, y: (rect.top - matrix.f) / scale, width: rect.width / scale, height: rect.height / scale };
  }
  const centre = (b) => [b.x + b.width / 2, b.y + b.height / 2];

  function finish(host) {
    const stop = stops.get(host);
    if (stop) stop();
  }

  // Put a drawing into a place; returns a promise that ends with the animation. `pointed`: parts of the action in between.
  function show(host, markup, duration = 0, pointed = []) {
    finish(host);
    const old = host.querySelector("svg"), svg = parse(markup);
    if (!svg) return Promise.resolve();
    const animated = duration > 0 && !still() && old && document.visibilityState === "visible";
    const changes = animated ? differences(parts(old), parts(svg), pointed) : null;
    const from = new Map();
    if (changes) for (const [, before] of changes.moved) from.set(before, box(before));
    const gone = changes ? changes.gone.map((one) => lifted(one)) : [];
    if (old) old.replaceWith(svg); else host.replaceChildren(svg);
    if (!changes) return Promise.resolve();
    return run(host, svg, duration, changes, from, gone);
  }

  function differences(before, after, pointed) {
    const moved = [], changed = [], appeared = [], gone = [];
    for (const [name, now] of after) {
      const was = before.get(name);
      if (!was) appeared.push(now);
      else if (was.outerHTML !== now.outerHTML && !now.querySelector("[data-part]")) {
        (was.getAttribute("transform") !== now.getAttribute("transform") || was.parentNode?.dataset?.part !== now.parentNode?.dataset?.part
          ? moved : changed).push([now, was]);
      }
    }
    for (const [name, was] of before) if (!after.has(name)) gone.push(was);
    // A game may name its pieces by their places: what is gone here and has appeared there is the same piece.
    for (const was of [...gone]) {
      const kind = was.dataset.part.split(":")[0];
      const alike = (now) => now.dataset.part.split(":")[0] === kind;
      const aimed = pointed[0] === was.dataset.part && pointed.length > 1 ? pointed[pointed.length - 1].split(":").slice(1).join(":") : null;
      const now = appeared.find((one) => alike(one) && one.innerHTML === was.innerHTML)
        || appeared.find((one) => alike(one) && aimed !== null && one.dataset.part === `${kind}:${aimed}`);
      if (now) {
        moved.push([now, was]);
        appeared.splice(appeared.indexOf(now), 1);
        gone.splice(gone.indexOf(was), 1);
      }
    }
    return { moved, changed: changed.length > MOST_PULSES ? [] : changed, appeared, gone };
  }

  // A copy of an element that looks the same at the top of the drawing.
  function lifted(element) {
    const svg = element.ownerSVGElement, root = svg.getScreenCTM(), own = element.parentNode.getScreenCTM();
    const copy = element.cloneNode(true);
    copy.removeAttribute("data-part");
    const group = document.createElementNS(NS, "g");
    if (root && own) {
      const m = root.inverse().multiply(own);
      group.setAttribute("transform", `matrix(${m.a} ${m.b} ${m.c} ${m.d} ${m.e} ${m.f})`);
    }
    group.setAttribute("pointer-events", "none");
    group.append(copy);
    return group;
  }

  function run(host, svg, duration, changes, from, gone) {
    const glides = [];
    for (const [now, was] of changes.moved) {
      const start = from.get(was), end = box(now);
      if (!start || !end) continue;
      const scale = (now.parentNode.getScreenCTM()?.a ?? 1) / (svg.getScreenCTM()?.a ?? 1) || 1;
      const [x0, y0] = centre(start), [x1, y1] = centre(end);
      glides.push([now, now.getAttribute("transform") ?? "", (x0 - x1) / scale, (y0 - y1) / scale]);
    }
    svg.append(...gone);
    return new Promise((resolve) => {
      const began = performance.now();
      let frame = 0;
      const draw = (share) => {
        const eased = 1 - (1 - share) ** 3;
        for (const [one, own, dx, dy] of glides) one.setAttribute("transform", `translate(${dx * (1 - eased)} ${dy * (1 - eased)}) ${own}`);
        for (const one of changes.appeared) one.setAttribute("opacity", eased);
        for (const one of gone) one.setAttribute("opacity", 1 - eased);
        for (const [one] of changes.changed) one.style.filter = share < 1 ? `brightness(${1 + 0.15 * Math.sin(Math.PI * share)})` : "";
      };
      const end = () => {
        cancelAnimationFrame(frame);
        stops.delete(host);
        for (const [one, own] of glides) if (own) one.setAttribute("transform", own); else one.removeAttribute("transform");
        for (const one of changes.appeared) one.removeAttribute("opacity");
        for (const [one] of changes.changed) one.style.filter = "";
        for (const one of gone) one.remove();
        resolve();
      };
      const step = (time) => {
        const share = Math.min(1, Math.max(0, (time - began) / duration));
        draw(share);
        if (share < 1) frame = requestAnimationFrame(step); else end();
      };
      stops.set(host, end);
      draw(0);
      frame = requestAnimationFrame(step);
    });
  }

  // The values of a game as a line; a click tells which position was meant.
  function graph(svg, values, now, onJump) {
    const width = 300, height = 100, count = Math.max(1, values.length - 1);
    const most = Math.max(1e-9, ...values.filter((v) => v !== null && Number.isFinite(v)).map(Math.abs));
    const x = (i) => (width * i) / count, y = (v) => height / 2 - (v / most) * (height / 2 - 4);
    const points = values.map((v, i) => (v === null ? null : `${x(i).toFixed(1)},${y(v).toFixed(1)}`)).filter(Boolean);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.classList.add("graph");
    svg.innerHTML = (points.length ? `<path class="area" d="M0,${height / 2} L${points.join(" L")} L${width},${height / 2} Z"/>` : "")
      + `<line class="axis" x1="0" x2="${width}" y1="${height / 2}" y2="${height / 2}"/>`
      + `<polyline class="line" points="${points.join(" ")}"/>`
      + (now === null ? "" : `<line class="now" x1="${x(now)}" x2="${x(now)}" y1="0" y2="${height}"/>`);
    svg.onclick = (event) => {
      const rect = svg.getBoundingClientRect();
      onJump(Math.round(((event.clientX - rect.left) / rect.width) * count));
    };
  }

  return { show, finish, unpack, parse, parts, box, centre, lifted, graph, still };
})();
