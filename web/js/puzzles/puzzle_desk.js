/**
 * The desk of one puzzle: it answers what the API answers about a game, so the board and the controls are
 * those of every game. What the moves lead to, the service says, or the pack; nothing is judged before the line is whole.
 */

import { Problem } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { answerPuzzle, HERE, PUZZLE } from "../platform/local_games.js";

/** @typedef {import("./calls.js").Puzzle} Puzzle */
/** @typedef {{n: string, query: URLSearchParams, body: any, signal?: AbortSignal | null}} Asked */

const WISHES = ["layout", "parts", "ratio", "colours"];

export class PuzzleDesk {
  /**
   * @param {Puzzle} puzzle @param {import("./source.js").Source} source
   * @param {(line: Move[]) => void} whole called with a line that is whole
   */
  constructor(puzzle, source, whole) {
    this.puzzle = puzzle;
    this.source = source;
    this.whole = whole;
    this.id = PUZZLE + puzzle.id;
    /** The moves that are made. @type {Move[]} */
    this.line = [];
    /** The position after them. @type {Pick<Puzzle, "view" | "decision" | "moves">} */
    this.moment = puzzle;
    /** What was tried, by the line. @type {Map<string, Promise<import("./calls.js").Tried>>} */
    this.tried = new Map();
    this.close = answerPuzzle(this.id, (path, request) => this.#answer(path, request));
  }

  /** The line begins again. */
  begin() {
    this.line = [];
    this.moment = this.puzzle;
  }

  get version() {
    return 1 + this.line.length;
  }

  /** The puzzle in the form of a game. */
  get game() {
    const { puzzle, moment } = this;
    const own = me()?.id ?? HERE;
    const seats = Array.from({ length: puzzle.seats }, (_, seat) => ({
      seat,
      state: "seated",
      player: { id: seat === puzzle.seat ? own : `seat-${seat}`, name: t("ui.new.seat", { n: seat + 1 }) },
      ...{ bot: null, stand_in: null, bank: null, ready: null, reason: null },
    }));
    const { view, decision } = moment;
    const about = { id: this.id, game: puzzle.game, options: puzzle.options, version: this.version, status: "running" };
    const rest = { host: null, pace: null, result: null, tournament: null, proposal: null, rated: false, hints: false };
    return { ...about, ...rest, seats, view, decision, takebacks: "none", visibility: "private", ladder: null };
  }

  /** @param {Move[]} line */
  #try(line) {
    const key = JSON.stringify(line);
    const found = this.tried.get(key) ?? this.source.tryLine(this.puzzle.id, line);
    this.tried.set(key, found);
    found.catch(() => this.tried.delete(key));
    return found;
  }

  /** The answers, by method and the path after the game. @type {Record<string, (asked: Asked) => any>} */
  #answers = {
    "GET ": () => this.game,
    "GET moves": () => ({ version: this.version, decision: this.moment.decision, moves: this.moment.moves }),
    "POST moves": (/** @type {Asked} */ asked) => this.#play(asked.body.move),
    "POST preview": (/** @type {Asked} */ asked) => this.#preview(asked.body.move),
    "GET features": () => this.#try(this.line),
    "GET events": () => ({ events: [], next_after: this.version }),
    "GET events/stream": (/** @type {Asked} */ asked) => openStream(asked.signal),
    "GET board.svg": (/** @type {Asked} */ asked) => this.#draw(asked.query),
    "GET proposals": () => ({ open: null, may: {} }),
    "GET standing_answers": () => ({ answers: [] }),
  };

  /** @param {Move} move */
  async #play(move) {
    const line = [...this.line, move];
    const tried = await this.#try(line);
    this.line = line;
    this.moment = tried;
    if (!tried.decision) queueMicrotask(() => this.whole(line));
    return { version: this.version, event: null, events: [], game: this.game, board: null, moves: tried.moves };
  }

  /** @param {Move} move */
  async #preview(move) {
    const [before, tried] = await Promise.all([this.#try(this.line), this.#try([...this.line, move])]);
    const known = new Set(before.features.map((one) => JSON.stringify(one)));
    return { ...tried, features: tried.features.filter((one) => !known.has(JSON.stringify(one))) };
  }

  /** @param {URLSearchParams} query */
  async #draw(query) {
    const wishes = WISHES.filter((name) => query.has(name)).map((name) => [name, query.get(name)]);
    const picture = await this.source.draw(this.puzzle.id, {
      ...Object.fromEntries(wishes),
      tried: JSON.stringify(this.line),
    });
    return new Response(picture, { headers: { "Content-Type": "image/svg+xml" } });
  }

  /** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
  async #answer(path, { method = "GET", body, signal }) {
    const { pathname, searchParams: query } = new URL(path, location.origin);
    const [n = "", ...rest] = pathname.split("/").slice(3);
    const answer = this.#answers[`${method} ${[n, ...rest].join("/")}`];
    try {
      if (!answer) throw new Problem({ status: 404, code: "not_found" });
      const found = await answer({ n, query, body: body ? JSON.parse(String(body)) : {}, signal });
      return found instanceof Response ? found : Response.json(found);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return Response.json(error.body, { status: error.status || 422 });
    }
  }
}

/** Nothing happens in a puzzle but what the person does. @param {AbortSignal | null | undefined} signal */
function openStream(signal) {
  /** @type {UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>} */
  const source = {
    start: (controller) => {
      signal?.addEventListener("abort", () => controller.error(new DOMException("left", "AbortError")));
    },
  };
  return new Response(new ReadableStream(source), { headers: { "Content-Type": "application/x-ndjson" } });
}
