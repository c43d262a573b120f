/** The frame around the choices of a sheet that a guide or a hint means. */

/** Members of a move that name a place, and so a choice of a list. */
const NAMED = ["space", "building", "line"];
/** Moves that do nothing are choices by their type. */
const IDLE = ["pass", "decline", "stay", "skip_follower"];

/** One for all pages: the guide or the hint of now writes it. */
const frame = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, frame];

/** Whether a move does nothing. @param {Move} move */
export function isIdle({ type }) {
  return IDLE.includes(type);
}

/** The choices that a move names, as selectors; "" when it names none. @param {Move} move */
function choicesOf(move) {
  if (move.type === "offer_batch") {
    const parts = Object.entries(move.goods).map(([name, count]) => `[data-key*='"${name}":${count}']`);
    return `.answers [data-key^="batch-"]${parts.join("")}`;
  }
  const members = NAMED.filter((name) => move[name] !== undefined).map((name) => String(move[name]));
  const bundles = ["goods", "get", "give", "pay"].filter((name) => typeof move[name] === "object" && move[name]);
  const packed = bundles.map((name) => JSON.stringify(Object.entries(move[name]).sort()));
  const steps = move.steps === undefined ? [] : [String(move.steps)];
  const values = isIdle(move) ? [move.type] : [...members, ...packed, ...steps];
  return values.map((value) => `.answers label:has(> input[value="${CSS.escape(value)}"])`).join(", ");
}

/** Frame the choices of a move; null: none. @param {Move | null | undefined} move */
export function frameChoice(move) {
  const choices = move ? choicesOf(move) : "";
  frame.replaceSync(
    choices ? `${choices} { border-radius: 8px; box-shadow: 0 0 0 3px #ffb454, 0 0 9px 3px #c0391b; }` : "",
  );
}
