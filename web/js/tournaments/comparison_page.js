/**
 * What the tables of a duplicate round made of the same draws: their boards side by side, turn by turn, where they parted
 * and what came of it, and the seats compared.
 */

import { h, show } from "../elements/dom.js";
import { renew } from "../elements/morph.js";
import { thumbnail } from "../home/thumbnail.js";
import { seal, seatName } from "../people/seats.js";
import { api, Problem } from "../platform/api.js";
import { labelled, t } from "../platform/i18n.js";
import { loadGame } from "../play/game_module.js";
import { tellAt } from "../story/teller.js";
import { pointsWords, signedPoints } from "./facts/terms.js";
import { tournaments } from "./facts/tournament_calls.js";

/** Events of a page of the list of events. */
const PAGE = 1000;

/** @typedef {Answer<"compare_tables">} RoundComparison */
/** @typedef {RoundComparison["partings"][number]} Parting */
/** @typedef {RoundComparison["seats"][number]["turns"][number]["tables"][number] & {seat: number, same_draws: boolean}} Play */

/**
 * @typedef {object} ComparedTable
 * @property {RoundComparison["tables"][number]} result
 * @property {Game} game
 * @property {GameEvent[]} events
 * @property {Play[]} plays by the turn of the game
 */

/** All events of a game. @param {string} id */
async function readEvents(id) {
  /** @type {GameEvent[]} */
  const found = [];
  for (;;) {
    const { events } = await api.events(id, found.length, { limit: PAGE });
    found.push(...events);
    if (events.length < PAGE) return found;
  }
}

/** @param {RoundComparison} comparison @param {RoundComparison["tables"][number]} result @returns {Promise<ComparedTable>} */
async function readTable({ seats }, result) {
  const [game, events] = await Promise.all([api.game(result.game), readEvents(result.game)]);
  /** @type {Play[]} */
  const plays = [];
  for (const { seat, turns } of seats)
    for (const { same_draws, tables } of turns)
      for (const play of tables) if (play.table === result.table) plays[play.turn] = { ...play, seat, same_draws };
  return { result, game, events, plays };
}

class Comparison {
  /** @param {RoundComparison} comparison @param {ComparedTable[]} tables those of which a turn was played */
  constructor({ partings }, tables) {
    this.tables = tables;
    this.partings = partings;
    this.last = Math.max(...tables.map(({ plays }) => plays.length)) - 1;
    this.at = 0;
    this.boards = h("ul", { class: "tour-tables compared" });
    this.where = h("div", { class: "tour-where", "aria-live": "polite" });
    /** @type {HTMLInputElement} */
    this.slider = h("input", {
      type: "range",
      min: "0",
      max: String(this.last),
      "aria-label": t("ui.tournaments.turn"),
      "data-key": "turn",
      oninput: () => this.#go(Number(this.slider.value)),
    });
    this.element = h("div", {}, this.#steps(), this.where, this.boards);
    this.#go(partings[0]?.turn ?? 0);
  }

  #steps() {
    const step = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number} */ by) => {
      const how = { class: "plain round", "data-key": name, "aria-label": t(`ui.tournaments.turn_${name}`) };
      return h("button", { ...how, onclick: () => this.#go(this.at + by) }, sign);
    };
    const parting = h(
      "button",
      { class: "plain", "data-key": "parting", hidden: !this.partings.length, onclick: () => this.#part() },
      t("ui.tournaments.next_parting"),
    );
    return h("div", { class: "tour-stepper" }, step("‹", "back", -1), this.slider, step("›", "on", 1), parting);
  }

  /** Go to the next parting; after the last one to the first. */
  #part() {
    const next = this.partings.find(({ turn }) => turn > this.at) ?? this.partings[0];
    this.#go(next.turn);
  }

  /** @param {number} wanted */
  #go(wanted) {
    this.at = Math.min(this.last, Math.max(0, wanted));
    this.slider.value = String(this.at);
    const turn = t("ui.tournaments.turn_of", { n: this.at + 1, of: this.last + 1 });
    this.slider.setAttribute("aria-valuetext", turn);
    const here = this.partings.filter((parting) => parting.turn === this.at);
    const isShifted = this.tables.some(({ plays }) => plays[this.at]?.same_draws === false);
    show(
      this.where,
      h("b", {}, turn),
      here.length ? h("span", { class: "badge" }, t("ui.tournaments.parted")) : null,
      isShifted ? h("span", { class: "badge" }, t("ui.tournaments.other_draws")) : null,
      here.map((parting) => h("p", { class: "soft" }, labelled(t("ui.tournaments.came_of_it"), outcomes(parting)))),
    );
    renew(
      this.boards,
      this.tables.map((table) => drawTable(table, this.at)),
    );
  }
}

