/** My finished games, a page at a time, the newest first. */

import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { Shelf } from "./game_card.js";

const PAGE = 4;
const NEXT = 12;

export class PastShelf {
  constructor() {
    /** @type {any[]} */
    this.games = [];
    /** @type {string | null} */
    this.cursor = null;
    this.more = h(
      "button",
      { class: "more", "data-key": "past-more", hidden: true, onclick: () => this.#loadMore().catch(explain) },
      t("ui.home.more"),
    );
    /** What my games come to stands on my page. */
    this.profile = h("a", { class: "button plain", "data-key": "profile" }, t("ui.profile.own"));
    this.shelf = new Shelf("past", () => t("ui.lobby.past"), {
      after: h("div", { class: "buttons" }, this.more, this.profile),
    });
    this.element = this.shelf.element;
  }

  /** Load the newest games; the older pages that were loaded stay below them. */
  async load() {
    const page = await api.games({ player: "me", status: "over", limit: PAGE });
    const known = new Set(page.games.map(({ id }) => id));
    const older = this.games.filter(({ id }) => !known.has(id));
    if (!older.length) this.cursor = page.next_cursor;
    this.games = [...page.games, ...older];
    this.#show();
  }

  /** What is shown belongs to another player. */
  forget() {
    this.games = [];
    this.cursor = null;
    this.#show();
  }

  async #loadMore() {
    const page = await api.games({ player: "me", status: "over", limit: NEXT, cursor: this.cursor });
    this.games.push(...page.games);
    this.cursor = page.next_cursor;
    this.#show();
  }

  #show() {
    this.shelf.update(this.games);
    this.profile.href = `/players/${me()?.id}`;
    this.more.hidden = !this.cursor;
  }
}
