/** Returns a query with its question mark; "" without a value. @param {Record<string, unknown>} values */
export function writeQuery(values: Record<string, unknown>): string;
/** Returns a new idempotency key; `randomUUID` is missing on a page without TLS. */
export function makeKey(): `${string}-${string}-${string}-${string}-${string}`;
/** Where the API is below the address of a service. */
export const API: "/api/v1";
/**
 * `fetch`, `sleep`, `random` and `makeKey` are for tests; `timeout` and `silentAfter` are seconds.
 * @typedef {object} Options
 * @property {string} [token]
 * @property {string} [language]
 * @property {import("./retries.js").Policy} [policy]
 * @property {number} [timeout]
 * @property {number} [silentAfter]
 * @property {typeof fetch} [fetch]
 * @property {(seconds: number) => Promise<unknown>} [sleep]
 * @property {() => number} [random]
 * @property {() => string} [makeKey]
 */
/**
 * @typedef {object} Asked
 * @property {unknown} [body]
 * @property {string} [key] the idempotency key of a write
 * @property {number} [version] the version that the game must have (`If-Match`)
 * @property {Record<string, unknown>} [query] values that are undefined, null or "" are left out
 * @property {boolean} [repeatable] whether it may be repeated when its outcome is unknown
 */
/** Sends requests and repeats them; `token` is used from the next request on. */
export class Requests {
    /** @param {string} url @param {Options} options */
    constructor(url: string, options: Options);
    token: string | undefined;
    language: string;
    policy: import("./retries.js").Policy;
    timeout: number;
    silentAfter: number;
    fetch: typeof fetch;
    sleep: typeof sleep;
    random: () => number;
    makeKey: () => string;
    /**
     * Returns the body of an answer.
     * @param {string} method
     * @param {string} path
     * @param {Asked} [asked]
     * @returns {Promise<any>}
     */
    send(method: string, path: string, { body, key, version, query, repeatable }?: Asked): Promise<any>;
    /**
     * Returns the answer that begins a stream.
     * @param {import("./following.js").Place} place
     * @param {AbortSignal} signal
     */
    open({ path, query, cursor }: import("./following.js").Place, signal: AbortSignal): Promise<Response>;
    #private;
}
/**
 * `fetch`, `sleep`, `random` and `makeKey` are for tests; `timeout` and `silentAfter` are seconds.
 */
export type Options = {
    token?: string | undefined;
    language?: string | undefined;
    policy?: import("./retries.js").Policy | undefined;
    timeout?: number | undefined;
    silentAfter?: number | undefined;
    fetch?: typeof fetch | undefined;
    sleep?: ((seconds: number) => Promise<unknown>) | undefined;
    random?: (() => number) | undefined;
    makeKey?: (() => string) | undefined;
};
export type Asked = {
    body?: unknown;
    /**
     * the idempotency key of a write
     */
    key?: string | undefined;
    /**
     * the version that the game must have (`If-Match`)
     */
    version?: number | undefined;
    /**
     * values that are undefined, null or "" are left out
     */
    query?: Record<string, unknown> | undefined;
    /**
     * whether it may be repeated when its outcome is unknown
     */
    repeatable?: boolean | undefined;
};
/** @param {number} seconds */
declare function sleep(seconds: number): Promise<any>;
export {};
