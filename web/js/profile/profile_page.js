/** The page of a player: ratings with their curves, what the games come to, against whom, open tables. */

import { authorTag } from "../bots/author.js";
import { botSign } from "../bots/bot_sign.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Shelf } from "../home/game_card.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { day } from "../platform/time_words.js";
import { actions, loadTies } from "./actions.js";
import { drawFigures, drawReliability } from "./figures.js";
import { drawLearning } from "./learning.js";
import { profiles } from "./profile_calls.js";
import { TABLES } from "./rating_words.js";
import { drawRatings } from "./ratings.js";

/** @typedef {Answer<"show_player">} Player */

/** Name, since when, whether the player is here. @param {Player} player */
function drawHead(player) {
  const since = t("ui.profile.since", { date: day(player.created_at) });
  return h(
    "header",
    {},
    h("h1", {}, h("bdi", {}, player.name), botSign(player)),
    h("p", { class: "soft" }, since, player.online ? ` · ${t("ui.profile.online")}` : "", " ", authorTag(player)),
    player.reliability ? drawReliability(player.reliability) : null,
  );
}

/** What one's own page says besides. @param {boolean} isOwn */
function drawOwn(isOwn) {
  if (!isOwn) return null;
  return [
    h("p", { class: "soft" }, t("ui.profile.own_note")),
    h("div", { class: "buttons" }, h("a", { class: "button plain", href: "/settings" }, t("ui.settings.title"))),
  ];
}

/** The figures of each game that the player has played; which tables count can be chosen. */
class FiguresPlace {
  /** @param {string} id of the player @param {string[]} games */
  constructor(id, games) {
    this.id = id;
    this.games = games;
    this.turn = 0;
    this.place = h("div", { "aria-live": "polite" });
    /** @type {HTMLSelectElement} */
    this.select = h(
      "select",
      { id: "profile-tables", "data-key": "profile-tables", onchange: () => this.load().catch(explain) },
      ["", ...TABLES].map((seats) => h("option", { value: seats }, t(`ui.profile.tables.${seats || "all"}`))),
    );
    this.element = h(
      "section",
      { class: "statistics", "aria-label": t("ui.profile.statistics") },
      h("h2", {}, t("ui.profile.statistics")),
      h("div", { class: "row" }, h("label", { for: "profile-tables" }, t("ui.profile.which_tables")), this.select),
      this.place,
    );
  }

  async load() {
    this.turn += 1;
    const { turn } = this;
    const found = await Promise.all(this.games.map((game) => profiles.statistics(this.id, game, this.select.value)));
    if (turn !== this.turn) return; // another choice was made meanwhile
    const played = found.filter(({ games }) => games).sort((one, other) => other.games - one.games);
    show(this.place, played.length ? played.map(drawFigures) : h("p", { class: "soft" }, t("ui.profile.nothing")));
  }
}

/** The way to a leaderboard for who has no rating that leads there. @param {Player} player @param {string} game */
function boardLink({ ratings }, game) {
  if (ratings.length) return null;
  return h("a", { class: "button plain", href: `/leaderboards/${game}` }, t("ui.profile.board"));
}

/** The tables at which the player waits for others. @param {Player} player */
function drawHosting({ hosting }) {
  const shelf = new Shelf("hosting", () => t("ui.profile.hosting"));
  shelf.update(hosting);
  return shelf.element;
}

/** @param {string} id @returns {Promise<import("../platform/router.js").Page>} */
export async function profilePage(id) {
  const isOwn = me()?.id === id;
  const [player, { games }, ties, learning] = await Promise.all([
    profiles.player(id),
    api.catalogue(),
    isOwn ? null : loadTies(id),
    isOwn ? drawLearning() : null,
  ]);
  const figures = player.reliability
    ? new FiguresPlace(
        id,
        games.map(({ name }) => name),
      )
    : null;
  await figures?.load();
  return {
    title: player.name,
    element: h(
      "div",
      { class: "profile" },
      drawHead(player),
      ties ? actions(player, ties) : null,
      drawOwn(isOwn),
      drawHosting(player),
      learning,
      figures
        ? [drawRatings(id, player.ratings, isOwn), boardLink(player, games[0].name), figures.element]
        : h("p", { class: "soft" }, t("ui.profile.hidden")),
    ),
  };
}
