/** The bell at the top: how much is new, and a list of it. */

import { h, svg } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { renew } from "../elements/morph.js";
import { ago, has, isolate, t, titleOf } from "../platform/i18n.js";
import { by, day } from "../platform/time_words.js";
import { inbox } from "./inbox.js";
import { isNews, readAfter } from "./unread.js";

/** @typedef {import("./unread.js").Item} Item */

const SHOWN = 30;
const MISTAKE = "mistake_returned";
/** Where one does something about items of no game. @type {Record<string, string>} */
const SETTINGS = {
  security: "/settings",
  webhook_disabled: "/settings?notices",
  email_disabled: "/settings?notices",
};
const SHAPE = "M12 3a6 6 0 0 0-6 6c0 5-2 6-2 8h16c0-2-2-3-2-8a6 6 0 0 0-6-6zM9.5 19a2.5 2.5 0 0 0 5 0";

/** The newest items, oldest first, and the place after the last one. */
class InboxList {
  /** @type {Item[]} */
  items = [];
  after = "";
  /** The read that is under way: a second one after the same place would list its items twice. @type {Promise<void> | null} */
  #reading = null;

  read() {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read() {
    // A mistake that was answered since is in the inbox no more: what is here may be older.
    if (this.items.some(({ type }) => type === MISTAKE)) {
      this.items = [];
      this.after = "";
    }
    const { items, after } = await readAfter(this.after);
    this.items = [...this.items, ...items].slice(-SHOWN);
    this.after = after;
  }
}

export class Bell {
  constructor() {
    this.shelf = new InboxList();
    this.count = h("span", { class: "count", hidden: true });
    this.label = h("span", { class: "spoken" });
    this.content = h("div", { class: "bell-list" });
    const bell = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SHAPE }));
    /** @type {HTMLDetailsElement} */
    this.element = h(
      "details",
      { class: "bell", ontoggle: () => this.element.open && this.#open() },
      h("summary", { class: "plain" }, bell, this.label, this.count),
      this.content,
    );
    this.element.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Escape") this.close();
    });
    document.addEventListener("click", ({ target }) => {
      const isInside = this.element.contains(/** @type {Node} */ (target));
      if (this.element.open && (!isInside || /** @type {Element} */ (target).closest("a"))) this.element.open = false;
    });
    inbox.addEventListener("change", () => this.render());
    document.addEventListener("player", () => this.#change());
    this.render();
  }

  close() {
    this.element.open = false;
    this.element.querySelector("summary")?.focus();
  }

  render() {
    const { turns, unread, invitations } = inbox.state;
    const news = turns.length + Math.max(unread, invitations); // an invitation is an item, too
    this.label.textContent = t("ui.inbox.bell", { n: news });
    this.count.textContent = news > 99 ? "99+" : String(news);
    this.count.hidden = !news;
    if (this.element.open) this.#list();
  }

  /** Another player is here: the items of the former one are not for this one. */
  #change() {
    this.shelf = new InboxList();
    this.element.open = false;
  }

  async #open() {
    const { shelf } = this;
    this.#list();
    try {
      await shelf.read();
      if (shelf !== this.shelf) return; // another player is here by now
      this.#list();
      if (inbox.state.unread && shelf.after) await inbox.read(shelf.after);
    } catch (error) {
      if (shelf === this.shelf) explain(error); // what fails for the former player is no trouble of this one
    }
  }

  #list() {
    const { turns } = inbox.state;
    const items = this.shelf.items.filter(isNews).reverse();
    renew(
      this.content,
      turns.length ? h("h2", {}, t("ui.lobby.my_turn")) : null,
      turns.length ? h("ul", {}, turns.map(turnLine)) : null,
      h("h2", {}, t("ui.inbox.title")),
      items.length ? h("ul", {}, items.map(itemLine)) : h("p", { class: "soft" }, t("ui.inbox.empty")),
    );
  }
}

/** @param {import("./inbox.js").WaitingTurn} turn */
function turnLine({ game, title, deadline_at: deadline }) {
  return h(
    "li",
    {},
    h("a", { href: `/games/${game}` }, h("b", {}, titleOf(title ?? "")), deadline ? h("span", {}, by(deadline)) : null),
  );
}

/** The key of the words for an item. @param {Item} item */
function wordsOf({ type, data = {} }) {
  if (data.by === "new_passkey") return "passkey_added";
  return type === "webhook_disabled" && data.bot ? "bot_webhook_disabled" : type;
}

/** Where one can do something about an item, null: nowhere. @param {Item} item */
function addressOf({ type, data = {} }) {
  if (type === MISTAKE) return `/games/${data.game}?ask=${data.version}`;
  if (data.game) return `/games/${data.game}`;
  if (data.tournament) return `/tournaments/${data.tournament}`;
  if (type === "webhook_disabled" && data.bot) return `/settings?bot=${data.bot.id}`;
  return SETTINGS[type] ?? null;
}

/** What the operators have decided or answered, in their words. @param {string} timestamp @param {any} data */
function decisionLine(timestamp, { what, text, name, until, game, study }) {
  const end = until ? t("ui.inbox.operators.until", { time: day(until) }) : "";
  const content = [
    h("b", {}, t(`ui.inbox.operators.${what}`, { name: isolate(name ?? "") })),
    h("span", { dir: "auto" }, text),
    h("span", { class: "soft" }, [end, ago(timestamp)].filter(Boolean).join(" · ")),
  ];
  const href = game ? `/games/${game}` : study ? `/studies/${study}` : "";
  return h("li", { "data-what": what }, href ? h("a", { href }, content) : h("span", {}, content));
}

/** @param {Item} item */
function itemLine(item) {
  const { timestamp, data = {} } = item;
  if (data.by === "operators") return decisionLine(timestamp, data);
  const key = `ui.inbox.types.${wordsOf(item)}`;
  const text = t(has(key) ? key : "ui.inbox.types.other", { name: isolate((data.player ?? data.bot)?.name ?? "") });
  const content = [
    h("b", {}, text),
    h("span", { class: "soft" }, [data.title ? titleOf(data.title) : "", ago(timestamp)].filter(Boolean).join(" · ")),
  ];
  const address = addressOf(item);
  return h("li", {}, address ? h("a", { href: address }, content) : h("span", {}, content));
}
