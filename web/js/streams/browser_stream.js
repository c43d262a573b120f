/**
 * One stream for all tabs of this browser: a browser opens only six connections to a server, however
 * many tabs it has. One tab leads (`lead.js`): it follows the tables of all tabs and the inbox
 * (`stream_leader.js`), and passes on what comes by a `BroadcastChannel`. The others say which tables
 * they show, and up to which version they have them; so a new leader goes on where they are.
 */

import { me } from "../platform/identity.js";
import { holdForLife, Lead } from "./lead.js";
import { lockOf, StreamLeader } from "./stream_leader.js";

/**
 * @typedef {object} Follower a table of this tab
 * @property {string} id the game
 * @property {number} version the last version that is known
 * @property {(line: any) => void} take gets each line of the game
 * @property {(isFresh: boolean) => void} up the stream has the game from now on; fresh: after a gap
 * @property {() => void} down the line is down
 */

/** @typedef {import("./stream_leader.js").InboxFollower} InboxFollower */
/** @typedef {import("./stream_leader.js").Message} Message */

class BrowserStream {
  #tab = `${Date.now()}.${Math.random()}`;
  /** @type {Set<Follower>} */
  #followers = new Set();
  /** @type {BroadcastChannel | null} */
  #channel = null;
  /** @type {Lead | null} */
  #lead = null;
  /** @type {StreamLeader | null} */
  #leader = null;
  /** @type {InboxFollower | null} */
  inbox = null;

  /** Begin, or begin again as another player. */
  start() {
    if (!this.#lead) holdForLife(lockOf(this.#tab));
    this.#lead?.close();
    this.#channel?.close();
    const name = `cartulary.stream.${me()?.id ?? ""}`;
    // Without locks each tab leads, so none may hear the others.
    this.#channel = navigator.locks ? new BroadcastChannel(name) : null;
    if (this.#channel) this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.#lead = new Lead(name, () => this.#begin());
    this.#tell(false);
  }

  /** Follow a game until the returned function is called. @param {Follower} follower */
  follow(follower) {
    if (!this.#lead) this.start();
    this.#followers.add(follower);
    this.#tell(false);
    return () => {
      this.#followers.delete(follower);
      // Later: the server may be about to close the game, or another table follows.
      setTimeout(() => this.#tell(false));
    };
  }

  /** Open the stream again: the player has another place at a table now. */
  renew() {
    this.#tell(true);
  }

  /** The stream has not brought what there is: this tab leads from now on. */
  rescue() {
    if (this.#leader) this.renew();
    else this.#lead?.take();
  }

  /** Tell the leader what this tab follows. @param {boolean} again */
  #tell(again) {
    /** @type {import("./stream_leader.js").Wish} */
    const wish = { tab: this.#tab, games: {}, again };
    for (const { id, version } of this.#followers) wish.games[id] = Math.min(version, wish.games[id] ?? version);
    this.#leader?.hear(wish);
    if (!this.#leader) this.#channel?.postMessage({ wish });
  }

  #begin() {
    const inbox = me() && this.inbox;
    const endInbox = inbox?.lead();
    const leader = new StreamLeader(this.#tab, inbox, (message) => {
      this.#channel?.postMessage(message);
      this.#hear(message);
    });
    this.#leader = leader;
    this.#channel?.postMessage({ ask: true });
    this.#tell(false);
    return () => {
      this.#leader = null;
      leader.close();
      endInbox?.();
    };
  }

  /** @param {Message} message */
  #hear({ wish, ask, line, up, down, lead }) {
    if (wish) this.#leader?.hear(wish);
    if (ask) this.#tell(false);
    if (lead === this.#tab) this.#lead?.take();
    for (const follower of [...this.#followers]) {
      if (line?.game === follower.id) follower.take(line);
      if (up?.games.includes(follower.id)) follower.up(up.isFresh);
      if (down) follower.down();
    }
  }
}

export const browserStream = new BrowserStream();
