/** A puzzle of the pack, shown and judged by the engine of this device, in the words of the API. */

import { newKey } from "../platform/api.js";
import { language } from "../platform/i18n.js";
import { openDesk } from "./desk.js";
import { theEngine } from "./engine.js";
import { listOpen } from "./packs.js";
import { keepAttempt, readAttempt, readKept } from "./puzzle_store.js";
import { readWishes } from "./wishes.js";

/** @typedef {import("./puzzle_store.js").PackedPuzzle} PackedPuzzle */
/** @typedef {import("./puzzle_store.js").KeptAttempt} KeptAttempt */

export class PackedSource {
  isPacked = true;

  /** @param {PackedPuzzle} puzzle */
  constructor(puzzle) {
    this.puzzle = puzzle;
  }

  /** @param {string} about @param {Record<string, any>} [more] @returns {Promise<any>} */
  async #ask(about, more = {}) {
    const engine = await theEngine();
    return engine.ask({ type: "puzzle", about, puzzle: this.puzzle, language: language(), ...more });
  }

  /** The puzzle as the person may see it. @returns {Promise<Answer<"show_one_puzzle">>} */
  async find() {
    const attempt = await readAttempt(this.puzzle.id);
    const shown = await this.#ask("position");
    if (attempt?.hints) shown.hint = await this.#ask("hint", { step: attempt.hints });
    if (attempt?.moves) shown.answer = await this.#judge(attempt);
    return shown;
  }

  /** @param {string} _id @param {Move[]} moves @returns {Promise<Answer<"try_line">>} */
  tryLine(_id, moves) {
    return this.#ask("line", { moves });
  }

  /** One attempt counts: the first of this device. @param {string} id @param {Move[]} moves @returns {Promise<Answer<"answer_puzzle">>} */
  async answer(id, moves) {
    const known = await this.#attempt(id);
    const attempt = known.moves ? known : { ...known, moves, made_at: Date.now() };
    const outcome = await this.#judge(attempt); // raises before it is kept
    await keepAttempt(attempt);
    return outcome;
  }

  /** @param {string} id @param {1 | 2} step @returns {Promise<Answer<"take_puzzle_hint">>} */
  async takeHint(id, step) {
    const hint = await this.#ask("hint", { step });
    const known = await this.#attempt(id);
    await keepAttempt({ ...known, hints: Math.max(known.hints, step) });
    return hint;
  }

  /** @param {string} id @returns {Promise<KeptAttempt>} */
  async #attempt(id) {
    const fresh = { id, game: this.puzzle.game, key: newKey(), hints: 0, moves: null, made_at: 0 };
    return (await readAttempt(id)) ?? fresh;
  }

  /** @param {KeptAttempt} attempt @returns {Promise<Answer<"answer_puzzle">>} */
  async #judge({ moves, hints, made_at }) {
    const judged = await this.#ask("answer", { moves });
    const puzzle = { rating: this.puzzle.rating, deviation: 0 };
    return { ...judged, hints, puzzle, at: new Date(made_at).toISOString() };
  }

  /** @param {string} _id @param {Record<string, any>} wish @returns {Promise<string>} */
  draw(_id, { line = "start", step = 0, tried = "[]", ...wish }) {
    const wishes = readWishes(new URLSearchParams(Object.entries(wish).map(([name, value]) => [name, String(value)])));
    return this.#ask("board", { line, step, moves: JSON.parse(tried), wishes });
  }

  /** Another one of the pack, null: all are answered. */
  async findNext() {
    const open = await listOpen();
    return open.find(({ game }) => game === this.puzzle.game) ?? open[0] ?? null;
  }
}

/** A puzzle of the pack, null: this browser does not have it. @param {string} id */
export async function openPacked(id) {
  const puzzle = await readKept(id);
  if (!puzzle) return null;
  openDesk(); // what the pieces are, the engine says
  return new PackedSource(puzzle);
}
