// How far people agree, and the cases on which they don't.
import { $, action, attempt, get, h, keys, post, readable, rebuild, say } from "./page_tools.js";

const figure = (one) => (one === null || one.value === null ? "–" : [one.value.toFixed(2), " ",
  h("small", {}, one.low === null ? "" : `${one.low.toFixed(2)} to ${one.high.toFixed(2)}`)]);

async function load() {
  const found = await attempt(() => get("agreement"));
  $("summary").textContent = found.shared
    ? `${found.shared} ${found.shared === 1 ? "extraction was" : "extractions were"} judged by two or more people; ${found.settled} of them were settled by a third look. People changed their mind ${found.changed} times in ${found.opinions}, after they saw what a matcher says. ${found.decided} extractions are decided.`
    : "No extraction was judged by two people yet. Invite somebody, or judge what they judged.";
  const head = ["", "same", "kappa", "alpha"];
  const questions = [...new Set(found.agreement.map((one) => one.question))];
  rebuild($("table"), found.agreement.length ? h("table", {},
    h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    questions.map((question) => h("tbody", {},
      h("tr", { className: "question" }, h("th", { scope: "rowgroup", colSpan: 4 }, question)),
      found.agreement.filter((one) => one.question === question).map((one) => h("tr", {},
      h("th", { scope: "row" }, one.people.join(", "), " ", one.principle ? h("small", {}, one.principle) : null),
      h("td", {}, `${one.same} of ${one.cases}`), h("td", {}, figure(one.kappa)), h("td", {}, figure(one.alpha))))))) : null);
  await cases();
}

const named = (ids) => (ids.length ? ids.map((id) => `cluster ${id}`).join(" and ") : "none");

async function cases() {
  const { cases: all } = await attempt(() => get("disagreements"));
  all.sort((one, two) => (one.settled === null ? 0 : 1) - (two.settled === null ? 0 : 1));
  const button = (one, ids, key, title) => h("button", { type: "button", className: "quiet", data: { key: `${one.id}${key}` }, "aria-label": named(ids), "aria-pressed": String(one.settled !== null && String(one.settled) === String(ids)),
    on: { click: action(async () => { await settle(one, ids); }) } }, title);
  rebuild($("cases"), all.length ? all.map((one, place) => h("article", { className: `case-row${one.settled ? " settled" : ""}` },
    h("p", { className: "sentence", dir: "auto" }, one.sentence),
    h("p", { className: "extraction" }, h("bdi", {}, one.slots.map((slot) => slot || "∅").join(" – "))),
    h("ul", { className: "opinions" }, one.opinions.map((opinion) => h("li", {},
      h("b", {}, opinion.person), ": ", named(opinion.clusters), opinion.unsure ? ", unsure" : "",
      String(opinion.first) !== String(opinion.clusters) ? ` (at first ${named(opinion.first)})` : "",
      opinion.principle ? `, ${opinion.principle}` : "", opinion.reason ? " " : "", opinion.reason ? h("q", { dir: "auto" }, opinion.reason) : ""))),
    h("details", { open: place === 0 && one.settled === null }, h("summary", {}, "The clusters"), h("ul", { className: "plain" }, one.clusters.map((cluster) => h("li", {}, `${cluster.id}: `, h("bdi", {}, readable(cluster.formulations[0] ?? "")))))),
    h("div", { className: "group", role: "group", "aria-label": "Settle" },
      one.settled === null ? h("span", {}, "Settle: ") : h("span", {}, `Settled by ${one.settled_by}: ${named(one.settled)}. Again: `),
      one.clusters.map((cluster) => button(one, [cluster.id], cluster.id, cluster.id)),
      pairs(one).map((ids) => button(one, ids, ids.join("+"), ids.join(" and "))), button(one, [], "none", "none"),
      h("label", {}, "Reason ", h("input", { id: `reason-${one.id}`, dir: "auto", maxLength: 2000, autocomplete: "off" }))),
    one.settled_reason ? h("q", { dir: "auto" }, one.settled_reason) : null))
    : h("p", { className: "soft" }, "There are none."));
}

// The two clusters that somebody named together, which are an answer too.
function pairs(one) {
  const named = one.opinions.map((opinion) => opinion.clusters).filter((ids) => ids.length > 1);
  return named.filter((ids, place) => named.findIndex((other) => String([...other].sort()) === String([...ids].sort())) === place);
}

async function settle(one, clusters) {
  const reason = $(`reason-${one.id}`).value;
  try {
    await attempt(() => post(`cases/${one.id}/settle`, { clusters, reason, instead_of: one.settled }));
  } catch (error) {
    if (error.status !== 409) throw error;
    say(`${error.message} You asked for ${named(clusters)}; choose again if it shall be that.`, true);
  }
  const here = document.activeElement?.dataset.key ?? "";
  await cases();
  const next = document.querySelector(".case-row:not(.settled) button");
  (next ?? document.querySelector(`[data-key="${CSS.escape(here)}"]`))?.focus();
}

keys([
  ["j", "next disagreement that is open", () => document.querySelector(".case-row:not(.settled) button")?.focus()],
  ["m", "judge matches", () => location.assign("/matches")],
]);
action(load)();
