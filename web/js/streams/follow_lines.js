/** A stream that is opened again when it ends. */

import { Problem } from "../platform/api.js";
import { lines } from "./ndjson.js";

const AGAIN = [500, 1000, 2000, 4000, 8000, 15_000]; // ms until a stream is opened again

/**
 * Read a stream, and open it again when it ends, until `over` says so or the server refuses it: a refusal does not change
 * by asking again.
 * @param {(signal: AbortSignal) => Promise<Response>} open @param {AbortSignal} over @param {(line: any) => void} take
 */
export async function followLines(open, over, take) {
  for (let failures = 0; !over.aborted; failures += 1) {
    const stream = new AbortController();
    const stop = () => stream.abort();
    over.addEventListener("abort", stop);
    try {
      for await (const line of lines(open, stream, () => {})) {
        if (over.aborted) return;
        failures = 0;
        take(line);
      }
    } catch (error) {
      // The page has what it read before.
      if (error instanceof Problem && error.status < 500 && error.status !== 429) return;
    } finally {
      over.removeEventListener("abort", stop);
    }
    const pause = AGAIN[Math.min(failures, AGAIN.length - 1)] * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
