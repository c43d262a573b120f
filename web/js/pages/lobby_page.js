/** The lobby: all public tables, chosen by filters that stand in the address. */

import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Shelf } from "../home/game_card.js";
import { peopleOf } from "../home/my_games.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { rewrite } from "../platform/router.js";

const PAGE = 20;
const ENOUGH = 12; // tables that are shown at first
const LOOKS = 5; // pages that are read for them at most
const AGAIN = 60_000; // ms until the list is read again by itself
const PACES = ["none", "live", "correspondence"];
/** What a kind of tables is in the query of the API. @type {Record<string, Record<string, string>>} */
const KINDS = {
  open: { seat: "open" },
  running: { status: "running" },
  vacant: { seat: "vacant" },
  over: { status: "over" },
};

class Lobby {
  /** @param {Offer[]} offers of the catalogue @param {URL} url */
  constructor(offers, url) {
    const sizes = offers.map(({ seats }) => seats);
    const [from, to] = [Math.min(...sizes.map((one) => one.from)), Math.max(...sizes.map((one) => one.to))];
    this.form = h(
      "form",
      { class: "filters", "aria-label": t("ui.home.lobby.filters") },
      select(
        "show",
        t("ui.home.lobby.show"),
        Object.keys(KINDS).map((kind) => [kind, t(`ui.home.lobby.kinds.${kind}`)]),
      ),
      select("game", t("ui.new.game"), [anything(), ...offers.map(({ name, title }) => [name, title])]),
      select("seats", t("ui.seats.title"), [
        anything(),
        ...Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), String(from + at)]),
      ]),
      select("pace", t("ui.pace.title"), [
        anything(),
        ...PACES.map((pace) => [pace, t(`ui.home.lobby.paces.${pace}`)]),
      ]),
      h(
        "label",
        { class: "check", for: "filter-people" },
        h("input", { type: "checkbox", id: "filter-people", name: "people" }),
        t("ui.home.lobby.people"),
      ),
    );
    this.more = h(
      "button",
      { class: "more", "data-key": "lobby-more", hidden: true, onclick: () => this.#load(this.games) },
      t("ui.home.more"),
    );
    this.shelf = new Shelf("lobby", () => t(`ui.home.lobby.kinds.${this.#value("show")}`), {
      empty: t("ui.home.lobby.empty"),
      after: this.more,
    });
    this.element = h(
      "div",
      { class: "home lobby" },
      h("h1", {}, t("ui.home.all_tables")),
      this.form,
      this.shelf.element,
    );
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", () => this.refresh({ address: true }));
    this.#choose(url);
    /** @type {any[]} */
    this.games = [];
    /** @type {string | null} */
    this.cursor = null;
    this.turn = 0;
    this.look = () => this.#lookAgain().catch(explain);
    this.timer = setInterval(this.look, AGAIN);
    document.addEventListener("visibilitychange", this.look);
  }

  close() {
    this.turn += 1; // what is on its way is not shown any more
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.look);
  }

  /** @param {string} name @returns {any} */
  #field(name) {
    return this.form.querySelector(`[name="${name}"]`);
  }

  /** @param {string} name @returns {string} */
  #value(name) {
    return this.#field(name).value;
  }

  /** @param {URL} url */
  #choose(url) {
    for (const name of ["show", "game", "seats", "pace"]) {
      const asked = url.searchParams.get(name) ?? "";
      const options = [...this.#field(name).options].map(({ value }) => value);
      this.#field(name).value = options.includes(asked) ? asked : options[0];
    }
    this.#field("people").checked = url.searchParams.get("people") !== "0";
  }

  #address() {
    const chosen = ["show", "game", "seats", "pace"].map((name) => [name, this.#value(name)]);
    const query = new URLSearchParams(chosen.filter(([, value]) => value));
    if (!this.#field("people").checked) query.set("people", "0");
    return `/lobby?${query}`;
  }

  /** Show the tables of these filters. @param {{address?: boolean}} [how] */
  async refresh({ address = false } = {}) {
    if (address) rewrite(this.#address());
    await this.#load([]);
  }

  /** Read the list again, as far as it is shown, while the tab is in sight. */
  async #lookAgain() {
    if (document.visibilityState === "visible") await this.#load([], this.games.length);
  }

  /** Another address of the lobby. @param {URL} url */
  goTo(url) {
    if (url.pathname !== "/lobby") return false;
    this.#choose(url);
    this.refresh();
    return true;
  }

  /** @param {Summary} game */
  #fits(game) {
    const seats = this.#value("seats");
    if (seats && game.seats.length !== Number(seats)) return false;
    return !this.#field("people").checked || peopleOf(game) > 1;
  }

  /**
   * Load tables until there are enough, and show them.
   * @param {any[]} before the tables that stay in front @param {number} [least] show so many at least
   */
  async #load(before, least = 0) {
    this.turn += 1;
    const { turn } = this;
    const games = [...before];
    const wanted = Math.max(games.length + ENOUGH, least);
    const looks = Math.max(LOOKS, Math.ceil(least / PAGE));
    let cursor = games.length ? this.cursor : null;
    const filter = { ...KINDS[this.#value("show")], game: this.#value("game"), pace: this.#value("pace") };
    try {
      for (let look = 0; look < looks && games.length < wanted; look += 1) {
        const page = await api.games({ ...filter, limit: PAGE, cursor });
        if (turn !== this.turn) return; // the filters have changed meanwhile
        games.push(...page.games.filter((game) => this.#fits(game)));
        cursor = page.next_cursor;
        if (!cursor) break;
      }
    } catch (error) {
      explain(error);
      return; // what is shown stays
    }
    this.games = games;
    this.cursor = cursor;
    this.shelf.update(this.games);
    this.more.hidden = !this.cursor;
  }
}

/** @returns {string[]} */
function anything() {
  return ["", t("ui.home.lobby.any")];
}

/** @param {string} name @param {string} label @param {string[][]} options */
function select(name, label, options) {
  const id = `filter-${name}`;
  return h(
    "div",
    { class: "row" },
    h("label", { for: id }, label),
    h(
      "select",
      { id, name, "data-key": id },
      options.map(([value, text]) => h("option", { value }, text)),
    ),
  );
}

/** @param {URL} url @returns {Promise<import("../platform/router.js").Page>} */
export async function lobbyPage(url) {
  const lobby = new Lobby((await api.catalogue()).games, url);
  await lobby.refresh();
  return {
    element: lobby.element,
    title: t("ui.home.all_tables"),
    close: () => lobby.close(),
    update: (next) => lobby.goTo(next),
  };
}
