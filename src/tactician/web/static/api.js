// Requests, sockets, and what the browser remembers: the boards of this visitor and their tokens.
const KEY = "tactician.boards", ACCESS = "tactician.access";

export function takeAccess() {
  const found = /^#access=(.+)$/.exec(location.hash);
  if (found) {
    localStorage.setItem(ACCESS, found[1]);
    history.replaceState(null, "", location.pathname + "#/");
  }
}

export const boards = {
  all: () => JSON.parse(localStorage.getItem(KEY) ?? "{}"),
  get: (id) => boards.all()[id] ?? null,
  put(id, entry) { localStorage.setItem(KEY, JSON.stringify({ ...boards.all(), [id]: entry })); },
  remove(id) { const all = boards.all(); delete all[id]; localStorage.setItem(KEY, JSON.stringify(all)); },
};

export async function request(path, { method = "GET", body, token, text = false } = {}) {
  const headers = {};
  const access = localStorage.getItem(ACCESS);
  if (access) headers.Authorization = `Bearer ${access}`;
  if (token) headers["X-Board-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Error("The server can't be reached; is it running?");
  }
  if (!answer.ok) {
    const reason = await answer.json().catch(() => ({}));
    throw Object.assign(new Error(reason.error ?? `The server answered ${answer.status}.`), { status: answer.status });
  }
  return text ? answer.text() : answer.json();
}

// A socket to one board that comes back by itself. What it was asked for ends with it and is asked for again.
export class Live {
  constructor(id, token, { onMessage, onReady, onLost }) {
    Object.assign(this, { id, token, onMessage, onReady, onLost, delay: 300, closed: false, ready: false });
    this.asked = new Map();
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    this.socket.onopen = () => this.socket.send(JSON.stringify({ board: this.id, token: this.token, access: localStorage.getItem(ACCESS) }));
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "ready") {
        this.ready = true;
        this.delay = 300;
        this.asked.forEach((one) => this.send(one));
        this.onReady();
      } else {
        if (message.type === "done" || message.type === "error") this.asked.delete(message.id);
        this.onMessage(message);
      }
    };
    this.socket.onclose = (event) => {
      const was = this.ready;
      this.ready = false;
      if (this.closed || event.code === 4403 || event.code === 4401) return;
      if (was) this.onLost();
      this.timer = setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(5000, this.delay * 1.6);
    };
  }

  send(message) {
    if (!this.ready) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  // Ask for something with an id, now or as soon as there is a connection, and again after each new one until it is done.
  ask(message) {
    this.asked.set(message.id, message);
    this.send(message);
  }

  stop(id) {
    if (this.asked.delete(id)) this.send({ type: "stop", id });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}

export function notify(error) {
  const place = document.getElementById("notice"), line = document.createElement("p");
  line.textContent = error.message ?? String(error);
  place.replaceChildren(line);
  clearTimeout(notify.timer);
  notify.timer = setTimeout(() => place.replaceChildren(), 7000);
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made[name] = value;
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
