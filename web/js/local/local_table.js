/** One open local game: it plays the bots, keeps the transcript, and tells the table what is new. */

import { note } from "../elements/announce.js";
import { Problem } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { HERE } from "../platform/local_games.js";
import { prefs } from "../platform/prefs.js";
import { StorageTrouble } from "./base.js";
import { holdGame } from "./game_hold.js";
import { changeGame, readGame } from "./game_store.js";
import { addCourse, cutAt, lineOf, tellLines } from "./lines.js";

/** So many ms pass before a bot moves, so that a person can follow. */
const BOT_DELAY = 600;

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./game_store.js").LocalRecord} LocalRecord */

export function newSeed() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16)).join("");
}

/** Who plays here. */
export function personHere() {
  const player = me();
  return player ? { id: player.id, name: player.name } : { id: HERE, name: t("ui.local.me") };
}

function pause() {
  const isCalm = prefs().motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  return new Promise((resolve) => setTimeout(resolve, isCalm ? 0 : BOT_DELAY));
}

export class LocalTable {
  /** @param {Engine} engine @param {LocalRecord} record @param {(() => void) | null} release as of `holdGame` */
  constructor(engine, record, release) {
    this.engine = engine;
    this.record = record;
    this.id = record.id;
    /** Streams that are open. @type {Set<ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>>} */
    this.streams = new Set();
    /** Gives the right to write back. */
    this.release = release;
    this.isPlaying = false;
    /** What the table is doing: it stays open until that is done. @type {Set<Promise<any>>} */
    this.doing = new Set();
    this.isClosed = false;
    this.hasTrouble = false;
  }

  /**
   * Open a game that this browser keeps; raises `Problem` when it has none. Only one table writes: the others show
   * the game. @param {Engine} engine @param {string} id
   */
  static async open(engine, id) {
    const release = await holdGame(id);
    try {
      return await LocalTable.#begin(engine, id, release);
    } catch (error) {
      release?.();
      throw error;
    }
  }

