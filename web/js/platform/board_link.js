/**
 * A line of an analysis board as the part of an address after `#`: compressed, so a whole game has a few thousand
 * letters. A browser sends this part to no server.
 */

/** Letters that programs for messages take as one link. */
const MOST = 8000;
const FORM = 1;
/** So much may come of a link: a whole game has a tenth of it. */
const MOST_BYTES = 1_000_000;
const SUM = 8; // hexadecimal digits

/** The line has too many moves for a link. */
export class LongLink extends Error {}
/** The link was cut off, changed, or is of a later form. */
export class DamagedLink extends Error {}

/** @param {Uint8Array<ArrayBuffer>} bytes @param {GenericTransformStream} way @returns {ReadableStream<Uint8Array>} */
function through(bytes, way) {
  return new Blob([bytes]).stream().pipeThrough(/** @type {any} */ (way));
}

/** @param {ReadableStream<Uint8Array>} stream */
async function gather(stream) {
  const parts = [];
  let length = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    if (length > MOST_BYTES) throw new DamagedLink("too long"); // made by hand to fill the memory
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(/** @type {any} */ (parts)).arrayBuffer());
}

/** A check of the text that finds every single change (FNV-1a, 32 bits). @param {Uint8Array} bytes */
function sumOf(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(16).padStart(SUM, "0");
}

/**
 * The code of a board. Raises `LongLink`.
 * @param {any} transcript without names
 */
export async function encodeBoard(transcript) {
  const { game, options, seats, setup, draws, bag, moves } = transcript;
  const course = moves.map((/** @type {any} */ { seat, move }) => [seat, move]);
  const text = JSON.stringify([FORM, game, options, seats, setup, draws, bag ?? null, course]);
  const bytes = await gather(through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const code = sumOf(bytes) + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (code.length > MOST) throw new LongLink(String(code.length));
  return code;
}

/** @param {string} code */
function bytesOf(code) {
  try {
    const letters = atob(code.slice(SUM).replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  } catch (error) {
    throw new DamagedLink(String(error));
  }
}

/** The transcript that a code holds; the engine checks its moves. Raises `DamagedLink`. @param {string} code */
export async function decodeBoard(code) {
  const bytes = bytesOf(code);
  if (sumOf(bytes) !== code.slice(0, SUM)) throw new DamagedLink("the sum differs");
  try {
    const text = new TextDecoder().decode(await gather(through(bytes, new DecompressionStream("deflate-raw"))));
    const [form, game, options, seats, setup, draws, bag, course] = JSON.parse(text);
    if (form !== FORM) throw new DamagedLink(`form ${form}`);
    const moves = course.map((/** @type {any} */ [seat, move]) => ({ seat, move }));
    return { format: "cartulary/1", game, options, seats, setup, draws, moves, ...(bag ? { bag } : {}) };
  } catch (error) {
    if (error instanceof DamagedLink) throw error;
    throw new DamagedLink(String(error)); // no compressed text, no JSON, or not of this form
  }
}
