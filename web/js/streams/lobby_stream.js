/**
 * The lobby as it changes, by one stream of this browser: of the tabs in sight that show the lobby one holds the stream,
 * and passes on what comes.
 *
 * The stream of games and inbox (`browser_stream.js`) does not bring it: that one goes on in hidden tabs, where no person
 * looks at the lobby, and would have to be opened again, with all its games, at every visit of the lobby.
 */

import { openLobby } from "../platform/api.js";
import { followLines } from "./follow_lines.js";
import { Lead } from "./lead.js";

const NAME = "cartulary.lobby";

/**
 * @typedef {object} LobbyState
 * @property {Map<string, Summary>} tables with an open or a vacant seat, by id
 * @property {Map<string, any>} seeks by id
 * @property {{game: string, open: number, vacant: number, running: number, seeks: number}[]} counts by game
 */

/** The state after a line of the stream. @param {LobbyState | null} state @param {any} line @returns {LobbyState | null} */
export function follow(state, { snapshot, change }) {
  const byId = (/** @type {any[]} */ list) => new Map(list.map((one) => [one.id, one]));
  if (snapshot) return { tables: byId(snapshot.tables), seeks: byId(snapshot.seeks), counts: snapshot.counts };
  if (!change || !state) return state;
  const tables = new Map([...state.tables, ...byId(change.tables)]);
  const seeks = new Map([...state.seeks, ...byId(change.seeks)]);
  for (const id of change.tables_gone) tables.delete(id);
  for (const id of change.seeks_gone) seeks.delete(id);
  return { tables, seeks, counts: change.counts };
}

class LobbyStream {
  /** @type {Set<(state: LobbyState) => void>} */
  #listeners = new Set();
  /** @type {LobbyState | null} */
  #state = null;
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** @type {Lead | null} */
  #lead = null;
  /** Ends the stream of this tab; null while another tab has it. @type {AbortController | null} */
  #held = null;
  #seen = () => (document.visibilityState === "visible" ? this.#start() : this.#stop());

  /** Hear of the lobby until the returned function is called. @param {(state: LobbyState) => void} listener */
  listen(listener) {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      document.addEventListener("visibilitychange", this.#seen);
      this.#seen();
    } else if (this.#state) listener(this.#state);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size) return;
      document.removeEventListener("visibilitychange", this.#seen);
      this.#stop();
    };
  }

  #start() {
    if (this.#lead) return;
    // Without locks each tab has a stream, so none may hear the others.
    this.#channel = navigator.locks ? new BroadcastChannel(NAME) : null;
    if (this.#channel) this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#lead = new Lead(NAME, () => this.#begin());
    this.#channel?.postMessage({ ask: true });
  }

  #stop() {
    this.#lead?.close();
    this.#channel?.close();
    this.#lead = null;
    this.#channel = null;
    this.#state = null; // what changes while no person looks is in the next snapshot
  }

  /** @param {{ask?: true, state?: LobbyState, line?: any}} message of another tab */
  #hear({ ask, state, line }) {
    if (ask && this.#held && this.#state) this.#channel?.postMessage({ state: this.#state });
    if (state && !this.#held) this.#set(state);
    if (line && !this.#held) this.#set(follow(this.#state, line));
  }

  /** @param {LobbyState | null} state */
  #set(state) {
    this.#state = state;
    if (state) for (const listener of [...this.#listeners]) listener(state);
  }

  #begin() {
    const held = new AbortController();
    this.#held = held;
    this.#read(held.signal);
    return () => {
      this.#held = null;
      held.abort();
    };
  }

  /** Read the stream, again and again. @param {AbortSignal} over */
  #read(over) {
    return followLines(openLobby, over, (line) => {
      this.#channel?.postMessage({ line });
      this.#set(follow(this.#state, line));
    });
  }
}

export const lobbyStream = new LobbyStream();
