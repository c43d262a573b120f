/**
 * The inbox of this player in this browser: which games wait for me, how many other items are unread.
 * The tab that leads gets the items of the stream (`browser_stream.js`) and tells the others by a channel.
 *
 * Parts of the page listen to its events: `change` when the state is new, `item` (`detail`) when
 * something happened, `turn` (`detail`: the game) when a game begins to wait for me.
 */

import { api, Problem } from "../platform/api.js";
import { me } from "../platform/identity.js";
import { browserStream } from "../streams/browser_stream.js";
import { countNews, isNews, markRead, readPlace } from "./unread.js";

/**
 * @typedef {{game: string, title?: string, version?: number, seat?: number, deadline_at?: string | null}} WaitingTurn
 * @typedef {import("./unread.js").Item} Item
 * @typedef {{turns: WaitingTurn[], unread: number, invitations: number}} InboxState
 */

const LOOK = 30_000; // ms after which the turns are asked for again: a move of another device sends nothing
/** @type {InboxState} */
const EMPTY = { turns: [], unread: 0, invitations: 0 };

/** @param {any} list a number, or the things themselves */
const count = (list) => (Array.isArray(list) ? list.length : Number(list ?? 0));

class Inbox extends EventTarget {
  /** @type {InboxState} */
  state = EMPTY;
  /** @type {BroadcastChannel | null} */
  channel = null;
  isLeading = false;
  arrived = 0;
  /** The id of the last item that came; another tab that leads goes on after it. */
  place = "";

  constructor() {
    super();
    addEventListener("storage", ({ key }) => {
      // Without a channel nothing else tells that another tab has read the items.
      if (!this.channel && key === readPlace()) this.#set({ ...this.state, unread: 0 });
    });
  }

  /** Follow the inbox of the player of this device, if there is one. */
  start() {
    this.channel?.close();
    this.channel = null;
    this.place = "";
    this.state = EMPTY;
    this.dispatchEvent(new Event("change"));
    const player = me();
    // Without locks each tab leads and takes every item itself.
    if (player && navigator.locks) {
      this.channel = new BroadcastChannel(`cartulary.inbox.${player.id}`);
      this.channel.onmessage = ({ data }) => this.#hear(data);
      this.channel.postMessage({ ask: true });
    }
    browserStream.inbox = this;
    browserStream.start();
  }

  /** @param {{ask?: true, state?: InboxState, item?: Item, turn?: WaitingTurn, over?: string, place?: string}} news from another tab */
  #hear({ ask, state, item, turn, over, place }) {
    if (ask && this.isLeading) this.channel?.postMessage({ state: this.state, place: this.place });
    if (place) this.place = place;
    if (state) this.#set(state);
    if (item) this.dispatchEvent(new CustomEvent("item", { detail: item }));
    if (turn) this.#waits(turn);
    if (over) this.#waitsNoMore(over);
  }

  /** @param {InboxState} state */
  #set(state) {
    const known = new Set(this.state.turns.map(({ game }) => game));
    this.state = state;
    this.dispatchEvent(new Event("change"));
    for (const turn of state.turns)
      if (!known.has(turn.game)) this.dispatchEvent(new CustomEvent("turn", { detail: turn }));
  }

  /**
   * Tell all tabs, this one included.
   * @param {Partial<InboxState>} change @param {string} [reader] who was here when it was asked for: for another player
   *   it does not hold
   */
  #share(change, reader = me()?.id) {
    if (reader !== me()?.id) return;
    const state = { ...this.state, ...change };
    this.#set(state);
    this.channel?.postMessage({ state });
  }

  /** @param {WaitingTurn} turn */
  #waits(turn) {
    const others = this.state.turns.filter(({ game }) => game !== turn.game);
    this.#set({ ...this.state, turns: [...others, turn] });
  }

  /** @param {string} over the game that waits no more */
  #waitsNoMore(over) {
    const turns = this.state.turns.filter(({ game }) => game !== over);
    if (turns.length < this.state.turns.length) this.#set({ ...this.state, turns });
  }

  /** A tab that shows a table knows first whether it waits. @param {WaitingTurn} turn @param {boolean} isMine */
  note(turn, isMine) {
    const known = this.state.turns.some(({ game }) => game === turn.game);
    if (!me() || known === isMine) return;
    const news = isMine ? { turn } : { over: turn.game };
    this.#hear(news);
    this.channel?.postMessage(news);
  }

  /** All items up to this one are read. @param {string} until */
  async read(until) {
    const reader = me()?.id;
    await markRead(until);
    this.#share({ unread: 0 }, reader);
  }

  /** An item may have left the inbox: a mistake that was tried. */
  async countAgain() {
    if (this.state.unread) await this.#count(this.state.unread);
  }

  /** Get the items, until the returned function is called. */
  lead() {
    this.isLeading = true;
    const look = setInterval(() => this.#look(), LOOK);
    return () => {
      this.isLeading = false;
      clearInterval(look);
    };
  }

  /** @param {any} item an item, or the snapshot */
  take(item) {
    this.place = item.id;
    this.channel?.postMessage({ place: item.id });
    if (item.type === "snapshot") {
      const { turns = [], unread = 0, invitations = 0 } = item.data ?? item;
      this.#share({ turns, invitations: count(invitations) });
      this.#count(unread);
      return;
    }
    this.dispatchEvent(new CustomEvent("item", { detail: item }));
    this.channel?.postMessage({ item });
    this.arrived += 1;
    if (isNews(item)) this.#share({ unread: this.state.unread + 1 });
    if (item.type !== "your_turn") return;
    this.#hear({ over: item.data.game }); // a turn that I took elsewhere: this is the next one
    this.note(item.data, true);
  }

  /** Count what is new among the items that were unread at the snapshot. @param {number} unread */
  async #count(unread) {
    const reader = me()?.id;
    this.arrived = 0;
    try {
      this.#share({ unread: await countNews(() => unread + this.arrived) }, reader);
    } catch (error) {
      if (error instanceof Problem) throw error; // else the line is down: the next snapshot counts again
    }
  }

  /** Ask which games wait: one that I have answered elsewhere waits no more. */
  async #look() {
    if (!this.state.turns.length) return;
    const reader = me()?.id;
    try {
      const { games } = await api.games({ turn: "me", sort: "deadline", limit: 100 });
      const waiting = new Set(games.map(({ id }) => id));
      const turns = this.state.turns.filter(({ game }) => waiting.has(game));
      if (turns.length < this.state.turns.length) this.#share({ turns }, reader);
    } catch (error) {
      if (error instanceof Problem) throw error; // else the line is down: the next look asks again
    }
  }
}

export const inbox = new Inbox();
