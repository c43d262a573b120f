/** The page of a leaderboard: who plays best almost certainly, page by page, and where I stand. */

import { playerLink } from "../bots/bot_sign.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { t, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { rewrite } from "../platform/router.js";
import { profiles } from "./profile_calls.js";
import { boardAddress, LADDERS, strength, TABLES } from "./rating_words.js";

/** @typedef {Answer<"show_leaderboard">["players"][number]} Row */
/** @typedef {Pick<Row, "rating" | "deviation" | "games"> & {rank: number}} Standing */

class Leaderboard {
  /** @param {import("./profile_calls.js").RatingPlace} place @param {string[]} games */
  constructor(place, games) {
    this.place = place;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {Standing | null} my own row, on whatever page it stands */
    this.own = null;
    /** @type {string | null} */
    this.cursor = null;
    this.turn = 0;
    this.list = h("div", { "aria-live": "polite" });
    this.more = h(
      "button",
      { class: "more", "data-key": "board-more", hidden: true, onclick: () => this.#loadPage().catch(explain) },
      t("ui.home.more"),
    );
    this.head = h("h1", {});
    this.element = h(
      "div",
      { class: "profile leaderboard" },
      this.head,
      h(
        "div",
        { class: "filters" },
        this.#choice(
          "game",
          t("ui.new.game"),
          games.map((name) => [name, titleOf(name)]),
        ),
        this.#choice(
          "seats",
          t("ui.profile.which_tables"),
          TABLES.map((name) => [name, t(`ui.profile.tables.${name}`)]),
        ),
        this.#choice(
          "ladder",
          t("ui.profile.ladder"),
          LADDERS.map((name) => [name, t(`ui.profile.ladders.${name}`)]),
        ),
      ),
      this.list,
      this.more,
      h("p", { class: "soft" }, t("ui.profile.board_note")),
    );
  }

  /** @param {"game" | "seats" | "ladder"} name @param {string} label @param {string[][]} options */
  #choice(name, label, options) {
    const id = `board-${name}`;
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      { id, "data-key": id, onchange: () => this.#choose({ [name]: select.value }) },
      options.map(([value, text]) => h("option", { value, selected: this.place[name] === value }, text)),
    );
    return h("div", { class: "row" }, h("label", { for: id }, label), select);
  }

  /** @param {Partial<import("./profile_calls.js").RatingPlace>} change */
  #choose(change) {
    this.place = { ...this.place, ...change };
    rewrite(boardAddress(this.place));
    this.load().catch(explain);
  }

  /** Load the first page, and my own row. */
  async load() {
    this.turn += 1;
    const { turn } = this;
    const [page, own] = await Promise.all([profiles.board(this.place, null), this.#findOwn()]);
    if (turn !== this.turn) return; // another choice was made meanwhile
    Object.assign(this, { rows: page.players, cursor: page.next_cursor, own });
    this.#draw();
  }

  async #loadPage() {
    const { turn } = this;
    const page = await profiles.board(this.place, this.cursor);
    if (turn !== this.turn) return;
    this.rows.push(...page.players);
    this.cursor = page.next_cursor;
    this.#draw();
  }

  /** @returns {Promise<Standing | null>} */
  async #findOwn() {
    const player = me();
    if (!player) return null;
    const { ratings } = await profiles.player(player.id);
    const { game, seats, ladder } = this.place;
    const found = ratings.find((one) => one.game === game && one.seats === seats && one.ladder === ladder);
    return found && found.rank !== null ? { ...found, rank: found.rank } : null;
  }

  #draw() {
    const { rows, own } = this;
    const id = me()?.id;
    const isFurther = own && !rows.some(({ player }) => player.id === id);
    this.head.textContent = t("ui.profile.board_title", { game: titleOf(this.place.game) });
    this.more.hidden = !this.cursor;
    if (!rows.length && !isFurther) {
      show(this.list, h("p", { class: "soft" }, t("ui.profile.board_empty")));
      return;
    }
    const heads = ["rank", "player", "rating", "games"];
    show(
      this.list,
      h(
        "table",
        { class: "board-rows" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((name) => h("th", { scope: "col" }, t(`ui.profile.columns.${name}`))),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) => drawRow(row, playerLink(row.player), row.player.id === id)),
          isFurther
            ? drawRow(own, h("a", { class: "player-link", href: `/players/${id}` }, t("ui.profile.me")), true)
            : null,
        ),
      ),
    );
  }
}

/** @param {Standing} row @param {HTMLElement} name @param {boolean} isOwn */
function drawRow(row, name, isOwn) {
  return h(
    "tr",
    { class: isOwn ? "own" : "" },
    h("td", {}, row.rank),
    h("th", { scope: "row" }, name),
    h("td", {}, strength(row)),
    h("td", {}, row.games),
  );
}

/** @param {string} game @param {URL} url @returns {Promise<import("../platform/router.js").Page>} */
export async function leaderboardPage(game, { searchParams }) {
  const { games } = await api.catalogue();
  const known = (/** @type {string} */ name, /** @type {string[]} */ words) => {
    const asked = searchParams.get(name);
    return asked && words.includes(asked) ? asked : words[0];
  };
  const place = { game, seats: known("seats", TABLES), ladder: known("ladder", LADDERS) };
  const board = new Leaderboard(
    place,
    games.map(({ name }) => name),
  );
  await board.load();
  return { element: board.element, title: t("ui.profile.board_title", { game: titleOf(game) }) };
}
