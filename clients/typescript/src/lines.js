// The lines of a stream (`application/x-ndjson`), from the bytes of an answer as they come.

/** Bytes that are no lines of the service, a version that is missing, or an end: connect again. */
export class BrokenStream extends Error {}

/** Seconds: the service shows a sign of life every 15 s, so two of them are missing. */
export const SILENT_AFTER = 35;

/** Characters of a line; a longer one means that this is no stream of the service. */
const LONGEST = 16 * 1024 * 1024;

/**
 * Yields the value of each line until the service ends the stream. Silence aborts the connection. What
 * ends it on the way is a `BrokenStream`; what `open` throws is thrown as it is.
 * @param {(signal: AbortSignal) => Promise<Response>} open
 * @param {AbortController} connection ends the stream from outside
 * @param {{opened?: (isEmpty: boolean) => void, silentAfter?: number}} [how] opened: called when the
 *   answer is there, true for an answer without a stream; silentAfter: seconds, 0 for any silence
 * @returns {AsyncGenerator<any>}
 */
export async function* readLines(open, connection, { opened, silentAfter = SILENT_AFTER } = {}) {
  const wait = () => (silentAfter ? setTimeout(() => connection.abort(), 1000 * silentAfter) : undefined);
  let timer = wait();
  try {
    const answer = await open(connection.signal);
    const isEmpty = answer.status === 204 || !answer.body;
    opened?.(isEmpty);
    if (isEmpty || !answer.body) return;
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    let begun = "";
    for (;;) {
      const { done, value } = await readPiece(reader);
      if (done) return;
      clearTimeout(timer);
      timer = wait();
      const lines = (begun + decoder.decode(value, { stream: true })).split("\n");
      begun = lines.pop() ?? "";
      if (begun.length > LONGEST) throw new BrokenStream("a line of the stream is too long");
      for (const line of lines) if (line.trim()) yield parseLine(line);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
async function readPiece(reader) {
  try {
    return await reader.read();
  } catch (error) {
    throw new BrokenStream("the connection has ended", { cause: error });
  }
}

/** @param {string} line @returns {any} */
function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new BrokenStream(`no JSON: ${line.slice(0, 80)}`, { cause: error });
  }
}
