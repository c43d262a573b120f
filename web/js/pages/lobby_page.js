/** The lobby: all public tables, chosen by filters that stand in the address. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { card, Shelf } from "../home/game_card.js";
import { LiveShelf } from "../home/live_shelf.js";
import { peopleOf } from "../home/my_games.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { keptSeek } from "../platform/kept_seek.js";
import { prefer, prefs } from "../platform/prefs.js";
import { rewrite } from "../platform/router.js";
import { seekLine } from "../seeking/seek_lines.js";
import { ownSeeks } from "../seeking/seeks.js";
import { lobbyStream } from "../streams/lobby_stream.js";

const PAGE = 20;
const ENOUGH = 12; // tables that are shown at first
const LOOKS = 5; // pages that are read for them at most
const AGAIN = 60_000; // ms until the list is read again by itself
const PACES = ["none", "live", "correspondence"];
const FILTERS = ["show", "game", "seats", "pace", "rated"];
/** So many tables of a kind the stream of the lobby brings. */
const STREAMED = 100;
/** A seat of a table that another player may take. @type {Record<string, string>} */
const FREE = { open: "open", vacant: "vacant" };
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
      select("rated", t("ui.rated.title"), [
        anything(),
        ["true", t("ui.rated.badge")],
        ["false", t("ui.rated.casual")],
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
    /** The own seeks. @type {Set<string>} */
    this.own = new Set();
    // In one list: a list above another one would move it.
    const draw = (/** @type {any} */ one) =>
      "patience" in one ? seekLine(one, this.#isOwn(one), () => this.#findOwn()) : card(one);
    this.live = new LiveShelf("live", () => t(`ui.home.lobby.kinds.${this.#value("show")}`), draw, {
      empty: t("ui.home.lobby.empty"),
      gone: t("ui.home.lobby.gone"),
    });
    this.counts = h("p", { class: "soft counts" });
    /** Tables that are older than those of the stream, by id. @type {Map<string, Summary>} */
    this.older = new Map();
    /** @type {string | null} */
    this.olderCursor = null;
    /** @type {HTMLButtonElement} */
    this.rest = button(t("ui.home.more"), "lobby-rest", () => this.#loadOlder(), "more");
    this.rest.hidden = true;
    this.streamed = h("div", {}, this.live.element, this.rest);
    this.element = h(
      "div",
      { class: "home lobby" },
      h("h1", {}, t("ui.home.all_tables")),
      this.counts,
      this.form,
      this.streamed,
      this.shelf.element,
    );
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", () => this.refresh({ address: true }));
    this.#choose(url);
    /** @type {any[]} */
    this.games = [];
    this.turn = 0;
    /** What the stream has brought. @type {import("../streams/lobby_stream.js").LobbyState | null} */
    this.state = null;
    this.deaf = lobbyStream.listen((state) => this.#hear(state));
    this.#findOwn().catch(explain);
    /** @type {string | null} */
    this.cursor = null;
    this.look = () => this.#lookAgain().catch(explain);
    this.timer = setInterval(this.look, AGAIN);
    document.addEventListener("visibilitychange", this.look);
  }

  close() {
    this.turn += 1; // what is on its way is not shown any more
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.look);
    this.deaf();
    this.live.close();
  }

  /** Is it a kind of tables whose changes come by the stream? */
  get #isLive() {
    return this.#value("show") in FREE;
  }

  /** @param {import("../streams/lobby_stream.js").LobbyState} state */
  #hear(state) {
    this.state = state;
    this.#showLive();
    const game = this.#value("game");
    const sum = (/** @type {"open" | "seeks" | "running"} */ what) =>
      state.counts.reduce((all, one) => all + (!game || one.game === game ? one[what] : 0), 0);
    this.counts.textContent = t("ui.home.lobby.counts", {
      open: sum("open"),
      seeks: sum("seeks"),
      running: sum("running"),
    });
  }

  /** Those of the stream that these filters choose, those that wait longest first. */
  #showLive() {
    this.streamed.hidden = !this.#isLive;
    if (this.#isLive) this.shelf.element.hidden = true;
    if (!this.state || !this.#isLive) return;
    const kind = this.#value("show");
    const sum = this.state.counts.reduce((all, one) => all + one[kind === "open" ? "open" : "vacant"], 0);
    this.rest.hidden = sum <= STREAMED || (this.older.size > 0 && !this.olderCursor);
    const tables = [...new Map([...this.older, ...this.state.tables]).values()].filter(
      (one) => one.seats.some(({ state }) => state === FREE[kind]) && this.#isWanted(one) && this.#fits(one),
    );
    const size = Number(this.#value("seats"));
    const seeks = [...this.state.seeks.values()].filter(
      (one) => kind === "open" && this.#isWanted(one) && (!size || one.seats.includes(size)),
    );
    this.live.update([...tables, ...seeks].sort(byAge));
  }

  /** @param {{game: string, pace?: {mode: string} | null, rated: boolean}} one a table, or a seek */
  #isWanted({ game: name, pace: time, rated: counts }) {
    const { game, pace, rated } = this.#filter;
    return (
      (!game || name === game) && (!pace || (time?.mode ?? "none") === pace) && (!rated || String(counts) === rated)
    );
  }

  /** More tables than the stream brings; those are read, and do not change by themselves. */
  async #loadOlder() {
    const { turn } = this;
    const filter = { ...KINDS[this.#value("show")], ...this.#filter, limit: STREAMED };
    const before = this.older.size;
    for (let look = 0; look < LOOKS && this.older.size === before; look += 1) {
      const page = await api.games({ ...filter, cursor: this.olderCursor });
      if (turn !== this.turn) return;
      for (const game of page.games) if (!this.state?.tables.has(game.id)) this.older.set(game.id, game);
      this.olderCursor = page.next_cursor;
      if (!page.next_cursor) break;
    }
    this.#showLive();
  }

  get #filter() {
    return { game: this.#value("game"), pace: this.#value("pace"), rated: this.#value("rated") };
  }

  /** @param {{id: string}} seek */
  #isOwn({ id }) {
    return this.own.has(id) || keptSeek(me()?.id)?.id === id;
  }

  /** Which seeks are those of this player. */
  async #findOwn() {
    if (!me()) return;
    this.own = new Set((await ownSeeks()).map(({ id }) => id));
    this.live.clear();
    this.#showLive();
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
    const query = url.search ? url.searchParams : new URLSearchParams(prefs().lobby);
    for (const name of FILTERS) {
      const asked = query.get(name) ?? "";
      const options = [...this.#field(name).options].map(({ value }) => value);
      this.#field(name).value = options.includes(asked) ? asked : options[0];
    }
    this.#field("people").checked = query.get("people") !== "0";
  }

  #address() {
    const chosen = FILTERS.map((name) => [name, this.#value(name)]);
    const query = new URLSearchParams(chosen.filter(([, value]) => value));
    if (!this.#field("people").checked) query.set("people", "0");
    return String(query);
  }

  /** Show the tables of these filters. @param {{address?: boolean}} [how] */
  async refresh({ address = false } = {}) {
    if (address) {
      rewrite(`/lobby?${this.#address()}`);
      prefer({ lobby: this.#address() });
    }
    this.turn += 1;
    this.older.clear();
    this.olderCursor = null;
    this.live.clear();
    this.#showLive();
    if (this.state) this.#hear(this.state);
    if (!this.#isLive) await this.#load([]);
    else if (!this.state) await this.#loadLive();
  }

  /** Read the list again, as far as it is shown, while the tab is in sight. */
  async #lookAgain() {
    if (document.visibilityState !== "visible") return;
    if (!this.#isLive) await this.#load([], this.games.length);
    else if (!this.state) await this.#loadLive(); // no stream: it may be refused where there are too many
  }

  /** The tables before the stream has brought them. */
  async #loadLive() {
    const { turn } = this;
    const { games } = await api.games({ ...KINDS[this.#value("show")], ...this.#filter, limit: STREAMED });
    if (this.state || turn !== this.turn) return;
    this.live.update(games.filter((game) => this.#fits(game)).sort(byAge));
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
    const filter = { ...KINDS[this.#value("show")], ...this.#filter };
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

/** Ids sort by age. @param {{id: string}} one @param {{id: string}} other */
function byAge(one, other) {
  return one.id < other.id ? -1 : 1;
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
