// What all pages share: elements from values (texts are set as text, never as markup), requests, keys, sayings.

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name in element && !name.startsWith("aria") && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A formulation to be read: dashes between the slots, and a sign for an empty one.
export const readable = (text) => text.replaceAll(" --> ", " – ").replace(/ – XXX$/, " – ∅");

// Lines that each run the way of their own first letter; a browser that is told so of all of them turns brackets wrongly.
export const lines = (text) => text.split("\n").map((line) => h("span", { className: "line", dir: "auto" }, line));

export const $ = (id) => document.getElementById(id);

let quieten = 0;
export function say(text, wrong = false) {
  const place = $("saying");
  place.textContent = text;
  place.classList.toggle("wrong", wrong);
  clearTimeout(quieten);
  if (text && !wrong) quieten = setTimeout(() => { place.textContent = ""; }, 5000);
}

async function answered(response) {
  const type = response.headers.get("content-type") || "";
  const value = type.includes("json") ? await response.json() : { error: await response.text() };
  if (!response.ok) throw Object.assign(new Error(value.error || "It did not work."), { status: response.status, value });
  return value;
}

export async function get(path) {
  return answered(await fetch(`/api/${path}`));
}

export async function post(path, body = {}) {
  const content = body instanceof Blob ? body : JSON.stringify(body);
  const headers = body instanceof Blob ? {} : { "Content-Type": "application/json" };
  let response;
  try {
    response = await fetch(`/api/${path}`, { method: "POST", headers, body: content });
  } catch {
    throw new Error("The studio does not answer. Is it still running? What was saved before is safe.");
  }
  return answered(response);
}

// Runs what a person asked for, and says what went wrong if it did.
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (error.status !== 409) say(error.message, true);
    throw error;
  }
}

const quietly = (work) => Promise.resolve().then(work).catch((error) => {
  if (!error.status && error.name !== "Error") throw error;
});

export const action = (work) => (event) => {
  event?.preventDefault?.();
  return quietly(() => attempt(() => work(event)));
};

const isTyping = (target) => target.closest?.("input:not([type=checkbox]), textarea, select, dialog");

// Keys of a page: [key, what it does, function]; `?` shows them all. A key is ignored while a person is typing.
export function keys(table) {
  const all = [...table, ["?", "show these keys", () => $("shortcuts").showModal()]];
  const list = $("shortcuts").querySelector("dl");
  for (const [name, meaning] of all) list.append(h("dt", {}, name.split(/( or | to )/).map((part, place) => (place % 2 ? part : h("kbd", {}, part)))), h("dd", {}, meaning));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isTyping(event.target) && !event.target.closest("dialog")) {
      event.target.blur();
      document.dispatchEvent(new Event("studio:leave"));
      return;
    }
    if (isTyping(event.target) || event.altKey || event.metaKey) return;
    const pressed = `${event.ctrlKey ? "Ctrl+" : ""}${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}${event.key}`;
    const found = all.find(([names]) => names.split(" or ").includes(pressed) || (names === "1 to 9" && /^[1-9]$/.test(pressed)));
    if (!found || !found[2]) return;
    event.preventDefault();
    quietly(() => attempt(() => found[2](event)));
  });
}

const focusable = (place) => [...place.querySelectorAll("button, a[href], input, select, textarea, summary")].filter((one) => !one.disabled);

// Rebuilds a part of the page, and gives the focus back to the element that stands for the same thing; where that is
// gone, to what is in its place now.
export function rebuild(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const before = focused ? focusable(place).indexOf(focused) : -1;
  place.replaceChildren(...children.flat().filter(Boolean));
  if (!focused) return;
  const key = focused.dataset.key;
  const same = key === undefined ? null : place.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  const all = focusable(place);
  (same ?? all[Math.min(Math.max(before, 0), all.length - 1)] ?? $("main")).focus({ preventScroll: true });
}
