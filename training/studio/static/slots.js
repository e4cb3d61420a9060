// The formulation that is being put together: words in three slots, each required, optional, or optional with the one before.

export const SLOTS = ["arg1", "relation", "arg2"];
export const TITLES = { arg1: "First argument", relation: "Relation", arg2: "Second argument" };
export const REQUIRED = 0, OPTIONAL = 1, JOINED = 2;

export const empty = () => ({ arg1: [], relation: [], arg2: [] });

export function slotText(words) {
  let text = "";
  let open = false;
  for (const word of words) {
    if (open && word.mode !== JOINED) { text += "]"; open = false; }
    text += text ? " " : "";
    if (word.mode === OPTIONAL || (word.mode === JOINED && !open)) { text += "["; open = true; }
    text += word.text;
  }
  return open ? `${text}]` : text;
}

export const formulationText = (slots) => SLOTS.map((name) => slotText(slots[name]) || "XXX").join(" --> ");

// The slots of a formulation's text; each word is laid to its next place in the sentence, if the sentence has it.
export function parsed(text, sentence) {
  const slots = empty();
  const used = new Set();
  text.split(" --> ").forEach((part, number) => {
    let inside = false, first = false, last = -1;
    if (part === "XXX") return;
    for (const token of part.match(/\[|\]|[^\[\]\s]+/g) || []) {
      if (token === "[") { inside = true; first = true; continue; }
      if (token === "]") { inside = false; continue; }
      const places = sentence.flatMap((word, place) => (word.text === token && !used.has(place) ? [place] : []));
      const place = places.find((one) => one > last) ?? places[0] ?? null;
      if (place !== null) { used.add(place); last = place; }
      slots[SLOTS[number]].push({ text: token, place, mode: inside ? (first ? OPTIONAL : JOINED) : REQUIRED });
      first = false;
    }
  });
  return slots;
}

// Required, optional, optional together with the word before (if that is optional), and required again.
export function nextMode(words, position) {
  const { mode } = words[position];
  if (mode === REQUIRED) return OPTIONAL;
  if (mode === OPTIONAL && position > 0 && words[position - 1].mode !== REQUIRED) return JOINED;
  return REQUIRED;
}

// After a change, a word that was joined to one that is now required or gone stands alone.
export function mended(words) {
  words.forEach((word, position) => {
    if (word.mode === JOINED && (position === 0 || words[position - 1].mode === REQUIRED)) word.mode = OPTIONAL;
  });
  return words;
}

// The words that were typed, without what can't stand in a slot.
export const typed = (text) => text.replace(/-->|[\[\]]/g, " ").split(/\s+/).filter(Boolean)
  .map((word) => ({ text: word, place: null, mode: REQUIRED }));
