/**
 * The boards of the tables of a round, small. A game is asked for when its table comes into sight, and now and then
 * while it is played: a round of two hundred players asks for no more than one sees.
 */

import { h, iconAt } from "../elements/dom.js";
import { thumbnail } from "../home/thumbnail.js";
import { api, Problem, Unreachable } from "../platform/api.js";

/** ms between two looks at a table that is played. */
const AGAIN = 15_000;

/** @typedef {import("./facts/tournament_calls.js").RoundTable} RoundTable */

export class SmallBoards {
  /** @param {Element} place of the tables, each with the id of its game in `data-game` @param {() => any} changed */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    /** Games that were seen, by id. @type {Map<string, Summary>} */
    this.games = new Map();
    /** @type {Set<string>} */
    this.inSight = new Set();
    /** @type {RoundTable[]} */
    this.tables = [];
    this.observer = new IntersectionObserver((entries) => this.#see(entries));
    this.timer = setInterval(() => this.#look(), AGAIN);
  }

  close() {
    clearInterval(this.timer);
    this.observer.disconnect();
  }

  /** These tables stand in the place. @param {RoundTable[]} tables */
  watch(tables) {
    this.tables = tables;
    for (const one of this.place.querySelectorAll("[data-game]")) this.observer.observe(one);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #see(entries) {
    for (const { target, isIntersecting } of entries) {
      const game = /** @type {HTMLElement} */ (target).dataset.game ?? "";
      if (!isIntersecting) this.inSight.delete(game);
      else if (!this.inSight.has(game)) {
        this.inSight.add(game);
        this.#load(game);
      }
    }
  }

  #look() {
    if (document.visibilityState !== "visible") return;
    for (const game of this.inSight) this.#load(game);
  }

  /** @param {string} id */
  async #load(id) {
    const table = this.tables.find(({ game }) => game === id);
    const known = this.games.get(id);
    if (!table || (known?.status === "over" && table.status !== "playing")) return;
    try {
      const game = await api.game(id);
      this.games.set(id, game);
      if (game.version !== known?.version) this.changed();
    } catch (error) {
      // 404: a table of a duplicate is hidden until the round is over; without the line the picture stays.
      if (!(error instanceof Unreachable || (error instanceof Problem && error.status === 404))) throw error;
    }
  }
}

/**
 * @param {string} name of the game @param {Summary | undefined} game undefined: not seen
 * @param {boolean} isSealed only its players see it until the round is over
 */
export function smallBoard(name, game, isSealed) {
  if (!game) {
    const sign = h("img", { class: "sign", src: iconAt(`${name}.svg`), alt: "" });
    return h("span", { class: "thumb", "aria-hidden": "true" }, sign);
  }
  const board = thumbnail({ ...game, tournament: null, visibility: isSealed ? "private" : game.visibility });
  board.id = `board-${game.id}-${game.version}`; // another version is another picture
  return board;
}
