/**
 * A stream of the server: one JSON value in each line (NDJSON). Read with `fetch`, which sends the
 * token: `EventSource` cannot, so it would not follow what is private.
 */

const QUIET = 35_000; // the server sends an empty line every 15 s; twice missed means a dead line

/**
 * Yield what comes, until the server ends the stream. A stream that stays silent is cut.
 * @param {(signal: AbortSignal) => Promise<Response>} open @param {AbortController} stream
 * @param {(isEmpty: boolean) => void} opened called when the answer is there; true: 204, no stream
 * @param {number} [quiet] ms after which a silent stream is cut, 0 for never
 */
export async function* lines(open, stream, opened, quiet = QUIET) {
  const wait = () => (quiet ? setTimeout(() => stream.abort("late"), quiet) : 0);
  let timer = wait();
  try {
    const answer = await open(stream.signal);
    opened(!answer.body);
    if (!answer.body) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = wait();
      const whole = (rest + value).split("\n");
      rest = whole.pop() ?? "";
      for (const line of whole) if (line.trim()) yield JSON.parse(line);
    }
  } finally {
    clearTimeout(timer);
  }
}
