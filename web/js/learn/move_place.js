/** Where on the picture of a board a move is made. */

const MEMBERS = ["space", "building", "line", "x", "y"];

/** The place on the picture that a move names, "" when it names none. @param {Move} move */
export function placeOf(move) {
  const named = MEMBERS.filter((name) => move[name] !== undefined);
  return named.map((name) => `[data-${name}="${CSS.escape(String(move[name]))}"]`).join("");
}
