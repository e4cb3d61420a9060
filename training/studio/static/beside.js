// What stands beside a sentence, live: suggestions, lint, matches of the systems, the BenchIE text.
import { action, get, h, lines, readable, rebuild } from "./page_tools.js";

let known = null;
let chosen = sessionStorage.getItem("matcher") || "";

export async function chooseMatcher() {
  known ??= await get("matchers");
  return known.matchers.includes(chosen) ? chosen : known.default;
}

const suggestion = (one, key, work) => h("li", {}, h("button", {
  type: "button", className: "suggestion", data: { key }, on: { click: action(work) },
}, h("bdi", {}, readable(one.text)), h("small", {}, one.why, one.cluster ? `, for cluster ${one.cluster}` : "")));

const part = (title, count, open, ...children) => h("details", { open }, h("summary", {}, title, " ", h("span", { className: "soft" }, count)), ...children);

export function besidePanel(place, found, active, { change, edit, refresh }) {
  const first = [...found.rewordings].sort((one, two) => (two.cluster === active) - (one.cluster === active)); // of the cluster one works at
  const warnings = found.lint.filter((one) => one.level === "warning").length;
  const matched = found.matches.filter((one) => one.cluster);
  const isOpen = (name, usual) => place.querySelector(`[data-part="${name}"] > details`)?.open ?? usual;
  const kept = { rewordings: isOpen("rewordings", true), extractions: isOpen("extractions", false), lint: isOpen("lint", warnings > 0), matches: isOpen("matches", true), text: isOpen("text", true) };
  const block = (name, ...children) => h("div", { data: { part: name } }, ...children);
  rebuild(place,
    block("lint", part("Lint", warnings ? `${warnings} warnings` : found.lint.length ? `clean, ${found.lint.length} remarks` : "clean", kept.lint,
      h("ul", { className: "plain lint" }, found.lint.map((one) => h("li", { className: one.level },
        h("b", {}, one.check), one.clusters.length ? ` in ${one.clusters.join(" and ")}` : "", h("small", { dir: "auto" }, one.text)))))),
    block("rewordings", part("May mean the same", String(found.rewordings.length), kept.rewordings,
      h("ul", { className: "plain" }, first.map((one, number) => suggestion(one, `s${number}`, () => change("add", { target: one.cluster, text: one.text })))))),
    block("extractions", part("Extracted by systems, not annotated", String(found.extractions.length), kept.extractions,
      h("ul", { className: "plain" }, found.extractions.map((one, number) => suggestion(one, `x${number}`, () => edit(one.text)))))),
    block("matches", part("Matches now", `${matched.length} of ${found.matches.length} extractions`, kept.matches,
      h("label", {}, "by ", h("select", { data: { key: "matcher" }, on: { change: (event) => { chosen = event.target.value; sessionStorage.setItem("matcher", chosen); refresh(); } } },
        known.matchers.map((name) => h("option", { selected: name === found.matcher }, name)))),
      h("table", { className: "matched" }, h("tbody", {}, found.matches.map((one) => h("tr", { className: one.cluster ? "hit" : "" },
        h("th", { scope: "row" }, one.system), h("td", { dir: "auto" }, one.extraction.replaceAll(" - ", " – ")),
        h("td", {}, one.cluster ? `cluster ${one.cluster}` : one.repeat ? "repeat" : "none"))))))),
    block("text", part("BenchIE text", "", kept.text, h("pre", { className: "gold" }, lines(found.text)))));
}