/** What came of the ways that tables went: the mean lead of the seat at the end. @param {Parting} parting */
function outcomes({ choices }) {
  const said = choices.map(({ tables, lead }) => {
    const names = tables.map((n) => t("ui.tournaments.table_n", { n })).join(", ");
    return labelled(names, lead === null ? "–" : signedPoints(lead));
  });
  return said.join(" · ");
}

/** A table after a turn; one that was over before stays as it was. @param {ComparedTable} table @param {number} at */
function drawTable({ result: { table }, game, events, plays }, at) {
  const turn = Math.min(at, plays.length - 1);
  const { version: begun, moves, seat: mover, gained } = plays[turn];
  const made = events.filter((one) => one.type === "move_made" && one.version >= begun).slice(0, moves.length);
  const version = made.at(-1)?.version ?? begun;
  const board = thumbnail({ ...game, version });
  board.id = `board-${game.id}-${version}`;
  const scoreOf = (/** @type {number} */ seat) =>
    plays.slice(0, turn + 1).findLast((one) => one.seat === seat)?.score ?? 0;
  return h(
    "li",
    { id: `compared-${table}` },
    h(
      "a",
      { class: `card tall tour-card game-${game.game}`, href: `/games/${game.id}?v=${version}` },
      board,
      h("span", { class: "tour-table-name" }, h("b", {}, t("ui.tournaments.table_n", { n: table }))),
      h("span", { class: "tour-told" }, made.flatMap((one) => tellAt(game, events, one.version)).join(" ")),
      h(
        "ol",
        { class: "tour-seats" },
        game.seats.map(({ seat }) =>
          h(
            "li",
            { class: seat === mover ? "won" : "" },
            seal(seat),
            h("bdi", {}, seatName(game, seat)),
            h("span", { class: "figures" }, scoreOf(seat), seat === mover && gained ? h("b", {}, ` +${gained}`) : null),
          ),
        ),
      ),
    ),
  );
}

/** The same seats of all tables, those with the largest lead over the mean of their table first. @param {ComparedTable[]} tables */
function seatsCompared(tables) {
  const rows = (/** @type {number} */ seat) =>
    tables
      .filter(({ result }) => result.leads.length)
      .map(({ game, result }) => ({
        name: seatName(game, seat),
        score: result.scores[seat],
        lead: result.leads[seat],
        points: result.points[seat],
      }))
      .sort((one, other) => other.lead - one.lead);
  const heads = ["player", "game_points", "lead", "points"];
  return h(
    "section",
    { class: "tour-compared" },
    h("h2", {}, t("ui.tournaments.seats_compared")),
    h("p", { class: "soft" }, t("ui.tournaments.seats_note")),
    h(
      "table",
      { class: "tour-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((name) =>
            h("th", { scope: "col" }, name === "player" ? t("ui.profile.columns.player") : t(`ui.tournaments.${name}`)),
          ),
        ),
      ),
      tables[0].game.seats.map(({ seat }) =>
        h(
          "tbody",
          {},
          h(
            "tr",
            { class: "tour-seat-head" },
            h("th", { scope: "rowgroup", colspan: "4" }, seal(seat), " ", t("ui.new.seat", { n: seat + 1 })),
          ),
          rows(seat).map(({ name, score, lead, points }) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, name),
              h("td", {}, score),
              h("td", {}, signedPoints(lead)),
              h("td", {}, points === null ? "–" : pointsWords(points)),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The comparison, null while the round is open. @param {string} id @param {number} n */
async function read(id, n) {
  try {
    return await tournaments.comparison(id, n);
  } catch (error) {
    if (error instanceof Problem && error.code === "round_open") return null;
    throw error;
  }
}

/** @param {string} id @param {number} n @returns {Promise<import("../platform/router.js").Page>} */
export async function comparisonPage(id, n) {
  const [tournament, comparison] = await Promise.all([tournaments.show(id), read(id, n)]);
  await loadGame(tournament.game);
  const all = comparison ? await Promise.all(comparison.tables.map((table) => readTable(comparison, table))) : [];
  const tables = all.filter(({ plays }) => plays.length);
  const title = t("ui.tournaments.compared", { n });
  const back = { class: "button plain", href: `/tournaments/${id}`, "data-key": "tournament" };
  return {
    title,
    element: h(
      "div",
      { class: "comparison" },
      h("h1", {}, title),
      h("p", {}, h("a", back, h("bdi", {}, tournament.name))),
      comparison && tables.length
        ? [new Comparison(comparison, tables).element, seatsCompared(tables)]
        : h("p", { class: "soft" }, t(`ui.tournaments.${comparison ? "nothing_played" : "hidden"}`)),
    ),
  };
}
