/**
 * One table as this device knows it: the game, its events, what is asked, the picture.
 *
 * It loads, listens and plays. Parts of the page listen to its events:
 * - `change`: game, decision or legal moves are new;
 * - `news`: `detail` is a new event of the game (a move, the counting …);
 * - `played`: after an update with which the version rose, once; `detail` is {events, before, after}: all
 *   new events in order, and the game before and after them (`played_steps.js`);
 * - `moved`: an own move is stored, `detail` is the new picture if the answer has it; `change` follows
 *   when the next legal moves are known;
 * - `always`: a move is stored with which the person wanted an answer to hold from now on: `detail`;
 * - `reset`: the server has lost events: what the page shows of the game is void, `change` follows;
 * - `talk`: what may be proposed, or the open proposal, is new (`talk`);
 * - `clock`, `presence`, `message`: a signal of the server, `detail` is what it says;
 * - `line`: the connection went up or down (`connected`);
 * - `unsent`: a move waits for the line, or waits no more (`unsent`);
 * - `gone`: this person may not see the table any more;
 * - `refused`: a move that had waited was not made, `detail` is `{error, entry}`;
 * - `partly`: a gesture was made in part, `detail` says how much of it (`PartlyMade` of `move_queue.js`).
 */

import { api, Problem, Unreachable } from "../platform/api.js";
import { me } from "../platform/identity.js";
import { HERE, isLocal } from "../platform/local_games.js";
import { GameStream } from "../streams/game_stream.js";
import { guideAt } from "./guide_progress.js";
import { handOver, takeOver } from "./move_courier.js";
import { deliver, findUnsent, forgetUnsent, isMade, isPassing, isUnsentOf, newEntry } from "./move_queue.js";
import { PlayedSteps } from "./played_steps.js";

const PAGE = 500;
const AGAIN = 1500; // ms until a failed question is asked again

export class Table extends EventTarget {
  /**
   * @param {Game} game the answer of `GET /games/{id}`
   * @param {() => Record<string, any>} layout of the picture that a move is answered with: members of its request
   */
  constructor(game, layout) {
    super();
    this.id = game.id;
    this.game = game;
    /** @type {Move[]} the legal moves, when it is for this player to decide */
    this.moves = [];
    /** @type {any[]} all events from the first on, as far as they are loaded */
    this.events = [];
    this.connected = true;
    this.refreshing = false;
    this.stale = false;
    this.timer = 0;
    this.live = /** @type {GameStream | null} */ (null);
    this.loadingEvents = /** @type {Promise<void> | null} */ (null);
    /** The answer of `GET …/proposals`, while this player has a seat in a running game. */
    this.talk = /** @type {{open: any, may: any} | null} */ (null);
    this.layout = layout;
    /** The seats that the person plays; the guide plays the others. @type {number[] | null} */
    this.only = guideAt(game.id) === null ? null : [0];
    this.wasSeated = this.mine.length > 0;
    /** A move that is kept until the server can be reached. @type {import("./move_queue.js").QueuedMove | null} */
    this.unsent = null;
    /** A move is on its way; with `gesture` other moves follow it, so nothing is asked meanwhile. */
    this.sending = { on: false, gesture: false };
    this.sendTimer = 0;
    /** Ends when no move is on its way. */
    this.delivering = Promise.resolve();
    /** Another tab has sent or withdrawn the move. */
    this.elsewhere = (/** @type {StorageEvent} */ { key }) => {
      if (isUnsentOf(key, this.id) && this.unsent && !findUnsent(this.id)) this.#waits(null);
    };
    this.played = new PlayedSteps(this);
    /** The page of the table is closed: the table asks, sends and tells nothing more. */
    this.isClosed = false;
  }

