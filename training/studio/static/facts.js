// One sentence: its words, the formulation that is being put together, its clusters, and what stands beside them.
import { $, action, attempt, get, h, keys, lines, post, rebuild, say } from "./page_tools.js";
import { SLOTS, TITLES, empty, formulationText, mended, nextMode, parsed, typed } from "./slots.js";
import { besidePanel, chooseMatcher } from "./beside.js";
import { clusterList } from "./clusters.js";

const number = Number($("facts").dataset.number);
const page = { draft: null, slots: empty(), slot: "arg1", active: "", cursor: 0, editing: null, highlight: "both" };
page.highlight = localStorage.getItem("highlight") || "both";

async function load() {
  page.draft = await get(`sentences/${number}`);
  page.active = page.draft.clusters.at(-1)?.id ?? "";
  $("note").value = page.draft.note;
  page.slots = kept() ?? page.slots;
  document.title = `Sentence ${page.draft.id}`;
  draw();
  refresh();
  $("words").querySelector("button")?.focus({ preventScroll: true });
}

// What is being put together outlives a reload and a look at another sentence, in this tab.
const store = `slots-${number}`;
const keep = () => sessionStorage.setItem(store, JSON.stringify([page.draft.words.length, page.slots]));
function kept() {
  const [length, slots] = JSON.parse(sessionStorage.getItem(store) ?? "[]");
  return length === page.draft.words.length ? slots : null;
}

// One change after the other, so that whoever is quick with the keys is not told of a conflict with themselves.
let changes = Promise.resolve();
function change(operation, fields = {}) {
  const done = changes.then(() => ask(operation, fields));
  changes = done.catch(() => {});
  return done;
}

// Asks for a change of what was last seen; if somebody was faster, both versions are shown.
async function ask(operation, fields) {
  const request = { operation, version: page.draft.version, ...fields };
  try {
    take(await attempt(() => post(`sentences/${number}/edit`, request)));
    return true;
  } catch (error) {
    if (error.status !== 409) throw error;
    conflict(error, request);
    return false;
  }
}

function take(draft) {
  Object.assign(page.draft, draft);
  if (!page.draft.clusters.some((cluster) => cluster.id === page.active)) page.active = page.draft.clusters.at(-1)?.id ?? "";
  if (document.activeElement !== $("note")) $("note").value = page.draft.note;
  $("conflict").hidden = true;
  draw();
  refresh();
}

function conflict(error, request) {
  const theirs = error.value.now;
  const text = theirs.clusters.map((one) => `Cluster ${one.id}\n${one.formulations.join("\n")}`).join("\n");
  const mine = `${request.operation} ${request.text ?? ""} ${request.cluster ? `(cluster ${request.cluster})` : ""} ${request.target ? `→ ${request.target}` : ""}`;
  rebuild($("conflict"),
    h("h2", {}, error.message),
    h("div", { className: "versions" },
      h("div", {}, h("h3", {}, `Now, by ${theirs.by || "somebody"}`), h("pre", {}, lines(text || "no clusters"))),
      h("div", {}, h("h3", {}, "What you asked for"), h("pre", { dir: "auto" }, mine))),
    h("button", { className: "primary", on: { click: () => { take(theirs); focusWords(); } } }, "Keep theirs"), " ",
    h("button", { className: "quiet", on: { click: action(async () => { take(theirs); await change(request.operation, { ...request, version: theirs.version }); focusWords(); }) } }, "Do mine on top of it"));
  $("conflict").hidden = false;
  $("conflict").querySelector("button").focus();
}

const focusWords = () => $("words").querySelector(`[data-key="w${page.cursor}"]`)?.focus();

function draw() {
  drawHead();
  drawWords();
  drawBuilder();
  rebuild($("clusters"), clusterList(page, { change, activate, edit, slotsOf: (text) => parsed(text, page.draft.words) }));
}

