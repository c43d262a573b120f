/**
 * One table as this device knows it: the game, its events, what is asked, the picture.
 *
 * It loads, listens and plays. Parts of the page listen to its events:
 * - `change`: game, decision or legal moves are new;
 * - `news`: `detail` is a new event of the game (a move of somebody, the counting …);
 * - `moved`: an own move is stored, `detail` is the new picture if the answer has it; `change` follows
 *   when the next legal moves are known;
 * - `talk`: what may be proposed, or the open proposal, is new (`talk`);
 * - `clock`, `presence`, `message`: a signal of the server, `detail` is what it says;
 * - `line`: the connection went up or down (`connected`).
 */

import { api, newKey, Unreachable } from "../api.js";
import { me } from "../identity.js";
import { Live } from "../live.js";

const PAGE = 500;
const AGAIN = 1500; // ms until a failed question is asked again

/**
 * @typedef {{seat: number, player: {id: string, name: string} | null, bot: string | null,
 *   state: string, stand_in: string | null, reason: string | null, ready: boolean | null}} Seat
 * @typedef {{seat: number, kind: string, context: Record<string, any>}} Decision
 * @typedef {Record<string, any> & {type: string}} Move
 * @typedef {Record<string, any>} View
 */

export class Table extends EventTarget {
  /** @param {any} game the answer of `GET /games/{id}` */
  constructor(game) {
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
    /** @type {Live | null} */
    this.live = null;
    /** @type {Promise<void> | null} */
    this.loadingEvents = null;
    /** The answer of `GET …/proposals`, while this player has a seat in a running game. */
    this.talk = /** @type {{open: any, may: any} | null} */ (null);
    /** Which arrangement of the picture a move is answered with. */
    this.layout = () => "tall";
    this.wasSeated = this.mine.length > 0;
  }

  /** @param {string} id @returns {Promise<Table>} */
  static async load(id) {
    const table = new Table(await api.game(id));
    await table.#loadMoves();
    table.#listen();
    queueMicrotask(() => table.#loadTalk().catch(() => {})); // the next change asks again
    return table;
  }

  close() {
    clearTimeout(this.timer);
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
    const id = me()?.id;
    return this.game.seats
      .filter((/** @type {Seat} */ seat) => id && seat.player?.id === id)
      .map((/** @type {Seat} */ seat) => seat.seat);
  }

  /** The seats that this player still plays. @returns {Seat[]} */
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

  /** Ask what may be proposed; nobody waits for the answer. */
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

  /** Tell the page that the game is new. */
  #changed() {
    this.#renew();
    this.dispatchEvent(new Event("change"));
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
    this.live = new Live(this.id, this.version, {
      onevent: (event) => this.#hear(event),
      onreset: () => this.#forget(),
      onsignal: (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail })),
      onstate: (connected) => {
        if (connected === this.connected) return;
        this.connected = connected;
        this.dispatchEvent(new Event("line"));
      },
    });
  }

  /** The server has lost events: what was read of the game is read again. */
  #forget() {
    this.events = [];
    this.game = { ...this.game, version: 0 };
    this.#catchUp();
  }

  /** @param {any} event */
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

  /** @param {any} event */
  #keep(event) {
    const last = this.events.at(-1)?.version ?? 0;
    if (event.version === last + 1) this.events.push(event);
  }

  /**
   * Ask for the game again. Many events at once (bots are quick) make one or two questions: while
   * one is under way the next is only noted.
   */
  async refresh() {
    if (this.refreshing) {
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
      if (error instanceof Unreachable) this.timer = setTimeout(() => this.#catchUp(), AGAIN);
      throw error;
    } finally {
      this.refreshing = false;
    }
    if (this.finished) this.live?.close();
    this.#changed();
  }

  /**
   * Make a move. Raises `Problem` when the move fails: then the table is brought up to date
   * before the error goes on.
   * @param {Move} move
   */
  async play(move) {
    try {
      const answer = await api.move(this.id, move, this.version, newKey(), this.layout());
      if (answer.event) this.#keep(answer.event);
      const newer = answer.version > this.version;
      if (newer) this.#accept(answer);
      this.dispatchEvent(new CustomEvent("moved", { detail: newer ? answer.board : null }));
      if (!newer || !answer.moves) await this.#loadMoves();
    } catch (error) {
      await this.refresh().catch(() => {}); // what matters is why the move failed
      throw error;
    }
    if (this.stale) await this.refresh();
    else this.#changed();
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
      answer.events.forEach((/** @type {any} */ event) => this.#keep(event));
    }
  }
}