  /**
   * @param {string} id @param {() => Record<string, any>} layout as of the constructor
   * @param {(game: any) => Promise<void>} loadGame what else has to be loaded
   * @returns {Promise<Table>}
   */
  static async load(id, layout, loadGame) {
    const table = new Table(await api.game(id), layout);
    await Promise.all([table.#loadMoves(), loadGame(table.game)]);
    table.#listen();
    queueMicrotask(() => table.#loadTalk().catch(() => {})); // the next change asks again
    takeOver(id);
    table.unsent = findUnsent(id);
    if (table.unsent) table.sendTimer = setTimeout(() => table.#sendAgain(), 0);
    addEventListener("storage", table.elsewhere);
    return table;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.sendTimer);
    removeEventListener("storage", this.elsewhere);
    handOver(this.id);
    this.live?.close();
  }

  get version() {
    return this.game.version;
  }

  /** The version at which the game began: before it there is no board. */
  get started() {
    return this.events.find(({ type }) => type === "game_started")?.version ?? 1;
  }

  /** The seats of this player: several in a game on one device, none for a spectator. */
  get mine() {
    const id = me()?.id ?? (isLocal(this.id) ? HERE : undefined);
    return this.game.seats
      .filter((/** @type {Seat} */ seat) => id && seat.player?.id === id)
      .map((/** @type {Seat} */ seat) => seat.seat)
      .filter((/** @type {number} */ seat) => this.only?.includes(seat) ?? true);
  }

  /** @param {number | null | undefined} seat */
  isMine(seat) {
    return typeof seat === "number" && this.mine.includes(seat);
  }

  /** @returns {Seat[]} */
  get playing() {
    return this.mine
      .map((seat) => this.game.seats[seat])
      .filter(({ state }) => !["forfeited", "vacant"].includes(state));
  }

  /** The decision when it is for this player, else null. @returns {Decision | null} */
  get question() {
    const decision = this.game.status === "running" ? this.game.decision : null;
    const asked = decision && this.playing.find(({ seat }) => seat === decision.seat);
    return asked && !asked.stand_in ? decision : null;
  }

  get isHost() {
    const id = me()?.id;
    return Boolean(id) && this.game.host === id;
  }

  get finished() {
    return ["over", "aborted"].includes(this.game.status);
  }

  async #loadMoves() {
    if (!this.question) {
      this.moves = [];
      return;
    }
    const answer = await api.moves(this.id);
    if (answer.version === this.version) this.moves = answer.moves;
    else this.stale = true;
  }

  /** Ask what may be proposed; the `talk` event tells the answer. */
  async #loadTalk() {
    const seated = this.game.status === "running" && this.playing.length > 0;
    const { version } = this;
    const talk = seated ? await api.proposals(this.id) : null;
    if (version !== this.version) return; // a later answer is under way
    this.talk = talk;
    this.dispatchEvent(new Event("talk"));
  }

  /** Who sits down, or leaves, reads from now on as such: the server knows it by the stream. */
  #renew() {
    const isSeated = this.mine.length > 0;
    if (isSeated !== this.wasSeated) this.live?.renew();
    this.wasSeated = isSeated;
  }

