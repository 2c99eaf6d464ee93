// How large the picture is: the whole board, or so wide that its smallest text can be read, in a frame that scrolls.
const NARROW = matchMedia("(max-width: 600px)");
const READABLE_PX = 9.5, WIDE_PX = 940, MOST = 5, NEARLY = 1.15;
const kept = () => `tactician.zoom.${NARROW.matches ? "narrow" : "wide"}`;

export class Zoom {
  constructor(frame, picture, button) {
    Object.assign(this, { frame, picture, button, size: null, width: 0 });
    button.onclick = () => { localStorage.setItem(kept(), this.on ? "out" : "in"); this.apply(); };
    this.onChange = () => this.apply();
    NARROW.addEventListener("change", this.onChange);
  }

  close() {
    NARROW.removeEventListener("change", this.onChange);
  }

  // On a narrow screen the picture begins readable; what somebody chose is kept for screens of that kind.
  get on() {
    return (localStorage.getItem(kept()) ?? (NARROW.matches ? "in" : "out")) === "in";
  }

  apply() {
    const { frame, on } = this;
    frame.classList.toggle("zoomed", on);
    this.button.setAttribute("aria-pressed", String(on));
    if (on) frame.tabIndex = 0; else frame.removeAttribute("tabindex");
    this.measure();
    this.centre();
  }

  // The width at which the smallest text of the picture can be read. It only grows, so that a game does not jump.
  measure() {
    const svg = this.picture.querySelector("svg");
    if (!svg) return;
    const size = svg.getAttribute("viewBox"), full = svg.viewBox.baseVal.width, root = scale(svg);
    if (size !== this.size) Object.assign(this, { size, width: 0 });
    const texts = [...svg.querySelectorAll("text")].filter((one) => one.textContent.trim() && !one.closest("defs, symbol"));
    const heights = texts.map((one) => (parseFloat(getComputedStyle(one).fontSize) * scale(one)) / root).filter((height) => height > 0);
    const needed = heights.length ? (full * READABLE_PX) / Math.min(...heights) : 0;
    const room = this.frame.clientWidth, least = NARROW.matches ? 0 : WIDE_PX;
    if (needed > NEARLY * room) this.width = Math.max(this.width, Math.min(MOST * room, needed));
    this.width = Math.max(this.width, least);
    this.frame.style.setProperty("--readable", `${Math.ceil(this.width)}px`);
  }

  // Scroll to what can be pointed at.
  centre() {
    const { frame } = this, outer = frame.getBoundingClientRect();
    const boxes = [...this.picture.querySelectorAll("[data-part][tabindex]")].map((one) => one.getBoundingClientRect());
    if (!boxes.length) return;
    const middle = (low, high) => (Math.min(...boxes.map((box) => box[low])) + Math.max(...boxes.map((box) => box[high]))) / 2;
    frame.scrollLeft += middle("left", "right") - (outer.left + outer.right) / 2;
    frame.scrollTop += middle("top", "bottom") - (outer.top + outer.bottom) / 2;
  }
}

function scale(one) {
  const matrix = one.getScreenCTM();
  return matrix ? Math.hypot(matrix.a, matrix.b) : 0;
}
