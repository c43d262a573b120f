/** The course of a game: in which round and phase each move lies, and where the rounds begin. */

import { t, term } from "../platform/i18n.js";

/** @typedef {{round: number, phase: string}} ProgressStage */

export class Progress {
  /** @param {GameEvent[]} events all events from the first on @param {boolean} [hasRounds] the game counts rounds */
  constructor(events, hasRounds = false) {
    this.events = events;
    this.hasRounds = hasRounds;
    /** By version − 1. @type {ProgressStage[]} */
    this.stages = [];
    /** The versions after which a round begins. @type {{version: number, round: number}[]} */
    this.rounds = [];
    this.#read();
    if (!this.rounds.length) this.#readTurns();
  }

  #read() {
    let stage = { round: 0, phase: "" };
    for (const { type, version, facts = [] } of this.events) {
      // The first round begins with the game, and no fact says so.
      if (type === "game_started" && this.hasRounds) {
        stage = { ...stage, round: 1 };
        this.rounds.push({ version, round: 1 });
      }
      for (const fact of facts) {
        if (fact.type === "phase_begun") stage = { ...stage, phase: fact.phase };
        if (fact.type !== "round_begun" || fact.round === stage.round) continue;
        stage = { ...stage, round: fact.round };
        this.rounds.push({ version, round: fact.round });
      }
      this.stages.push(stage);
    }
  }

  /** A game that knows no rounds: a round begins when it is the turn of the first player again. */
  #readTurns() {
    const moves = this.events.filter(({ type }) => type === "move_made");
    const first = moves[0]?.seat;
    moves.forEach(({ seat, version }, at) => {
      if (seat === first && moves[at - 1]?.seat !== first) this.rounds.push({ version, round: this.rounds.length + 1 });
    });
  }

  /** Where the round begins that lies `by` rounds before (−1) or after (1) a version; else null. @param {number} version @param {1 | -1} by */
  findRound(version, by) {
    const found = this.rounds.filter((round) => (round.version - version) * by > 0);
    return (by > 0 ? found[0] : found.at(-1))?.version ?? null;
  }

  /** The last move of these seats up to a version; null without such a move. @param {number[]} seats @param {number} [upTo] */
  lastOf(seats, upTo = Infinity) {
    const taken = new Set(this.events.flatMap(({ type, moves }) => (type === "moves_taken_back" ? moves : [])));
    const own = this.events.findLast(
      ({ type, seat, version }) =>
        type === "move_made" && version <= upTo && seats.includes(seat) && !taken.has(version),
    );
    return own?.version ?? null;
  }

  /** Round and phase in words; "" when the game has neither. @param {string} game @param {number} version */
  words(game, version) {
    const { round, phase } = this.stages[version - 1] ?? { round: 0, phase: "" };
    const name = phase ? term(game, "phases", phase) : "";
    if (!round) return name;
    return name ? t("ui.round", { n: round, phase: name }) : t("ui.replay.round", { n: round });
  }
}
