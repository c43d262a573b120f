// Requests on `fetch`: what is sent, how it is repeated, and what an answer or its lack means.

import { SILENT_AFTER } from "./lines.js";
import { ApiProblem, ConnectionLost, readProblem } from "./problems.js";
import { findPause, STANDARD } from "./retries.js";

/** Where the API is below the address of a service. */
export const API = "/api/v1";

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
  #api;

  /** @param {string} url @param {Options} options */
  constructor(url, options) {
    this.#api = findApi(url);
    this.token = options.token;
    this.language = options.language ?? "en";
    this.policy = options.policy ?? STANDARD;
    this.timeout = options.timeout ?? 30;
    this.silentAfter = options.silentAfter ?? SILENT_AFTER;
    this.fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.sleep = options.sleep ?? sleep;
    this.random = options.random ?? Math.random;
    this.makeKey = options.makeKey ?? makeKey;
  }

  /**
   * Returns the body of an answer.
   * @param {string} method
   * @param {string} path
   * @param {Asked} [asked]
   * @returns {Promise<any>}
   */
  async send(method, path, { body, key, version, query = {}, repeatable = true } = {}) {
    const headers = this.#headers({ Accept: "application/json" });
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (key !== undefined) headers.set("Idempotency-Key", key);
    if (version !== undefined) headers.set("If-Match", `"v${version}"`);
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const address = path + writeQuery(query);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#read(address, request, key);
      } catch (error) {
        const pause = findPause(this.policy, repeatable, error, attempt, this.random);
        if (pause === null) throw error;
        await this.sleep(pause);
      }
    }
  }

  /**
   * Returns the answer that begins a stream.
   * @param {import("./following.js").Place} place
   * @param {AbortSignal} signal
   */
  async open({ path, query, cursor }, signal) {
    const headers = this.#headers({ Accept: "application/x-ndjson" });
    if (cursor) headers.set("Last-Event-ID", cursor);
    return this.#fetch(path + writeQuery(query), { headers, signal });
  }

  /** @param {string} address @param {RequestInit} request @param {string | undefined} key */
  async #read(address, request, key) {
    const answer = await this.#fetch(address, { ...request, signal: AbortSignal.timeout(1000 * this.timeout) }, key);
    try {
      const text = await answer.text();
      return text ? JSON.parse(text) : null;
    } catch (error) {
      throw new ConnectionLost(`${request.method} ${address}`, `${error}`, key);
    }
  }

  /**
   * Returns an answer that is no refusal; throws `ApiProblem`, `ConnectionLost`.
   * @param {string} address
   * @param {RequestInit} request
   * @param {string} [key]
   */
  async #fetch(address, request, key) {
    try {
      const answer = await this.fetch(this.#api + address, request);
      if (answer.ok) return answer;
      throw readProblem(answer.status, answer.headers, await answer.text());
    } catch (error) {
      if (error instanceof ApiProblem) throw error;
      throw new ConnectionLost(`${request.method ?? "GET"} ${address}`, `${error}`, key);
    }
  }

  /** @param {Record<string, string>} more */
  #headers(more) {
    const headers = new Headers({ "Accept-Language": this.language, ...more });
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    return headers;
  }
}

/**
 * Returns the address of the API; throws `TypeError` for what is no `http(s)://HOST`.
 * @param {string} url
 */
function findApi(url) {
  const { protocol, origin, pathname, search } = new URL(url);
  if (!/^https?:$/.test(protocol) || search) throw new TypeError(`the address must be http(s)://HOST, not ${url}`);
  const path = pathname.replace(/\/+$/, "");
  return origin + (path.endsWith(API) ? path : path + API);
}

/** Returns a query with its question mark; "" without a value. @param {Record<string, unknown>} values */
export function writeQuery(values) {
  const known = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return known.length ? `?${new URLSearchParams(known.map(([name, value]) => [name, String(value)]))}` : "";
}

/** Returns a new idempotency key; `randomUUID` is missing on a page without TLS. */
export function makeKey() {
  return (
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-")
  );
}

/** @param {number} seconds */
function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}
