/** The button that opens the drawer of the talk at this table, with the count of what is unread; it stands in the bar. */

import { announce } from "../elements/announce.js";
import { h, show, svg } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { labelled, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { Messages, wordsOf } from "./messages.js";

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("../table/table.js").Table} Table
 */

const LOOK = 15_000; // ms: the stream of a finished game is closed, so the open drawer asks
const SHAPE = "M4 5h16v11h-9l-5 4v-4H4z";

export class Chat {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.messages = new Messages(table);
    this.timer = 0;
    /** @type {import("./chat_drawer.js").ChatDrawer | null} */
    this.drawer = null;
    this.count = h("span", { class: "count", hidden: true });
    this.label = h("span", { class: "spoken" });
    this.button = h(
      "button",
      { class: "plain chat-button", "aria-expanded": "false", onclick: () => this.toggle() },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SHAPE })),
      this.label,
      this.count,
    );
    /** Where the drawer comes. */
    this.element = h("div", { class: "drawer-place", hidden: true });
    table.addEventListener("message", (event) => this.#hear(/** @type {CustomEvent} */ (event).detail));
    // A signal that came while the line was down is lost: ask for what is new.
    table.addEventListener("line", () => table.connected && this.messages.load().catch(explain));
    this.messages.addEventListener("change", () => {
      if (this.isOpen) this.messages.read();
      this.#render();
    });
    this.#render();
  }

  close() {
    clearInterval(this.timer);
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** @param {Message} message */
  #hear(message) {
    const { messages } = this;
    const isNew = !messages.byId.has(message.id);
    messages.take([message]);
    const author = message.player;
    if (isNew && author && author.id !== me()?.id && !messages.hidden.has(author.id))
      announce(labelled(author.name, wordsOf(message)));
  }

  #render() {
    const n = this.messages.unread.length;
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
      const { ChatDrawer } = await import("./chat_drawer.js");
      if (this.table.isClosed) return;
      this.drawer ??= new ChatDrawer(this.messages, () => this.hide());
      show(this.element, this.drawer.element);
      this.element.hidden = false;
      this.button.setAttribute("aria-expanded", "true");
      clearInterval(this.timer); // a second touch may have come before the code
      this.timer = setInterval(() => this.#look(), LOOK);
      await this.drawer.opened();
    } catch (error) {
      explain(error);
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
    this.messages.load().catch(() => {}); // the next look asks again
  }
}