  /** @param {Engine} engine @param {string} id @param {(() => void) | null} release */
  static async #begin(engine, id, release) {
    const record = await readGame(id); // after the hold: from now on the account brings no other course
    if (!record) throw new Problem({ status: 404, code: "local_game_gone" });
    const table = new LocalTable(engine, record, release);
    await table.tell("load", { transcript: record.transcript, person: personHere(), seed: newSeed() });
    if (!table.mayWrite) note(t("ui.errors.open_elsewhere"), "trouble");
    table.during(table.playBots()).catch(reportError);
    return table;
  }

  get mayWrite() {
    return this.release !== null;
  }

  /** Send a message about this game to the engine. @param {string} type @param {Record<string, any>} [more] */
  tell(type, more = {}) {
    return this.engine.ask({ type, game_id: this.id, now: Date.now(), ...more });
  }

  /** Stay open until something is done. @template T @param {Promise<T>} doing @returns {Promise<T>} */
  during(doing) {
    const end = () => this.doing.delete(doing);
    this.doing.add(doing);
    doing.then(end, end);
    return doing;
  }

  /**
   * Change the game, keep it, tell the streams, and let the bots go on. Raises `Problem`.
   * @param {"play" | "take_back"} type @param {Record<string, any>} more
   */
  async write(type, more) {
    if (!this.mayWrite) throw new Problem({ status: 409, code: "open_elsewhere" });
    const done = await this.tell(type, more);
    await this.#keep(done.game);
    this.#announce(done.events);
    this.during(this.playBots()).catch(reportError);
    return done;
  }

  /** Let the bots move until a person is asked. */
  async playBots() {
    if (this.isPlaying || !this.mayWrite) return;
    this.isPlaying = true;
    try {
      while (!this.isClosed && (await this.#playBot()));
    } finally {
      this.isPlaying = false;
    }
  }

  /** @returns {Promise<boolean>} false: no bot is asked */
  async #playBot() {
    const { version, decision } = await this.tell("moves");
    const seat = decision && this.record.seats[decision.seat];
    if (seat?.kind !== "bot") return false;
    await pause();
    if (this.isClosed) return false;
    const { move } = await this.tell("think", { bot: seat.bot });
    if (this.isClosed) return false;
    try {
      const done = await this.tell("play", { move, expected_version: version });
      await this.#keep(done.game);
      this.#announce(done.events);
    } catch (error) {
      // A person has taken moves back meanwhile: the bot looks again.
      if (!(error instanceof Problem)) throw error;
    }
    return true;
  }

  /** @param {any} game */
  async #keep({ status }) {
    const transcript = await this.tell("transcript");
    const { lines } = this.record;
    const board = lines ? { lines: addCourse(lines, lineOf(transcript)) } : {};
    const now = new Date().toISOString();
    this.record = { ...this.record, ...board, transcript, over: status === "over", updated_at: now };
    try {
      await changeGame(this.id, (kept) => [this.#joinSent(kept)]);
      this.hasTrouble = false;
    } catch (error) {
      if (!(error instanceof StorageTrouble)) throw error;
      if (!this.hasTrouble) note(t(`ui.local.${error.kind}`), "trouble"); // once, and the game goes on
      this.hasTrouble = true;
    }
  }

  /** What the account has was noted by whatever sent it, perhaps in another tab. @param {LocalRecord | undefined} kept */
  #joinSent(kept) {
    const { sent, stored_at } = kept ?? this.record;
    this.record = { ...this.record, sent, stored_at };
    return this.record;
  }

  /** The lines of the board, and how many moves of its line it shows. */
  tellLines() {
    const { lines = [], transcript } = this.record;
    return { lines: tellLines(lines, lineOf(transcript)), moves: transcript.moves.length };
  }

  /**
   * Show the position after some moves of a line of the board. @param {{line: number, moves: number}} wanted
   */
  async goTo({ line, moves }) {
    const found = this.record.lines?.[line];
    if (!found) throw new Problem({ status: 404, code: "not_found" });
    await this.#replace(cutAt(this.record.transcript, found, moves));
    return this.tellLines();
  }

  /** Let something else have been drawn before this question. @param {string} outcome */
  async redraw(outcome) {
    if (!this.record.lines) throw new Problem({ status: 404, code: "not_found" });
    await this.#replace(await this.tell("redraw", { outcome }));
    return this.tellLines();
  }

  /** The board shows another course: the page has to be opened again, its versions begin with 1 again. @param {any} transcript */
  async #replace(transcript) {
    if (!this.mayWrite) throw new Problem({ status: 409, code: "open_elsewhere" });
    const whole = { ...transcript, local_seats: this.record.seats };
    await this.#keep(await this.tell("load", { transcript: whole, person: personHere(), seed: newSeed() }));
  }

  /** @param {any[]} events */
  #announce(events) {
    for (const stream of this.streams) stream.enqueue(linesOf(events));
  }

  /** The events after a version, and each new one. @param {number} after @param {AbortSignal | null | undefined} signal */
  async follow(after, signal) {
    const { events } = await this.tell("events", { after });
    /** @type {UnderlyingDefaultSource<Uint8Array<ArrayBuffer>>} */
    const source = {
      start: (controller) => {
        controller.enqueue(linesOf(events));
        this.streams.add(controller);
        signal?.addEventListener("abort", () => {
          this.streams.delete(controller);
          controller.error(new DOMException("left", "AbortError"));
        });
      },
    };
    const body = new ReadableStream(source);
    return new Response(body, { headers: { "Content-Type": "application/x-ndjson" } });
  }

  /** Close the table once a move on its way is kept: the engine would not tell of a closed game what to keep. */
  async close() {
    this.isClosed = true;
    await Promise.allSettled(this.doing);
    this.release?.();
    this.release = null;
    await this.tell("close");
  }
}

/** @param {any[]} events */
function linesOf(events) {
  return new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join(""));
}
