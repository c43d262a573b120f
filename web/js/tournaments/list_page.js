/** All tournaments: one's own first, then those that may be entered, those that are on, and the past ones. */

import { button } from "../elements/button.js";
import { h, iconAt, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { at } from "../platform/time_words.js";
import { enteredWords, termsLine } from "./facts/terms.js";
import { tournaments } from "./facts/tournament_calls.js";

/** @typedef {import("./facts/tournament_calls.js").TournamentSummary} TournamentSummary */

const STATUSES = ["open", "running", "over"];
const PAGE = "12";

/** How a tournament stands, in a few words. @param {TournamentSummary} tournament */
function statusWords({ status, entrants, start, round, rounds }) {
  if (status === "open") {
    const count = enteredWords(entrants.count, start.when_full ? entrants.max : null);
    return start.at ? `${count} · ${at(start.at)}` : count;
  }
  if (status === "running" && round && rounds) return t("ui.tournaments.round_of", { n: round, of: rounds });
  return t(`ui.tournaments.states.${status}`);
}

/** @param {TournamentSummary} tournament */
function card(tournament) {
  const { id, name, game } = tournament;
  return h(
    "li",
    {},
    h(
      "a",
      { class: `card game-${game}`, href: `/tournaments/${id}`, "data-key": id },
      h(
        "span",
        { class: "thumb", "aria-hidden": "true" },
        h("img", { class: "sign", src: iconAt(`${game}.svg`), alt: "" }),
      ),
      h("span", { class: "title" }, h("bdi", {}, name)),
      h("span", { class: "players" }, termsLine(tournament)),
      h("span", { class: "state" }, statusWords(tournament)),
    ),
  );
}

/** A titled list with a button for the next page; nothing without tournaments. */
class TournamentShelf {
  /** @param {string} name @param {Record<string, string>} filter @param {Set<string>} shown ids of those that stand above */
  constructor(name, filter, shown) {
    this.filter = filter;
    this.shown = shown;
    this.list = h("ul", { class: "cards" });
    this.more = h("div", {});
    const head = h("h2", {}, t(`ui.tournaments.shelves.${name}`));
    this.element = h("section", { class: "shelf", "data-shelf": name, hidden: true }, head, this.list, this.more);
  }

  /** Show the next page. @param {string | null} [cursor] */
  async load(cursor = null) {
    const page = await tournaments.list({ limit: PAGE, ...this.filter, cursor });
    const others = page.tournaments.filter(({ id }) => !this.shown.has(id));
    for (const { id } of others) this.shown.add(id);
    this.list.append(...others.map(card));
    this.element.hidden = !this.list.childElementCount;
    const next = page.next_cursor;
    show(
      this.more,
      next ? button(t("ui.home.more"), `more-${this.element.dataset.shelf}`, () => this.load(next)) : null,
    );
  }
}

/** @returns {Promise<import("../platform/router.js").Page>} */
export async function listPage() {
  const shown = new Set();
  const mine = new TournamentShelf("mine", { player: "me" }, shown);
  const others = STATUSES.map((status) => new TournamentShelf(status, { status }, shown));
  if (me()) await mine.load(); // what is one's own stands there alone
  await Promise.all(others.map((shelf) => shelf.load()));
  const shelves = [mine, ...others];
  const isEmpty = shelves.every(({ element }) => element.hidden);
  return {
    title: t("ui.tournaments.title"),
    element: h(
      "div",
      { class: "home tournaments" },
      h("h1", {}, t("ui.tournaments.title")),
      h("p", { class: "soft lead" }, t("ui.tournaments.about")),
      h(
        "a",
        { class: "button confirm", href: "/tournaments/new", "data-key": "new-tournament" },
        t("ui.tournaments.new"),
      ),
      isEmpty ? h("p", { class: "soft" }, t("ui.tournaments.empty")) : null,
      h(
        "div",
        { class: "shelves" },
        shelves.map(({ element }) => element),
      ),
    ),
  };
}
