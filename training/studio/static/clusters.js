// The clusters of a sentence and what can be done with them and their formulations.
import { action, h } from "./page_tools.js";
import { SLOTS } from "./slots.js";

function triple(slots) {
  const word = (one, position, words) => h("span", { className: `mode${one.mode}` }, position ? " " : "",
    one.mode && (one.mode === 1 || position === 0) ? "[" : "", one.text,
    one.mode && !(words[position + 1]?.mode === 2) ? "]" : "");
  const parts = SLOTS.map((name) => h("span", { className: `part ${name}` }, slots[name].length ? slots[name].map(word) : "∅"));
  return [parts[0], h("i", {}, " – "), parts[1], h("i", {}, " – "), parts[2]];
}

export function clusterList(page, { change, activate, edit, slotsOf }) {
  const { clusters } = page.draft;
  const button = (title, key, work, label) => h("button", { type: "button", className: "tool", data: { key }, "aria-label": label, on: { click: action(work) } }, title);
  const others = (cluster) => page.active && page.active !== cluster.id;
  const obeying = (byKey) => (event) => { if (byKey[event.key]) { event.stopPropagation(); action(byKey[event.key])(event); } };
  const ofCluster = (cluster) => ({
    m: () => others(cluster) && change("merge", { cluster: cluster.id, target: page.active }),
    v: () => change("copy cluster", { cluster: cluster.id }),
    u: () => change("cluster up", { cluster: cluster.id }),
    Delete: () => change("delete cluster", { cluster: cluster.id }),
  });
  return clusters.map((cluster, place) => h("section", { className: `cluster${cluster.id === page.active ? " active" : ""}`, "aria-label": `Cluster ${cluster.id}` },
    h("h2", {},
      h("button", { type: "button", className: "cluster-name", data: { key: `c${cluster.id}` }, "aria-pressed": String(cluster.id === page.active), on: { click: () => activate(cluster.id), keydown: obeying(ofCluster(cluster)) } },
        place < 9 ? h("kbd", {}, String(place + 1)) : null, ` Cluster ${cluster.id}`),
      h("span", { className: "tools" },
        others(cluster) ? button(`Merge into ${page.active}`, `merge${cluster.id}`, () => change("merge", { cluster: cluster.id, target: page.active })) : null,
        button("Copy", `copy${cluster.id}`, () => change("copy cluster", { cluster: cluster.id }), `Copy cluster ${cluster.id}`),
        place ? button("Up", `up${cluster.id}`, () => change("cluster up", { cluster: cluster.id }), `Move cluster ${cluster.id} up`) : null,
        button("Delete", `delete${cluster.id}`, () => change("delete cluster", { cluster: cluster.id }), `Delete cluster ${cluster.id}`))),
    h("ul", { className: "plain" }, cluster.formulations.map((text, position) => {
      const at = { cluster: cluster.id, place: position };
      const key = `${cluster.id}.${position}`;
      const toActive = (operation) => change(operation, { ...at, target: others(cluster) ? page.active : "new" });
      const split = () => change("split", { cluster: cluster.id, places: [position] });
      const remove = () => change("delete", at);
      const byKey = { m: () => toActive("move"), v: () => toActive("copy"), p: split, u: () => change("up", at), Delete: remove };
      return h("li", {},
        h("button", {
          type: "button", className: "formulation", data: { key: `f${key}` }, title: "Click to edit", "aria-label": `Edit ${text}`,
          on: { click: () => edit(text, at), keydown: obeying(byKey) },
        }, triple(slotsOf(text))),
        h("span", { className: "tools" },
          others(cluster) ? button(`Move to ${page.active}`, `m${key}`, () => toActive("move")) : null,
          others(cluster) ? button(`Copy to ${page.active}`, `v${key}`, () => toActive("copy")) : null,
          cluster.formulations.length > 1 ? button("Split off", `p${key}`, split, `Split off into a new cluster: ${text}`) : null,
          position ? button("Up", `u${key}`, () => change("up", at), `Move up: ${text}`) : null,
          button("Delete", `d${key}`, remove, `Delete: ${text}`)));
    }))));
}