function drawHead() {
  const { draft } = page;
  const step = (to, title, key) => h("button", { className: "quiet", data: { key }, disabled: to < 1 || to > draft.count, on: { click: () => go(to) } }, title);
  const status = (name) => h("button", { className: "quiet", data: { key: name }, "aria-pressed": String(draft.status === name), on: { click: action(() => change("status", { text: name })) } }, name);
  rebuild($("head"),
    h("span", { className: "place" }, `Sentence ${draft.id}, ${draft.number} of ${draft.count}`),
    h("span", { className: "group" }, step(number - 1, "Previous", "previous"), step(number + 1, "Next", "next")),
    h("span", { className: "group", role: "group", "aria-label": "Status" }, ["open", "doubtful", "done"].map(status)),
    h("span", { className: "group" },
      h("button", { className: "quiet", data: { key: "undo" }, disabled: !draft.can_undo, title: draft.undo, on: { click: action(() => change("undo")) } }, "Undo"),
      h("button", { className: "quiet", data: { key: "redo" }, disabled: !draft.can_redo, title: draft.redo, on: { click: action(() => change("redo")) } }, "Redo")),
    h("label", {}, "Highlight ", h("select", { data: { key: "highlight" }, on: { change: (event) => highlight(event.target.value) } },
      ["both", "verbs", "entities", "none"].map((name) => h("option", { selected: name === page.highlight }, name)))),
    draft.status === "removed" ? h("b", {}, "removed") : h("button", { className: "quiet", data: { key: "remove" }, on: { click: action(() => change("status", { text: "removed" })) } }, "Remove"));
}

function highlight(value) {
  page.highlight = value;
  localStorage.setItem("highlight", value);
  drawWords();
}

const isMarked = (mark) => mark && (page.highlight === "both" || page.highlight === { verb: "verbs", entity: "entities" }[mark]);

function drawWords() {
  const slotOf = (place) => SLOTS.filter((name) => page.slots[name].some((word) => word.place === place));
  rebuild($("words"), page.draft.words.map((word, place) => {
    const slots = slotOf(place);
    const classes = ["word", ...slots, isMarked(word.mark) ? word.mark : ""].join(" ");
    const said = slots.length ? `, in ${slots.map((name) => TITLES[name].toLowerCase()).join(" and ")}` : "";
    return h("button", {
      type: "button", className: classes, tabIndex: place === page.cursor ? 0 : -1, data: { key: `w${place}` },
      "aria-label": word.text + said + (isMarked(word.mark) ? `, ${word.mark}` : ""),
      "aria-pressed": String(slots.includes(page.slot)),
      on: { click: () => { page.cursor = place; put(place); }, focus: () => reach(place) },
    }, word.text);
  }));
}

// The word that has the focus is the one that Tab comes back to.
function reach(place) {
  page.cursor = place;
  for (const [number, button] of [...$("words").children].entries()) button.tabIndex = number === place ? 0 : -1;
}

