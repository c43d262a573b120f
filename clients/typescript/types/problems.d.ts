/**
 * Returns an answer as a refusal, also one that comes from a proxy and is a page.
 * @param {number} status
 * @param {Headers} headers
 * @param {string} body
 */
export function readProblem(status: number, headers: Headers, body: string): ApiProblem;
/** @param {Headers} headers */
export function readRetryAfter(headers: Headers): number | null;
/** What went wrong between this client and the service. */
export class ClientError extends Error {
}
/** No answer came. What has become of a write is unknown: repeating it with `key` is safe. */
export class ConnectionLost extends ClientError {
    /**
     * @param {string} request
     * @param {string} why
     * @param {string | undefined} key
     */
    constructor(request: string, why: string, key: string | undefined);
    key: string | undefined;
}
/** A refusal of the service (RFC 9457). `retryAfter` are seconds, null where nothing was said. */
export class ApiProblem extends ClientError {
    /**
     * @param {number} status
     * @param {Record<string, any>} problem
     * @param {number | null} retryAfter
     */
    constructor(status: number, problem: Record<string, any>, retryAfter: number | null);
    status: number;
    problem: Record<string, any>;
    /** @type {string} */
    code: string;
    retryAfter: number | null;
    /** The legal moves, with `illegal_move`. */
    get legalMoves(): any;
    /** The version that the game has, with `stale_version`. */
    get currentVersion(): any;
    /** Whether the game is not as the request assumes: look again, and choose again. */
    get isConflict(): boolean;
}
