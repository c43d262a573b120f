/**
 * Numbers in the words of a lesson: `{castle.walls.points}` is what the piece `walls` of the kind `castle`
 * has under this name, `{castle.dungeon.columns+1}` one more. No price, point or count of a piece stands in the
 * words, because it may be another one in another edition.
 */

/** @typedef {import("../play/pieces.js").Piece} Piece */

const PART = /\{([a-z_]+)\.([a-z_]+)((?:\.[a-z_0-9]+)+)(?:\+(\d+))?\}/g;

/**
 * The number that a path leads to; undefined when no piece has it.
 * @param {Piece[]} pieces @param {string} kind @param {string} id @param {string[]} path @returns {number | undefined}
 */
function numberAt(pieces, kind, id, path) {
  const piece = pieces.find((one) => one.kind === kind && one.id === id);
  /** @type {any} */
  let found = piece && { ...piece, ...piece.does };
  for (const name of path) found = found?.[name];
  return typeof found === "number" ? found : undefined;
}

/**
 * Fill the numbers of a text in. @param {string} text
 * @param {Piece[]} pieces under the options that are shown @param {Piece[]} [others] pieces of other options: a
 *   text may speak of a variant that is not chosen
 */
export function fillNumbers(text, pieces, others = []) {
  return text.replace(PART, (whole, kind, id, path, plus) => {
    const names = path.slice(1).split(".");
    const number = numberAt(pieces, kind, id, names) ?? numberAt(others, kind, id, names);
    return number === undefined ? whole : String(number + Number(plus ?? 0));
  });
}
