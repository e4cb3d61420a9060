// Learning: begin, watch, cancel; the learning curve beside the rules.
import { $, action, get, h, keys, post, rebuild, svg } from "./page_tools.js";

const MOST_WIDE = 640, HEIGHT = 300, LEFT = 40, RIGHT = 62, BOTTOM = 40, TOP = 10;

// Too few sentences have no interval: the ends are then the value itself.
const whole = (one) => ({ ...one, low: one.low ?? one.f1, high: one.high ?? one.f1, rules_low: one.rules_low ?? one.rules, rules_high: one.rules_high ?? one.rules });

function words(text, attributes) {
  const element = svg("text", { class: "tick", ...attributes });
  element.textContent = text;
  return element;
}

// Drawn as wide as there is room, so that its letters are as large on a phone.
function curve(given) {
  const points = given.map(whole);
  const width = Math.max(280, Math.min(MOST_WIDE, $("curve").clientWidth));
  const most = Math.max(...points.map((one) => one.sentences));
  const floor = Math.max(0, Math.floor(Math.min(...points.map((one) => Math.min(one.low, one.rules_low))) * 10) / 10);
  const top = Math.max(floor + 0.1, Math.ceil(Math.max(...points.map((one) => Math.max(one.high, one.rules_high))) * 10) / 10);
  const x = (value) => LEFT + (value / most) * (width - LEFT - RIGHT);
  const y = (value) => TOP + (1 - (value - floor) / (top - floor)) * (HEIGHT - BOTTOM - TOP);
  const line = (name) => points.map((one, place) => `${place ? "L" : "M"}${x(one.sentences)},${y(one[name])}`).join("");
  const drawn = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": "F1 against your judgments by number of sentences, learned and rules; the table below has the figures" });
  const step = top - floor > 0.45 ? 0.2 : top - floor > 0.25 ? 0.1 : 0.05;
  for (let value = floor; value < top + 0.001; value += step) {
    drawn.append(svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      words(value.toFixed(2), { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }));
  }
  for (const one of points) {
    drawn.append(svg("line", { class: "range", x1: x(one.sentences) + 3, x2: x(one.sentences) + 3, y1: y(one.rules_low), y2: y(one.rules_high) }),
      svg("line", { class: "range learned", x1: x(one.sentences), x2: x(one.sentences), y1: y(one.low), y2: y(one.high) }),
      words(String(one.sentences), { x: x(one.sentences), y: HEIGHT - BOTTOM + 17, "text-anchor": "middle" }));
  }
  drawn.append(svg("path", { class: "curve rules", d: line("rules") }), svg("path", { class: "curve learned", d: line("f1") }));
  for (const one of points) drawn.append(svg("circle", { class: "learned", cx: x(one.sentences), cy: y(one.f1), r: 4 }));
  const last = points.at(-1);
  const apart = Math.abs(y(last.f1) - y(last.rules)) < 14 ? 8 : 0;  // two names on one line can't be read
  drawn.append(words("learned", { class: "tick learned", x: width - RIGHT + 9, y: y(last.f1) + 4 - (last.f1 >= last.rules ? apart : -apart) }),
    words("rules", { x: width - RIGHT + 9, y: y(last.rules) + 4 + (last.f1 >= last.rules ? apart : -apart) }),
    words("sentences with judgments", { x: width - RIGHT, y: HEIGHT - 5, "text-anchor": "end" }));
  return drawn;
}

function table(points) {
  const cell = (value, low, high) => h("td", {}, value.toFixed(3), " ", h("small", {}, low === null ? "" : `${low.toFixed(3)} to ${high.toFixed(3)}`));
  return h("div", { className: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["sentences", "learned, F1", "rules, F1"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, points.map((one) => h("tr", {}, h("th", { scope: "row" }, String(one.sentences), " ", h("small", {}, `${one.judgments} judgments`)),
      cell(one.f1, one.low, one.high), cell(one.rules, one.rules_low, one.rules_high))))));
}

const SENTENCES = {
  idle: () => "Nothing was learned here yet.",
  running: (one) => `Learning from ${one.judgments} judgments: ${one.doing}.`,
  done: (one) => `Learned from ${one.judgments} judgments: ${one.checkpoint}. Difference to the rules in F1: ${one.difference.value.toFixed(3)}${one.difference.interval[0] === null ? "" : `, from ${one.difference.interval[0].toFixed(3)} to ${one.difference.interval[1].toFixed(3)}`}. The queue uses it from now on.`,
  cancelled: () => "Cancelled; nothing was kept.",
  failed: (one) => `It did not work: ${one.error}`,
};

// Of the two buttons one is there at a time, and it has the focus if the other had it.
function turn(running) {
  const focused = [$("start"), $("cancel")].includes(document.activeElement);
  $("cancel").hidden = !running;
  $("start").disabled = running;
  if (focused) (running ? $("cancel") : $("start")).focus();
}

let shown = "";
async function look() {
  const found = await get("learning");
  const running = found.state === "running";
  const text = SENTENCES[found.state](found);
  if (text !== $("state").textContent) $("state").textContent = text;
  $("state").dataset.state = found.state;
  $("bar").hidden = !running;
  $("bar").value = found.steps ? found.step / found.steps : 0;
  if ($("start")) turn(running);
  const drawn = JSON.stringify([found.points, found.checkpoints]);
  if (drawn !== shown) {
    shown = drawn;
    rebuild($("curve"), found.points.length ? [h("figure", { className: "learning" }, curve(found.points),
      h("figcaption", { className: "note" }, "F1 against your judgments with 95 % intervals, cross-validated by sentence: each point is measured on sentences that were not trained on. The rules are measured on the same sentences.")), table(found.points)] : []);
    rebuild($("checkpoints"), found.checkpoints.length ? [h("h2", {}, "Checkpoints"), h("ul", { className: "plain" }, found.checkpoints.map((name) => h("li", {}, h("code", {}, `--matcher FOLDER/checkpoints/${name}`))))] : []);
  }
  setTimeout(() => look().catch(() => setTimeout(look, 3000)), running ? 500 : 3000);
}

$("learn")?.addEventListener("submit", action(() => post("learn", { base: $("base").value }).then(() => turn(true))));
$("cancel")?.addEventListener("click", action(() => post("learn/cancel")));
keys([
  ["l", "learn", () => $("start")?.click()],
  ["c", "cancel", () => $("cancel")?.click()],
]);
look();
