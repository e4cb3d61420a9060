// The list of sentences, with what goes in and out.
import { $, action, get, h, keys, post, say } from "./page_tools.js";

async function list() {
  const { sentences } = await get("sentences");
  const done = sentences.filter((one) => one.status === "done").length;
  const shown = sentences.filter((one) => one.status !== "removed");
  $("progress").textContent = sentences.length
    ? `${done} of ${shown.length} done, ${shown.reduce((sum, one) => sum + one.clusters, 0)} clusters.`
    : "Nothing is here yet. Paste a text below, or add a file.";
  const rows = sentences.map((one) => h("li", { className: one.status },
    h("a", { href: `/facts/${one.number}`, data: { key: one.number } },
      h("span", { className: "number" }, one.id), h("bdi", { className: "text" }, one.text),
      h("span", { className: "soft" }, `${one.clusters} ${one.clusters === 1 ? "cluster" : "clusters"}, ${one.status}`))));
  $("list").replaceChildren(h("ol", { className: "sentences" }, rows));
}

function told(answer) {
  const parts = [];
  if (answer.added) parts.push(`${answer.added} sentences added`);
  if (answer.systems.length) parts.push(`systems: ${answer.systems.join(", ")}`);
  if (!parts.length) parts.push(`${answer.changes} changes`);
  say(`${answer.what}: ${parts.join("; ")}. ${answer.warnings.join(" ")}`, answer.warnings.length > 0);
}

// Browsers know the words of languages that are written without spaces.
function byWords(text) {
  const segmenter = new Intl.Segmenter(document.body.dataset.language, { granularity: "word" });
  const line = (one) => [...segmenter.segment(one)].map(({ segment }) => segment.trim()).filter(Boolean).join(" ");
  return text.split(/\r?\n/).map(line).join("\n");
}

$("paste").addEventListener("submit", action(async () => {
  const units = $("units")?.value ?? "characters";
  const answer = await post("texts", {
    text: units === "words" ? byWords($("text").value) : $("text").value, split: $("split").checked, by_character: units === "characters",
  });
  $("text").value = "";
  told(answer);
  await list();
  document.querySelector(`[data-key="${answer.first}"]`)?.focus();
}));

$("upload").addEventListener("submit", action(async () => {
  const [file] = $("file").files;
  if (!file) throw new Error("Choose a file first.");
  const name = $("system").value.trim() || file.name.replace(/\.[^.]*$/, "").replace(/[^\w.+-]+/g, "_");
  told(await post(`files?${new URLSearchParams({ name })}`, file));
  $("upload").reset();
  await list();
}));

$("write").addEventListener("click", action(async () => {
  const { written } = await post("write");
  say(written.length ? `Written: ${written.join(", ")}` : "The files are up to date.");
}));

keys([
  ["p", "paste text", () => $("text").focus()],
  ["j", "first sentence that is open", () => (document.querySelector("li.open a") ?? document.querySelector("li a"))?.click()],
  ["w", "write gold/ and judgments/", () => $("write").click()],
  ["m", "judge matches", () => location.assign("/matches")],
]);
list();
