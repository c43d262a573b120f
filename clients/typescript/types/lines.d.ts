/**
 * Yields the value of each line until the service ends the stream. Silence aborts the connection. What
 * ends it on the way is a `BrokenStream`; what `open` throws is thrown as it is.
 * @param {(signal: AbortSignal) => Promise<Response>} open
 * @param {AbortController} connection ends the stream from outside
 * @param {{opened?: (isEmpty: boolean) => void, silentAfter?: number}} [how] opened: called when the
 *   answer is there, true for an answer without a stream; silentAfter: seconds, 0 for any silence
 * @returns {AsyncGenerator<any>}
 */
export function readLines(open: (signal: AbortSignal) => Promise<Response>, connection: AbortController, { opened, silentAfter }?: {
    opened?: (isEmpty: boolean) => void;
    silentAfter?: number;
}): AsyncGenerator<any>;
/** Bytes that are no lines of the service, a version that is missing, or an end: connect again. */
export class BrokenStream extends Error {
}
/** Seconds: the service shows a sign of life every 15 s, so two of them are missing. */
export const SILENT_AFTER: 35;