  #changed() {
    if (this.isClosed) return;
    this.#renew();
    this.dispatchEvent(new Event("change"));
    this.played.tell();
    this.#loadTalk().catch((error) => {
      if (!(error instanceof Unreachable)) throw error; // the next change asks again
    });
  }

  /**
   * Do something else than a move, then bring the table up to date, whether it was refused or not.
   * @param {() => Promise<any>} act
   */
  async act(act) {
    try {
      await act();
    } finally {
      await this.refresh().catch(() => {}); // what matters is why it was refused
    }
  }

  #listen() {
    if (this.finished) return;
    this.live = new GameStream(this.id, this.version, {
      onevent: (event) => this.#hear(event),
      onreset: () => this.#forget(),
      onhidden: () => this.#catchUp(),
      onmissed: () => this.dispatchEvent(new Event("line")),
      onsignal: (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail })),
      onstate: (connected) => {
        if (connected === this.connected) return;
        this.connected = connected;
        if (connected) this.#sendAgain();
        this.dispatchEvent(new Event("line"));
      },
    });
  }

  /** The server has lost events: what was read of the game is read again. */
  #forget() {
    this.events = [];
    this.played.forget();
    this.game = { ...this.game, version: 0 };
    this.dispatchEvent(new Event("reset"));
    this.#catchUp();
  }

  /** @param {GameEvent} event */
  #hear(event) {
    this.#keep(event);
    if (event.version > this.version) {
      this.dispatchEvent(new CustomEvent("news", { detail: event }));
      this.#catchUp();
    }
  }

  /** Bring the table up to the newest event, however often the network fails meanwhile. */
  async #catchUp() {
    clearTimeout(this.timer);
    await this.refresh().catch((error) => {
      if (!(error instanceof Unreachable)) throw error; // else `refresh` has arranged another try
    });
  }

  /** @param {GameEvent} event */
  #keep(event) {
    this.played.hear(event);
    const last = this.events.at(-1)?.version ?? 0;
    if (event.version === last + 1) this.events.push(event);
  }

  /**
   * Ask for the game again. Many events at once (bots are quick) make one or two questions: while
   * one is under way the next is only noted.
   */
  async refresh() {
    if (this.refreshing || this.sending.gesture) {
      this.stale = true;
      return;
    }
    this.refreshing = true;
    clearTimeout(this.timer);
    try {
      do {
        this.stale = false;
        const game = await api.game(this.id);
        if (game.version >= this.version) this.game = game;
        await this.#loadMoves();
      } while (this.stale);
    } catch (error) {
      if (error instanceof Problem && error.code === "not_found") return this.#lose();
      if (error instanceof Unreachable && !this.isClosed) this.timer = setTimeout(() => this.#catchUp(), AGAIN);
      throw error;
    } finally {
      this.refreshing = false;
    }
    if (this.finished) this.live?.close();
    this.#changed();
  }

  /** A private table is shown to those who sit at it, or are invited: this person was, until now. */
  #lose() {
    this.live?.close();
    if (!this.isClosed) this.dispatchEvent(new Event("gone"));
  }

  /**
   * Make a move, and perhaps others of the same gesture after it. Raises `Problem` when a move is
   * refused: then the table is brought up to date before the error goes on.
   * @param {Move} move @param {Move | Move[] | null} after sent after the move, each if it is legal by then
   * @param {string} title the move in words, to speak of it while it waits
   * @param {{version: number, seat: number, kind: string}} question that the move answers: the table may know a
   *   newer question already, whose moves are on their way, and the move is no answer to that question
   * @param {{key?: string, always?: import("./standing_answer.js").StandingAnswer | null}} [more] key: the
   *   `Idempotency-Key` of a planned move; always: what is to hold once the moves are stored, however late that is
   * @returns {Promise<boolean>} false: the server cannot be reached, the move is kept (`unsent`)
   */
  async play(move, after, title, { version, seat, kind }, more = {}) {
    await this.delivering; // a withdrawn move may be on its way: it is made, or it is not, before this move is sent
    return this.#send(newEntry({ move, after, version, seat, kind, title, ...more }));
  }

  /** @param {import("./move_queue.js").QueuedMove} entry */
  async #send(entry) {
    if (this.sending.on) return false;
    this.sending = { on: true, gesture: entry.after.length > 0 };
    /** @type {any} */
    let last = null;
    /** @type {import("./move_queue.js").PartlyMade | null} */
    let part = null;
    const delivery = deliver(this.id, entry, this.layout(), (answer) => {
      last = answer;
      if (answer.event) this.#keep(answer.event);
    });
    this.delivering = delivery.then(
      () => {},
      () => {}, // the error is handled below
    );
    try {
      part = await delivery;
    } catch (error) {
      this.sending = { on: false, gesture: false };
      return this.#unsendable(error);
    }
    this.sending = { on: false, gesture: false };
    this.#waits(null);
    if (entry.always) this.dispatchEvent(new CustomEvent("always", { detail: entry.always }));
    await this.#sent(last);
    if (part) this.dispatchEvent(new CustomEvent("partly", { detail: part }));
    return true;
  }

  /** Keep a move that the server may take later; else say why it is refused. @param {unknown} error */
  async #unsendable(error) {
    if (isPassing(error)) {
      const entry = findUnsent(this.id); // null: withdrawn while it was on its way
      this.#waits(entry);
      // The courier sends it when the table is closed.
      if (entry && !this.isClosed) this.sendTimer = setTimeout(() => this.#sendAgain(), AGAIN);
      return false;
    }
    await this.refresh().catch(() => {}); // what matters is why the move failed
    throw error;
  }

  /** @param {any} answer to the last move */
  async #sent(answer) {
    const newer = answer.version > this.version;
    if (newer) this.#accept(answer);
    this.dispatchEvent(new CustomEvent("moved", { detail: newer ? answer.board : null }));
    if (!newer || !answer.moves) await this.#loadMoves();
    if (this.stale) await this.refresh();
    else this.#changed();
  }

  /** @param {import("./move_queue.js").QueuedMove | null} entry */
  #waits(entry) {
    clearTimeout(this.sendTimer);
    if (this.unsent?.key === entry?.key) return;
    this.unsent = entry;
    this.dispatchEvent(new Event("unsent"));
  }

  /** Send the kept move again: it is made once, because its key and its version stay. */
  async #sendAgain() {
    const entry = this.unsent;
    if (!entry || this.sending.on) return;
    try {
      await this.#send(entry);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#waits(null);
      const detail = { error, entry, made: await isMade(this.id, entry) };
      this.dispatchEvent(new CustomEvent("refused", { detail }));
    }
  }

  withdraw() {
    forgetUnsent(this.id);
    this.#waits(null);
  }

  /** Take over what the answer to a move brings: one trip for game, moves and picture. @param {any} answer */
  #accept(answer) {
    this.game = answer.game;
    this.moves = (this.question && answer.moves) || [];
  }

  /** Load all events up to now: for the story, the chart and the replay. */
  async loadEvents() {
    this.loadingEvents ??= this.#loadEvents().finally(() => {
      this.loadingEvents = null;
    });
    return this.loadingEvents;
  }

  async #loadEvents() {
    for (;;) {
      const after = this.events.at(-1)?.version ?? 0;
      if (after >= this.version) return;
      const answer = await api.events(this.id, after, { limit: PAGE });
      if (!answer.events.length) return;
      answer.events.forEach((event) => this.#keep(event));
    }
  }
}
