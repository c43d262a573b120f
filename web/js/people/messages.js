/** The messages of a table that this device knows, and how far they are read. */

import { call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

/**
 * @typedef {{id: string, room: string, at: string, player: {id: string, name: string} | null,
 *   seat: number | null, text: string | null, phrase: string | null, deleted: boolean}} Message
 */

const PAGE = 1000;
const READ = "cartulary.talk"; // by game: the last message that was read here
const GAMES = 60; // that are kept

/** Where a message stands among the others. @param {string} id */
function place(id) {
  const [ms, number] = id
    .slice(id.lastIndexOf(".") + 1)
    .split("-")
    .map(Number);
  return [ms, number];
}

/** Whether a message was said after another. @param {string} a @param {string} b the ids */
function isAfter(a, b) {
  const [ms, number] = place(a);
  const [otherMs, other] = place(b);
  return ms > otherMs || (ms === otherMs && number > other);
}

/** The words of a message in the language of the page. @param {Message} message */
export function wordsOf({ deleted, phrase, text }) {
  if (deleted) return t("ui.chat.deleted");
  return phrase ? t(`terms.phrases.${phrase}`) : (text ?? "");
}

/** @returns {Record<string, string>} */
function readMarks() {
  try {
    return JSON.parse(localStorage.getItem(READ) ?? "{}") ?? {};
  } catch {
    return {}; // written by another program
  }
}

/** It dispatches `change` when a message is new or deleted. */
export class Messages extends EventTarget {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    super();
    this.table = table;
    /** @type {Map<string, Message>} by id */
    this.byId = new Map();
    /** Whose messages this person does not read. @type {Set<string>} */
    this.hidden = new Set();
    /** The last message that was read. */
    this.mark = readMarks()[table.id] ?? "0";
    this.after = this.mark;
    this.isWhole = this.mark === "0";
  }

  /** All messages that are to be seen, oldest first. */
  get seen() {
    return [...this.byId.values()]
      .filter(({ player }) => !player || !this.hidden.has(player.id))
      .sort((a, b) => (isAfter(a.id, b.id) ? 1 : -1));
  }

  /** The unread messages of others. */
  get unread() {
    return this.seen.filter(({ id, player, deleted }) => !deleted && player?.id !== me()?.id && isAfter(id, this.mark));
  }

  /** Read what is new. */
  async load() {
    for (;;) {
      const { messages, next_after: after } = await call(
        `/games/${this.table.id}/messages?after=${this.after}&limit=${PAGE}`,
      );
      this.after = after;
      this.take(messages);
      if (messages.length < PAGE) return;
    }
  }

  /** Read everything from the first message on. */
  async loadAll() {
    if (!this.isWhole) this.after = "0";
    await this.load();
    this.isWhole = true;
  }

  /** @param {Message[]} messages a stub takes the place of the message with its id */
  take(messages) {
    for (const message of messages) this.byId.set(message.id, message);
    this.dispatchEvent(new Event("change"));
  }

  /** Note that everything is read. */
  read() {
    const last = this.seen.at(-1);
    if (!last || !isAfter(last.id, this.mark)) return;
    this.mark = last.id;
    const { [this.table.id]: _, ...others } = readMarks();
    const kept = [...Object.entries(others), [this.table.id, last.id]].slice(-GAMES);
    localStorage.setItem(READ, JSON.stringify(Object.fromEntries(kept)));
  }
}
