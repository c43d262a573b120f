/**
 * What people say at this table: the messages that this device knows, and the button that opens the
 * drawer. The button says how many messages are unread; it stands in the bar, so the mark covers nothing.
 *
 * The drawer (`talk/drawer.js`) is loaded when it is opened. It listens to `change`.
 */

import { announce } from "../announce.js";
import { call, Unreachable } from "../api.js";
import { h, show, svg } from "../dom.js";
import { explain } from "../explain.js";
import { t } from "../i18n.js";
import { me } from "../identity.js";

/**
 * @typedef {{id: string, room: string, at: string, player: {id: string, name: string} | null,
 *   seat: number | null, text: string | null, phrase: string | null, deleted: boolean}} Message
 * @typedef {import("./model.js").Table} Table
 */

const PAGE = 1000;
const READ = "cartulary.talk"; // by game: the last message that was read here
const GAMES = 60; // that are kept
const LOOK = 15_000; // ms: the stream of a finished game is closed, so the open drawer asks
const SHAPE = "M4 5h16v11h-9l-5 4v-4H4z";

/** Where a message stands among the others. @param {string} id */
function place(id) {
  const [ms, number] = id.slice(id.lastIndexOf(".") + 1).split("-").map(Number);
  return [ms, number];
}

/** @param {string} a @param {string} b */
function isAfter(a, b) {
  const [ms, number] = place(a);
  const [otherMs, other] = place(b);
  return ms > otherMs || (ms === otherMs && number > other);
}

/** @returns {Record<string, string>} */
function marks() {
  try {
    return JSON.parse(localStorage.getItem(READ) ?? "{}") ?? {};
  } catch {
    return {}; // written by another program
  }
}

/** The words of a message in the language of the page. @param {Message} message */
export function wordsOf({ deleted, phrase, text }) {
  if (deleted) return t("ui.chat.deleted");
  return phrase ? t(`terms.phrases.${phrase}`) : (text ?? "");
}

export class Chat extends EventTarget {
  /** @param {Table} table */
  constructor(table) {
    super();
    this.table = table;
    /** @type {Map<string, Message>} by id */
    this.messages = new Map();
    /** Whose messages this person does not read. @type {Set<string>} */
    this.hidden = new Set();
    /** The last message that was read. */
    this.mark = marks()[table.id] ?? "0";
    this.after = this.mark;
    this.isWhole = this.mark === "0";
    this.timer = 0;
    /** @type {import("../talk/drawer.js").Drawer | null} */
    this.drawer = null;
    this.count = h("span", { class: "count", hidden: true });
    this.label = h("span", { class: "spoken" });
    this.button = h(
      "button",
      { type: "button", class: "plain chat-button", "aria-expanded": "false", onclick: () => this.toggle() },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SHAPE })),
      this.label,
      this.count,
    );
    /** Where the drawer comes. */
    this.element = h("div", { class: "drawer-place", hidden: true });
    table.addEventListener("message", (event) => this.#hear(/** @type {CustomEvent} */ (event).detail));
    // A signal that came while the line was down is lost: ask for what is new.
    table.addEventListener("line", () => table.connected && this.load().catch(explain));
    this.#render();
  }

  close() {
    clearInterval(this.timer);
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** All messages that are to be seen, oldest first. */
  get seen() {
    return [...this.messages.values()]
      .filter(({ player }) => !player || !this.hidden.has(player.id))
      .sort((a, b) => (isAfter(a.id, b.id) ? 1 : -1));
  }

  /** The unread messages of others. */
  get unread() {
    return this.seen.filter(
      ({ id, player, deleted }) => !deleted && player?.id !== me()?.id && isAfter(id, this.mark),
    );
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
    for (const message of messages) this.messages.set(message.id, message);
    if (this.isOpen) this.read();
    this.#render();
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Message} message */
  #hear(message) {
    const isNew = !this.messages.has(message.id);
    this.take([message]);
    const author = message.player;
    if (isNew && author && author.id !== me()?.id && !this.hidden.has(author.id))
      announce(`${author.name}: ${wordsOf(message)}`);
  }

  /** Everything is read. */
  read() {
    const last = this.seen.at(-1);
    if (!last || !isAfter(last.id, this.mark)) return;
    this.mark = last.id;
    const { [this.table.id]: _, ...others } = marks();
    const kept = [...Object.entries(others), [this.table.id, last.id]].slice(-GAMES);
    localStorage.setItem(READ, JSON.stringify(Object.fromEntries(kept)));
  }

  #render() {
    const n = this.unread.length;
    this.label.textContent = n ? t("ui.chat.unread", { n }) : t("ui.chat.title");
    this.count.textContent = n > 99 ? "99+" : String(n);
    this.count.hidden = !n;
  }

  async toggle() {
    if (this.isOpen) {
      this.hide();
      return;
    }
    try {
      const { Drawer } = await import("../talk/drawer.js");
      this.drawer ??= new Drawer(this);
      show(this.element, this.drawer.element);
      this.element.hidden = false;
      this.button.setAttribute("aria-expanded", "true");
      this.timer = setInterval(() => this.#look(), LOOK);
      await this.drawer.opened();
    } catch (error) {
      explain(error instanceof TypeError ? new Unreachable(String(error)) : error);
    }
  }

  hide() {
    clearInterval(this.timer);
    this.element.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.button.focus();
    this.#render();
  }

  #look() {
    if (!this.table.finished || document.visibilityState !== "visible") return;
    this.load().catch(() => {}); // the next look asks again
  }
}
