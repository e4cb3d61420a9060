// Invitations: links are made, shown once, and revoked.
import { $, action, get, h, keys, post, rebuild } from "./page_tools.js";

async function list() {
  const { people, me, mine } = await get("people");
  const state = (one) => (one.revoked ? "revoked" : one.joined ? "joined" : one.waiting ? "has not come yet" : "no link");
  const rows = people.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name, " ", h("small", {}, one.role)), h("td", {}, state(one)), h("td", {}, String(one.judged)),
    h("td", {}, one.revoked || one.name === me ? null : h("button", { className: "quiet", data: { key: one.name }, on: { click: action(async () => { await post("people/revoke", { name: one.name }); await list(); }) } }, "Revoke"))));
  const own = people.some((one) => one.name === me) ? [] : [h("tr", {}, h("th", { scope: "row" }, `${me} (you)`, " ", h("small", {}, "owner")), h("td", {}, "here"), h("td", {}, String(mine)), h("td", {}))];
  rebuild($("people"), h("table", {}, h("thead", {}, h("tr", {}, ["name", "link", "judged"].map((name) => h("th", { scope: "col" }, name)), h("td", {}))), h("tbody", {}, own, rows)));
}

$("invite").addEventListener("submit", action(async () => {
  const { name, link } = await post("people/invite", { name: $("name").value });
  rebuild($("link"), `For ${name}, to be copied now, since only its hash is kept: `, h("code", { id: "invitation" }, link));
  $("name").value = "";
  await list();
}));
keys([["i", "invite somebody", () => $("name").focus()]]);
list();