function drawBuilder() {
  keep();
  const chip = (name, word, position) => h("button", {
    type: "button", className: `chip mode${word.mode}`, data: { key: `${name}${position}` },
    "aria-label": `${word.text}, ${["required", "optional", "optional with the word before"][word.mode]}`,
    title: "Click: optional or not. Delete: take it out.",
    on: {
      click: () => cycle(name, position),
      keydown: (event) => { if (event.key === "Delete") { event.stopPropagation(); takeOut(name, position); } },
    },
  }, `${word.mode === 1 ? "[" : ""}${word.text}${word.mode && page.slots[name][position + 1]?.mode !== 2 ? "]" : ""}`);
  const rows = SLOTS.map((name) => h("div", { className: `slot ${name}` },
    h("button", { type: "button", className: "slot-name", data: { key: name }, "aria-pressed": String(page.slot === name), on: { click: () => choose(name) } },
      TITLES[name], " ", h("kbd", {}, { arg1: "a", relation: "r", arg2: "b" }[name])),
    h("span", { className: "chips" }, page.slots[name].map((word, position) => chip(name, word, position)),
      page.slots[name].length ? null : h("span", { className: "soft" }, name === "arg2" ? "empty: a fact of one argument" : "no words yet"))));
  const ready = page.slots.arg1.length && page.slots.relation.length;
  const target = page.draft.clusters.length ? h("button", { type: "button", className: "quiet", data: { key: "into" }, disabled: !ready || !page.active, on: { click: action(() => add(page.active)) } }, `Into cluster ${page.active} `, h("kbd", {}, "c")) : null;
  const shown = document.activeElement?.id === "typed" ? $("typed").value : "";
  rebuild($("builder"), rows, h("div", { className: "group" },
    h("form", { className: "type", on: { submit: (event) => { event.preventDefault(); type(); } } },
      h("input", { id: "typed", data: { key: "typed" }, value: shown, placeholder: "type a word", "aria-label": "Type words that are not in the sentence", dir: "auto", autocomplete: "off" })),
    page.editing ? h("button", { type: "button", className: "primary", data: { key: "replace" }, disabled: !ready, on: { click: action(replace) } }, `Change it in cluster ${page.editing.cluster}`) : null,
    target,
    h("button", { type: "button", className: page.editing ? "quiet" : "primary", data: { key: "new" }, disabled: !ready, on: { click: action(() => add("new")) } }, "As a new cluster ", h("kbd", {}, "n")),
    h("button", { type: "button", className: "quiet", data: { key: "clear" }, on: { click: clear } }, "Clear ", h("kbd", {}, "x"))));
}

function choose(name) {
  page.slot = name;
  drawWords();
  drawBuilder();
}

function put(place) {
  const words = page.slots[page.slot];
  const there = words.findIndex((word) => word.place === place);
  if (there >= 0) words.splice(there, 1);
  else words.push({ text: page.draft.words[place].text, place, mode: 0 });
  mended(words);
  drawWords();
  drawBuilder();
}

function cycle(name, position) {
  page.slots[name][position].mode = nextMode(page.slots[name], position);
  mended(page.slots[name]);
  drawBuilder();
}

function takeOut(name, position) {
  page.slots[name].splice(position, 1);
  mended(page.slots[name]);
  drawWords();
  drawBuilder();
  ($("builder").querySelector(`[data-key="${name}${Math.max(0, position - 1)}"]`) ?? $("builder").querySelector(`[data-key="${name}"]`)).focus();
}

function type() {
  page.slots[page.slot].push(...typed($("typed").value));
  $("typed").value = "";
  drawBuilder();
}

function clear() {
  Object.assign(page, { slots: empty(), slot: "arg1", editing: null });
  drawWords();
  drawBuilder();
}

async function add(target) {
  const known = new Set(page.draft.clusters.map((cluster) => cluster.id));
  if (!await change("add", { target, text: formulationText(page.slots) })) return;
  const fresh = page.draft.clusters.find((cluster) => !known.has(cluster.id));
  if (fresh) page.active = fresh.id;
  clear();
  draw();
  say(`Added to cluster ${page.active}.`);
  focusWords();
}

async function replace() {
  if (!await change("replace", { ...page.editing, text: formulationText(page.slots) })) return;
  clear();
  focusWords();
}

function edit(text, editing = null) {
  Object.assign(page, { slots: parsed(text, page.draft.words), editing, slot: "arg1" });
  drawWords();
  drawBuilder();
  focusWords();
}

function activate(id) {
  page.active = id;
  refresh();
  drawBuilder();
  rebuild($("clusters"), clusterList(page, { change, activate, edit, slotsOf: (text) => parsed(text, page.draft.words) }));
}

function go(to) {
  if (to >= 1 && to <= page.draft.count) location.assign(`/facts/${to}`);
}

