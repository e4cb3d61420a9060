// Sorting of tables and the browser of cases. All texts become text nodes, so none of them can become markup.
(() => {
  "use strict";

  const FIRST = 30, STEP = 100;
  const byId = (id) => document.getElementById(id);

  function element(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  }

  // --- tables ---------------------------------------------------------------------------------------------------

  function cellValue(row, column) {
    const text = row.cells[column].dataset.value;
    if (text === undefined || text === "") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  }

  function compareValues(a, b, direction) {
    if (a === null || b === null) return (a === null) - (b === null); // what is empty stays last
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    return direction * order;
  }

  function sortTable(table, header) {
    const column = header.cellIndex;
    const rows = [...table.tBodies[0].rows];
    const texts = typeof rows.map((row) => cellValue(row, column)).find((value) => value !== null) === "string";
    const current = header.getAttribute("aria-sort");
    const next = current === "none" ? (texts ? "ascending" : "descending") : current === "ascending" ? "descending" : "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", next);
    const direction = next === "ascending" ? 1 : -1;
    const keyed = rows.map((row) => [cellValue(row, column), row]);
    keyed.sort((a, b) => compareValues(a[0], b[0], direction));
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const header of table.querySelectorAll("th[aria-sort]")) {
      header.querySelector("button").addEventListener("click", () => sortTable(table, header));
    }
  }

  // --- charts and what is wider than the window -------------------------------------------------------------------

  for (const chart of document.querySelectorAll("svg.ranks")) {
    const mark = (event, on) => {
      const group = event.target.closest("[data-line]");
      if (!group) return;
      for (const part of chart.querySelectorAll(`[data-line="${group.dataset.line}"]`)) part.classList.toggle("on", on);
    };
    for (const [start, end] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
      chart.addEventListener(start, (event) => mark(event, true));
      chart.addEventListener(end, (event) => mark(event, false));
    }
  }

  for (const region of document.querySelectorAll(".scroll")) {
    const hint = element("p", { class: "sideways", "aria-hidden": "true" }, "wider than the window: scroll sideways \u2192");
    region.before(hint);
    const look = () => [hint, region].forEach((part) => part.classList.toggle("wide", region.scrollWidth > region.clientWidth + 1));
    new ResizeObserver(look).observe(region);
    look();
  }

  // --- cases ----------------------------------------------------------------------------------------------------

  const list = byId("cases-list");
  if (!list) return;
  const data = JSON.parse(byId("cases-data").textContent);
  const form = byId("filters"), count = byId("count"), more = byId("more");
  const place = new Map(data.cases.map((one, number) => [one.id, number]));
  const haystacks = [];
  let found = [], shown = 0;

  function fillFilters() {
    const options = { matcher: data.matchers, system: data.systems, kind: data.kinds, rule: [...data.rules].sort() };
    for (const [name, values] of Object.entries(options)) {
      const select = form.elements[name];
      select.append(element("option", { value: "" }, "any"), ...values.map((value) => element("option", { value }, value)));
      if (values.length < 2) select.closest("label").hidden = true;
    }
  }

  function filters() {
    const chosen = {};
    for (const name of ["matcher", "system", "kind", "rule", "text"]) chosen[name] = form.elements[name].value.trim();
    return chosen;
  }

  function setFilters(values) {
    for (const name of ["matcher", "system", "kind", "rule", "text"]) {
      form.elements[name].value = values[name] || "";
      if (form.elements[name].value !== (values[name] || "")) form.elements[name].value = "";
    }
  }

  function haystack(number) {
    if (haystacks[number] === undefined) {
      const one = data.cases[number], sentence = data.sentences[one.s];
      const facts = one.e ? [] : one.d.flatMap((fact) => sentence.clusters[fact.c].formulations.flat());
      haystacks[number] = [sentence.text, ...(one.e || facts), one.e ? one.e.join(" ") : ""].join("\n").toLowerCase();
    }
    return haystacks[number];
  }

  function select() {
    const chosen = filters();
    const matcher = data.matchers.indexOf(chosen.matcher), system = data.systems.indexOf(chosen.system);
    const kind = data.kinds.indexOf(chosen.kind), rule = data.rules.indexOf(chosen.rule);
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    found = [];
    data.cases.forEach((one, number) => {
      const mask = matcher < 0 ? one.k.reduce((all, own) => all | own, 0) : one.k[matcher];
      if (!mask || (kind >= 0 && !(mask & (1 << kind)))) return;
      if (system >= 0 && one.y !== system) return;
      if (rule >= 0 && !one.r.includes(rule)) return;
      if (words.length && !words.every((word) => haystack(number).includes(word))) return;
      found.push(number);
    });
    list.replaceChildren();
    shown = 0;
    showMore(FIRST);
    const all = data.cases.length.toLocaleString("en");
    count.textContent = found.length ? `${found.length.toLocaleString("en")} of ${all} cases` : `None of ${all} cases fits. Clear a filter.`;
  }

  function showMore(size) {
    const next = found.slice(shown, shown + size);
    list.append(...next.map(row));
    shown += next.length;
    more.hidden = shown >= found.length;
    more.textContent = `Show ${Math.min(STEP, found.length - shown)} more of ${(found.length - shown).toLocaleString("en")}`;
  }

  function triple(slots) {
    const node = element("span", { class: "triple" });
    slots.forEach((slot, number) => {
      if (number) node.append(element("i", { "aria-hidden": "true" }, "\u2192"), element("span", { class: "hidden-text" }, ", "));
      node.append(slot || "\u2013");
    });
    return node;
  }

  const said = (text) => data.texts[text].replaceAll(" --> ", " \u2192 ");
  const clusterName = (sentence, cluster) => `cluster ${sentence.clusters[cluster].id}`;
  const clusterNames = (sentence, clusters) => clusters.map((one) => clusterName(sentence, one)).join(" and ") || "no match";

  function named(names) {
    return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
  }

  function tags(one) {
    const first = form.elements.matcher.value;
    const node = element("span", { class: "tags" });
    const calm = !one.p; // without people's word there is nothing to be wrong about
    data.kinds.forEach((kind, bit) => {
      const who = data.matchers.filter((_, number) => one.k[number] & (1 << bit));
      if (!who.length) return;
      who.sort((a, b) => (b === first) - (a === first)); // the matcher that is asked for is never among "more"
      const verb = kind === "missed" ? "missed" : kind;
      node.append(element("span", { class: calm ? "tag calm" : "tag" }, element("b", {}, verb), calm ? "" : ` by ${named(who)}`));
    });
    return node;
  }

  function row(number) {
    const one = data.cases[number], sentence = data.sentences[one.s];
    const slots = one.e || sentence.clusters[one.d[0].c].formulations[0] || [];
    const parts = [data.systems[one.y], `sentence ${sentence.id}`];
    if (one.p) parts.push(`people: ${clusterNames(sentence, one.p)}`);
    else if (one.e && one.v[0].c.length) parts.push(clusterNames(sentence, one.v[0].c));
    const summary = element("summary", {}, triple(slots), element("span", { class: "meta" }, parts.join(" \u00b7 ")), tags(one));
    const node = element("details", { class: "case", id: `case-${one.id}` }, summary);
    node.addEventListener("toggle", () => {
      if (node.open && node.children.length === 1) node.append(inside(one, sentence));
    });
    return node;
  }

  function inside(one, sentence) {
    const node = element("div", { class: "inside" }, element("p", { class: "sentence" }, sentence.text));
    for (const fact of one.d) node.append(...beside(one, sentence, fact));
    if (!one.d.length) node.append(element("p", { class: "note" }, "It shares no word with any cluster of the sentence."));
    if (one.e) node.append(...verdicts(one, sentence));
    for (const [fact, outcomes] of one.o || []) node.append(...rules(sentence, fact, outcomes));
    node.append(links(one, sentence));
    return node;
  }

  function whose(one, fact) {
    const who = data.matchers.filter((_, number) => one.v && one.v[number].c.includes(fact));
    const parts = [];
    if (one.p && one.p.includes(fact)) parts.push("people\u2019s match");
    if (who.length) parts.push(one.p ? `matched by ${who.join(", ")}` : "matched");
    if (!one.e) parts.push("not found");
    return parts.join("; ") || "nearest, not matched";
  }

  const LABELS = ["first argument", "relation", "second argument"];
  const TAGS = [null, "ins", "del"], SPOKEN = ["", " (too much)", " (missing)"];

  function beside(one, sentence, fact) {
    const title = element("h4", {}, clusterName(sentence, fact.c), element("span", { class: "soft" }, ` \u2014 ${whose(one, fact.c)}`));
    title.firstChild.textContent = title.firstChild.textContent.replace("cluster", "Cluster");
    const nodes = [title];
    if (fact.t) {
      const diff = element("dl", { class: "diff" });
      fact.t.forEach((runs, slot) => {
        const value = element("dd", {});
        runs.forEach(([kind, text], number) => {
          if (number) value.append(" ");
          value.append(kind ? element(TAGS[kind], {}, text, element("span", { class: "hidden-text" }, SPOKEN[kind])) : text);
        });
        if (!runs.length) value.append("\u2013");
        diff.append(element("dt", {}, LABELS[slot]), value);
      });
      nodes.push(diff);
    }
    const items = sentence.clusters[fact.c].formulations.map((slots, number) =>
      element("li", number === fact.f ? { class: "near" } : {}, triple(slots), number === fact.f ? " (nearest)" : null));
    nodes.push(element("ul", { class: "formulations", "aria-label": "Formulations of the cluster" }, ...items));
    return nodes;
  }

  function verdicts(one, sentence) {
    const groups = new Map(); // matchers that say the same for the same reason stand together
    data.matchers.forEach((name, number) => {
      const own = one.v[number], key = JSON.stringify([own, one.k[number]]);
      if (!groups.has(key)) groups.set(key, { own, off: one.p && one.k[number], names: [] });
      groups.get(key).names.push(name);
    });
    const items = [...groups.values()].map(({ own, off, names }) => {
      const rule = own.r === undefined ? "" : ` by ${data.rules[own.r]}`;
      return element("li", off ? { class: "off" } : {},
        element("b", {}, names.join(", ")),
        element("span", { class: "said" }, clusterNames(sentence, own.c) + rule, off ? element("span", { class: "hidden-text" }, ", unlike people") : null),
        element("span", {}, own.q === undefined ? "" : `score ${own.q.toFixed(3)}`),
        element("div", {}, ...(own.w || []).map((text) => element("p", {}, said(text)))));
    });
    const title = data.matchers.length > 1 ? "What each matcher said" : "What the matcher said";
    return [element("h4", {}, title), element("ul", { class: "verdicts" }, ...items)];
  }

  function rules(sentence, fact, outcomes) {
    const items = outcomes.map(([rule, fires, text]) => element("li", {}, element("b", {}, `${rule}: ${fires ? "yes" : "no"}`), ` \u2014 ${said(text)}`));
    return [element("h4", {}, `What each rule says of ${clusterName(sentence, fact)}`), element("ul", { class: "formulations" }, ...items)];
  }

  const quoted = (text) => (/^[\w.\/:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

  function links(one, sentence) {
    const node = element("p", { class: "links" }, element("a", { href: `#case-${one.id}` }, "Link to this case"));
    if (one.e) {
      const slots = one.e.map((slot) => quoted(slot.startsWith("-") ? ` ${slot}` : slot)).join(" ");
      const command = `python -m matchers.explain ${data.source} --sentence ${quoted(sentence.id)} --extraction ${slots}`;
      node.append(" \u00b7 ask again: ", element("code", {}, command));
    }
    return node;
  }

  // --- fragments ------------------------------------------------------------------------------------------------
  // #case-ID opens a case; #cases?matcher=NAME&kind=missed filters. Both can be shared.

  function showCase(id) {
    const number = place.get(id);
    if (number === undefined) {
      count.textContent = "The case in the address is not on this page.";
      return;
    }
    if (!found.includes(number)) {
      setFilters({});
      select();
    }
    const position = found.indexOf(number);
    if (position >= shown) showMore(position + 1 - shown);
    for (const other of list.querySelectorAll(".current")) other.classList.remove("current");
    const node = byId(`case-${id}`);
    node.classList.add("current");
    node.open = true;
    if (node.children.length === 1) node.append(inside(data.cases[number], data.sentences[data.cases[number].s]));
    node.scrollIntoView({ block: "start", behavior: "instant" });
    node.querySelector("summary").focus({ preventScroll: true });
  }

  function follow() {
    let hash = location.hash.slice(1);
    try { hash = decodeURIComponent(hash); } catch { /* not ours */ }
    if (hash.startsWith("case-")) showCase(hash.slice(5));
    else if (location.hash.startsWith("#cases?")) {
      setFilters(Object.fromEntries(new URLSearchParams(location.hash.slice(7))));
      select();
      byId("cases").scrollIntoView();
    }
  }

  function remember() {
    const chosen = Object.entries(filters()).filter(([, value]) => value);
    const hash = chosen.length ? `#cases?${new URLSearchParams(chosen)}` : "#cases";
    history.replaceState(null, "", hash);
    select();
  }

  fillFilters();
  select();
  form.addEventListener("input", remember);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(remember));
  more.addEventListener("click", () => {
    const first = list.children.length;
    showMore(STEP);
    list.children[first].querySelector("summary").focus(); // the button may be gone
  });
  addEventListener("hashchange", follow);
  // After loading, the browser itself goes to the fragment, which would take the focus away again.
  addEventListener("load", () => setTimeout(follow));
})();
