// The queue: one extraction at a time, with its sentence and clusters. A digit judges, and the next one is there.
import { $, action, attempt, h, keys, post, readable, rebuild, say } from "./page_tools.js";

const page = { item: null, last: null, again: null, chosen: new Set(), typedDigit: "" };

let asked = 0;
async function load() {
  const number = ++asked;
  const { item, progress } = await attempt(() => post("queue", { order: $("order").value }));
  if (number !== asked) return; // another order was chosen in the meantime
  page.item = item;
  show(progress);
}

const nameOf = (item, ids) => ids.length ? ids.map((id) => `cluster ${id}`).join(" and ") : "none";

function show(progress) {
  page.chosen.clear();
  $("unsure").checked = false;
  $("principle").value = "";
  $("reason").value = "";
  if (progress) {
    const mind = progress.everybody ? ` People changed their mind ${progress.everybody_changed} times in ${progress.everybody}.` : "";
    $("progress").textContent = `You have judged ${progress.mine}, ${progress.left} are left for you. ${progress.given} of ${progress.wanted} judgments are given.${mind}`;
  }
  draw();
  ($("item").querySelector("[data-key=p1]") ?? $("main")).focus({ preventScroll: true });
}

function triple(slots) {
  const names = ["arg1", "relation", "arg2"];
  return h("p", { className: "extraction" }, slots.flatMap((text, position) => [
    position ? h("i", {}, " – ") : null, h("bdi", { className: `part ${names[position]}` }, text || "∅")]));
}

function draw() {
  const { item } = page;
  if (!item) {
    rebuild($("item"), h("p", { className: "lead" }, "Nothing is left for you to judge. "),
      h("p", {}, h("a", { href: "/agreement" }, "See how far you agree"), ", or ", h("a", { href: "/texts" }, "add extractions and facts"), "."));
    return;
  }
  const said = item.said;
  const option = (key, digit, ids, ...children) => h("button", {
    type: "button", className: `answer${ids.some((id) => page.chosen.has(id)) ? " chosen" : ""}${said && String(said.clusters) === String(ids) ? " said" : ""}`,
    data: { key }, on: { click: action((event) => (event.shiftKey && ids.length ? choose(ids[0]) : judge(ids))) },
  }, h("kbd", {}, digit), h("span", { className: "answer-text" }, ...children));
  rebuild($("item"),
    h("p", { className: "sentence", dir: "auto" }, item.sentence),
    triple(item.slots),
    said ? h("p", { className: "said-line" }, `${said.matcher} says ${nameOf(item, said.clusters)} (${said.score}) ${said.reason}`) : null,
    h("div", { className: "answers", role: "group", "aria-label": "Which cluster does it state?" },
      item.clusters.map((cluster, place) => option(`p${place + 1}`, String(place + 1), [cluster.id],
        h("b", { className: "hidden-text" }, `Cluster ${cluster.id}: `),
        cluster.formulations.slice(0, 4).map((text) => h("bdi", { className: "line" }, readable(text))),
        cluster.formulations.length > 4 ? h("small", { className: "soft" }, `and ${cluster.formulations.length - 4} more`) : null)),
      option("p0", "0", [], "None of them")),
    page.chosen.size ? h("button", { className: "primary", data: { key: "both" }, on: { click: action(() => judge([...page.chosen])) } }, `Judge: ${nameOf(item, [...page.chosen])} `, h("kbd", {}, "Enter")) : null,
    page.again ? h("p", { className: "soft" }, "You are reconsidering this one; both judgments are kept.") : null);
}

function choose(id) {
  if (page.chosen.has(id)) page.chosen.delete(id);
  else page.chosen.add(id);
  draw();
}

async function judge(clusters) {
  const { item } = page;
  if (!item || page.busy) return;
  page.busy = true;
  try {
    const answer = await attempt(() => post(`cases/${item.id}/judge`, {
      clusters, version: item.version, order: $("order").value, unsure: $("unsure").checked,
      principle: $("principle").value, reason: $("reason").value, again: Boolean(page.again),
      instead_of: page.again ? page.again.clusters_said : null,
    }));
    Object.assign(page, { last: answer.judged, item: answer.item, again: null });
    showLast(answer.judged);
    show(answer.progress);
  } catch (error) {
    if (error.status !== 409) throw error;
    if (error.value.clusters) return overtaken(error, clusters);
    say(`${error.message} The clusters are shown anew.`, true);
    item.version = error.value.now.version;
    item.clusters = error.value.now.clusters;
    draw();
  } finally {
    page.busy = false;
  }
  return undefined;
}