let waiting = 0;
function refresh() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const found = await get(`sentences/${number}/beside?${new URLSearchParams({ matcher: await chooseMatcher() })}`);
    if (found.version === page.draft.version) besidePanel($("beside"), found, page.active, { change, edit, refresh });
  }, 60);
}

function move(by) {
  const last = page.draft.words.length - 1;
  const way = document.body.dataset.direction === "rtl" ? -1 : 1;
  const to = Math.min(last, Math.max(0, Math.abs(by) > 1 ? (by > 0 ? last : 0) : page.cursor + by * way));
  $("words").querySelector(`[data-key="w${to}"]`).focus();
}

function optional() {
  const focused = document.activeElement?.closest?.(".chip");
  if (focused) return focused.click();
  const words = page.slots[page.slot];
  if (words.length) cycle(page.slot, words.length - 1);
  return undefined;
}

$("words").addEventListener("keydown", (event) => {
  if (event.key !== " " && event.key !== "Enter") return;
  event.preventDefault();
  put(page.cursor);
  move(1 * (document.body.dataset.direction === "rtl" ? -1 : 1));
});
$("clusters").addEventListener("keydown", (event) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const all = [...$("clusters").querySelectorAll(".cluster-name, .formulation")];
  const at = all.findIndex((one) => one === event.target || one.closest("li, h2").contains(event.target));
  if (!by || at < 0) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, at + by))].focus();
});
$("note").addEventListener("change", action(() => change("note", { text: $("note").value })));
document.addEventListener("studio:leave", focusWords);

keys([
  ["ArrowLeft", "word before", () => move(-1)],
  ["ArrowRight", "word after", () => move(1)],
  ["Home", "first word", () => move(-2)],
  ["End", "last word", () => move(2)],
  ["Space", "put the word into the slot, or take it out, and go on"],
  ["a", "first argument", () => choose("arg1")],
  ["r", "relation", () => choose("relation")],
  ["b", "second argument", () => choose("arg2")],
  ["o", "last word of the slot: optional, optional with the one before, required", optional],
  ["Backspace", "take the last word out of the slot", () => { page.slots[page.slot].pop(); drawWords(); drawBuilder(); focusWords(); }],
  ["t", "type words that are not in the sentence", () => $("typed").focus()],
  ["n", "add as a new cluster", () => add("new")],
  ["c", "add to the active cluster", () => page.active && add(page.active)],
  ["e", "change the formulation that is being edited", () => page.editing && replace()],
  ["x", "clear the slots", () => { clear(); focusWords(); }],
  ["1 to 9", "make a cluster active", (event) => { const one = page.draft.clusters[Number(event.key) - 1]; if (one) activate(one.id); }],
  ["z or Ctrl+z", "undo", () => change("undo")],
  ["Z or y or Ctrl+y", "redo", () => change("redo")],
  ["d", "done, and on to the next sentence", async () => { if (await change("status", { text: "done" })) go(number + 1); }],
  ["q", "doubtful", () => change("status", { text: "doubtful" })],
  ["j", "next sentence", () => go(number + 1)],
  ["k", "previous sentence", () => go(number - 1)],
  ["l", "list of sentences", () => location.assign("/texts")],
  ["s", "to the suggestions; Enter accepts one", () => $("beside").querySelector(".suggestion")?.focus()],
  ["f", "to the active cluster; arrows go on to others", () => ($("clusters").querySelector(".active .formulation") ?? $("clusters").querySelector(".formulation"))?.focus()],
  ["m", "there: move the formulation, or merge the cluster, into the active one"],
  ["v", "there: copy it"],
  ["p", "there: split the formulation off"],
  ["u", "there: move it up"],
  ["Delete", "there: delete it"],
  ["w", "to the words", focusWords],
  ["g", "write a note (Escape leaves it)", () => $("note").focus()],
  ["h", "highlight other words", () => { const all = ["both", "verbs", "entities", "none"]; highlight(all[(all.indexOf(page.highlight) + 1) % 4]); drawHead(); }],
]);
load();
