// The client: what can be asked, and the transport on `fetch`.

import { BrokenStream, GameFollower } from "./following.js";
import { ApiProblem, ConnectionLost, readProblem } from "./problems.js";
import { backOff, findPause, STANDARD } from "./retries.js";

/** Seconds: the service shows a sign of life every 15 s, so two of them are missing. */
const SILENT_AFTER = 35;

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
 * @property {boolean} [repeatable] whether it may be repeated when its outcome is unknown
 */

/** A player's connection to a service, or a visitor's, who has no token. */
export class Client {
  #api;
  #set;

  /**
   * @param {string} url the address of the service
   * @param {Options} [options]
   */
  constructor(url, options = {}) {
    this.#api = `${new URL(url).href.replace(/\/$/, "")}/api/v1`;
    this.token = options.token;
    this.#set = {
      language: options.language ?? "en",
      policy: options.policy ?? STANDARD,
      timeout: options.timeout ?? 30,
      silentAfter: options.silentAfter ?? SILENT_AFTER,
      fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
      sleep: options.sleep ?? sleep,
      random: options.random ?? Math.random,
      makeKey: options.makeKey ?? (() => crypto.randomUUID()),
    };
  }

  /** @param {string} name */
  async createPlayer(name) {
    // Repeated blindly, it would register twice.
    const created = await this.#send("POST", "/players", { body: { name }, repeatable: false });
    this.token = created.token;
    return created;
  }

  /** @param {{link_code?: string, recovery_code?: string, label?: string}} codes */
  async signIn(codes) {
    const session = await this.#send("POST", "/sessions", { body: codes, repeatable: false });
    this.token = session.token;
    return session;
  }

  /** @param {string} name */
  rename(name) {
    return this.#send("PATCH", "/players/me", { body: { name } });
  }

  /** @param {Record<string, string>} [asked] */
  listGames(asked = {}) {
    return this.#send("GET", `/games?${new URLSearchParams(asked)}`);
  }

  /**
   * @param {string} game
   * @param {object[]} seats
   * @param {object} [more]
   * @param {string} [key]
   */
  createGame(game, seats, more = {}, key = this.#set.makeKey()) {
    return this.#send("POST", "/games", { body: { game, seats, ...more }, key });
  }

  /** @param {string} game */
  readGame(game) {
    return this.#send("GET", `/games/${encodeURIComponent(game)}`);
  }

  /**
   * @param {string} game
   * @param {object} [seat]
   * @param {string} [key]
   */
  joinGame(game, seat = {}, key = this.#set.makeKey()) {
    return this.#send("POST", `/games/${encodeURIComponent(game)}/seats`, { body: seat, key });
  }

  /**
   * @param {string} game
   * @param {object} [body]
   * @param {string} [key]
   */
  startGame(game, body = {}, key = this.#set.makeKey()) {
    return this.#send("POST", `/games/${encodeURIComponent(game)}/start`, { body, key });
  }

  /** @param {string} game */
  listMoves(game) {
    return this.#send("GET", `/games/${encodeURIComponent(game)}/moves`);
  }

  /**
   * Makes a move that was chosen for a version.
   * @param {string} game
   * @param {object} move
   * @param {number} [version]
   * @param {string} [key]
   */
  makeMove(game, move, version, key = this.#set.makeKey()) {
    const body = version === undefined ? { move } : { move, expected_version: version };
    return this.#send("POST", `/games/${encodeURIComponent(game)}/moves`, { body, key });
  }

  /**
   * @param {string} game
   * @param {number} [after]
   */
  readEvents(game, after = 0) {
    return this.#send("GET", `/games/${encodeURIComponent(game)}/events?after=${after}`);
  }

  /**
   * Yields each event once and in order, until the game is over, across lost connections.
   * @param {string} game
   * @param {number} [after]
   * @returns {AsyncGenerator<import("./following.js").Line>}
   */
  async *followGame(game, after = 0) {
    const follower = new GameFollower(after);
    let failures = 0;
    while (!follower.isOver) {
      let pause;
      try {
        for await (const line of this.#connect(game, follower)) {
          failures = 0;
          yield line;
        }
        pause = backOff(this.#set.policy, failures, this.#set.random);
      } catch (error) {
        if (error instanceof BrokenStream) {
          pause = backOff(this.#set.policy, failures, this.#set.random);
        } else {
          pause = findPause(this.#set.policy, true, error, failures, this.#set.random);
          if (pause === null) throw error;
        }
      }
      failures += 1;
      if (!follower.isOver) await this.#set.sleep(pause);
    }
  }

  /**
   * Reads one connection of a stream to its end.
   * @param {string} game
   * @param {GameFollower} follower
   */
  async *#connect(game, follower) {
    follower.begin();
    const silence = new AbortController();
    const wait = () => setTimeout(() => silence.abort(), 1000 * this.#set.silentAfter);
    let timer = wait();
    try {
      const path = `/games/${encodeURIComponent(game)}/events/stream`;
      const headers = this.#headers({ Accept: "application/x-ndjson" });
      if (follower.cursor) headers.set("Last-Event-ID", `${follower.cursor}`);
      const answer = await this.#fetch(path, { headers, signal: silence.signal });
      if (answer.status === 204) follower.isOver = true;
      if (answer.status !== 200 || !answer.body) return;
      const decoder = new TextDecoder();
      const reader = answer.body.getReader();
      while (!follower.isOver) {
        const { done, value } = await read(reader);
        if (done) return;
        clearTimeout(timer);
        timer = wait();
        yield* follower.take(decoder.decode(value, { stream: true }));
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Asked} [asked]
   * @returns {Promise<any>}
   */
  async #send(method, path, { body, key, repeatable = true } = {}) {
    const headers = this.#headers({ Accept: "application/json" });
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (key !== undefined) headers.set("Idempotency-Key", key);
    const sent = body === undefined ? null : JSON.stringify(body);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const signal = AbortSignal.timeout(1000 * this.#set.timeout);
        const answer = await this.#fetch(path, { method, headers, body: sent, signal });
        const text = await answer.text();
        return text ? JSON.parse(text) : null;
      } catch (error) {
        const pause = findPause(this.#set.policy, repeatable, error, attempt, this.#set.random);
        if (pause === null) {
          if (error instanceof ApiProblem) throw error;
          throw new ConnectionLost(`${method} ${path}`, `${error}`, key);
        }
        await this.#set.sleep(pause);
      }
    }
  }

  /**
   * Returns an answer that is no refusal.
   * @param {string} path
   * @param {RequestInit} request
   */
  async #fetch(path, request) {
    const answer = await this.#set.fetch(this.#api + path, request);
    if (answer.status < 300) return answer;
    throw readProblem(answer.status, answer.headers, await answer.text());
  }

  /** @param {Record<string, string>} more */
  #headers(more) {
    const headers = new Headers({ "Accept-Language": this.#set.language, ...more });
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    return headers;
  }
}

/**
 * Returns the next piece of a stream; a connection that is lost on the way is a broken stream.
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 */
async function read(reader) {
  try {
    return await reader.read();
  } catch (error) {
    throw new BrokenStream("the connection has ended", { cause: error });
  }
}

/** @param {number} seconds */
function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}