// Judged in another tab: both answers are shown, and the person says which one stays.
function overtaken(error, clusters) {
  const { item } = page;
  const keep = action(async () => { $("conflict").hidden = true; page.again = null; await load(); });
  const change = action(async () => { $("conflict").hidden = true; page.again = { ...item, clusters_said: error.value.clusters }; await judge(clusters); });
  rebuild($("conflict"),
    h("h2", {}, error.message),
    h("p", {}, `Here you ask for ${nameOf(item, clusters)}.`),
    h("button", { type: "button", className: "primary", on: { click: keep } }, `Keep ${nameOf(item, error.value.clusters)}`), " ",
    h("button", { type: "button", className: "quiet", on: { click: change } }, `Change it to ${nameOf(item, clusters)}`));
  $("conflict").hidden = false;
  $("conflict").querySelector("button").focus();
}

function showLast(judged) {
  const said = judged.said;
  const differs = said && String([...said.clusters].sort()) !== String([...judged.clusters_said].sort());
  $("last").hidden = false;
  $("last").classList.toggle("differs", Boolean(differs));
  rebuild($("last"),
    h("span", {}, h("bdi", {}, judged.slots.filter(Boolean).join(" – ")), `: you said ${nameOf(judged, judged.clusters_said)}`,
      said ? `, ${said.matcher} ${differs ? "says" : "too"}${differs ? ` ${nameOf(judged, said.clusters)}` : ""} (${said.score}).` : "."),
    h("button", { type: "button", className: "quiet", data: { key: "again" }, on: { click: action(reconsider) } }, "Reconsider ", h("kbd", {}, "r")));
}

function reconsider() {
  if (!page.last) return;
  Object.assign(page, { item: { ...page.last }, again: page.last });
  show();
}

let waiting = 0;
function digit(event) {
  const { item } = page;
  if (!item) return;
  const pressed = event.code?.startsWith("Digit") || event.code?.startsWith("Numpad") ? event.code.slice(-1) : event.key;
  const at = (text) => item.clusters[Number(text) - 1];
  if (event.shiftKey) { if (at(pressed)) choose(at(pressed).id); return; }
  clearTimeout(waiting);
  page.typedDigit += pressed;
  const decide = () => {
    const text = page.typedDigit;
    page.typedDigit = "";
    if (Number(text) === 0) return action(() => judge([]))();
    return at(text) ? action(() => judge([at(text).id]))() : say(`There is no cluster ${text} here.`, true);
  };
  // With ten clusters or more, a digit that may begin a longer number waits a moment for the next one.
  if (page.typedDigit.length < 2 && Number(pressed) * 10 <= item.clusters.length && pressed !== "0") waiting = setTimeout(decide, 700);
  else decide();
}

$("order").addEventListener("change", action(load));
document.addEventListener("studio:leave", () => $("item").querySelector("[data-key=p1]")?.focus());

// Digits are read by their place on the keyboard, since Shift makes other characters of them.
document.addEventListener("keydown", (event) => {
  const isDigit = /^(Digit|Numpad)[0-9]$/.test(event.code) || /^[0-9]$/.test(event.key);
  if (!isDigit || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox]), textarea, select, dialog")) return;
  event.preventDefault();
  digit(event);
});

const move = (by) => {
  const all = [...$("item").querySelectorAll(".answer")];
  all[Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement) + by))]?.focus();
};

keys([
  ["1", "the first cluster, and so on; with ten or more, two digits"],
  ["0", "none of them"],
  ["Shift+digit", "one of two clusters; Enter judges"],
  ["Enter", "judge what is chosen", (event) => (page.chosen.size ? judge([...page.chosen]) : event.target.click?.())],
  ["ArrowDown", "next answer", () => move(1)],
  ["ArrowUp", "answer before", () => move(-1)],
  ["u", "unsure", () => { $("why").open = true; $("unsure").checked = !$("unsure").checked; say($("unsure").checked ? "Unsure." : "Sure."); }],
  ["p", "name a principle", () => { $("why").open = true; $("principle").focus(); }],
  ["f", "write a reason (Escape leaves it)", () => { $("why").open = true; $("reason").focus(); }],
  ["r", "reconsider the last one", reconsider],
  ["n", "leave this one for later", load],
  ["o", "another order", () => $("order").focus()],
]);
action(load)();
