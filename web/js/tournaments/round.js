/** A round: its tables with their boards, small; who has no table; the ways to the other rounds. */

import { h } from "../elements/dom.js";
import { isolate, labelled, list, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { by } from "../platform/time_words.js";
import { decisionButton } from "./checking/table_decision.js";
import { playerOf } from "./facts/shown.js";
import { pointsWords } from "./facts/terms.js";
import { smallBoard } from "./small_boards.js";

/** @typedef {import("./facts/shown.js").Shown} Shown */
/** @typedef {import("./facts/tournament_calls.js").Round} Round */
/** @typedef {import("./facts/tournament_calls.js").RoundTable} RoundTable */

/** @param {Shown} shown @param {(round: number) => any} look @param {import("./facts/shown.js").Act} act */
export function drawRound(shown, look, act) {
  const { tournament, round, tables } = shown;
  if (!tables.length) return null;
  const free = round?.byes.map((number) => isolate(playerOf(shown, number).name)) ?? [];
  return [
    h(
      "div",
      { class: "tour-round-head" },
      h("h2", {}, round ? t("ui.tournaments.round_n", { n: round.round }) : t("ui.lobby.title")),
      round ? stepper(tournament.round, round.round, look) : null,
    ),
    round ? h("p", { class: "soft" }, roundWords(round)) : null,
    tournament.duplicate && round ? comparisonLink(tournament.id, round) : null,
    h(
      "ul",
      { class: "tour-tables" },
      tables.map((table) => drawTable(shown, table, act)),
    ),
    free.length ? h("p", { class: "soft" }, t("ui.tournaments.byes", { names: list(free) })) : null,
  ];
}

/** @param {Round} round */
function roundWords({ status, ends_at }) {
  if (status === "closed") return t("ui.tournaments.round_closed");
  return ends_at ? labelled(t("ui.tournaments.round_end"), by(ends_at)) : t("ui.tournaments.states.running");
}

/** The way to what the tables made of the same draws; to be seen once the round is over. @param {string} id @param {Round} round */
function comparisonLink(id, { round, status, tables }) {
  if (status !== "closed" || !tables.some((table) => table.status === "scored")) return null;
  const address = { href: `/tournaments/${id}?comparison=${round}`, "data-key": "compare" };
  return h("p", {}, h("a", { class: "button", ...address }, t("ui.tournaments.compare")));
}

/** @param {number} latest @param {number} shown @param {(round: number) => any} look */
function stepper(latest, shown, look) {
  if (latest < 2) return null;
  const step = (/** @type {string} */ sign, /** @type {string} */ key, /** @type {number} */ to) => {
    const how = { class: "plain round", "data-key": key, "aria-label": t("ui.tournaments.round_n", { n: to }) };
    return h("button", { ...how, disabled: to < 1 || to > latest, onclick: () => look(to) }, sign);
  };
  return h("div", { class: "tour-steps" }, step("‹", "round-back", shown - 1), step("›", "round-on", shown + 1));
}

/** @param {Shown} shown @param {RoundTable} table @param {import("./facts/shown.js").Act} act */
function drawTable(shown, table, act) {
  const { duplicate, game: name } = shown.tournament;
  const isOwn = table.seats.some((number) => playerOf(shown, number).id === me()?.id);
  const isHidden = duplicate && table.status === "playing" && !isOwn;
  const content = [
    smallBoard(name, shown.games.get(table.game), duplicate && shown.round?.status === "open"),
    h(
      "span",
      { class: "tour-table-name" },
      h("b", {}, t("ui.tournaments.table_n", { n: table.table })),
      stateBadge(table, isHidden),
    ),
    h(
      "ol",
      { class: "tour-seats" },
      table.seats.map((_, at) => drawSeat(shown, table, at)),
    ),
  ];
  const look = `card tall tour-card game-${name}${isOwn ? " mine" : ""}`;
  const address = { href: `/games/${table.game}`, "data-key": `table-${table.table}` };
  return h(
    "li",
    { id: `table-${table.table}`, "data-game": isHidden ? null : table.game },
    isHidden ? h("div", { class: look }, content) : h("a", { class: look, ...address }, content),
    decidedWords(table),
    decisionButton(shown, table, act),
  );
}

/** Why operators decided the table, in their own words. @param {RoundTable} table */
function decidedWords({ status, reason, explanation }) {
  const words = explanation ?? (status === "scored" ? reason : null); // of a void table `reason` is a word of the service
  if (!words) return null;
  return h("p", { class: "soft tour-decided" }, labelled(t("ui.tournaments.decided"), isolate(words)));
}

/** @param {RoundTable} table @param {boolean} isHidden */
function stateBadge({ status }, isHidden) {
  const words = { playing: "states.running", voided: "voided", scored: "" }[status];
  const key = isHidden ? "hidden" : words;
  return key ? h("span", { class: "badge" }, t(`ui.tournaments.${key}`)) : null;
}

/** Who sits there; after the end the points of the game and of the tournament. @param {Shown} shown @param {RoundTable} table @param {number} at */
function drawSeat(shown, { table, seats, ranks, scores }, at) {
  const scored = shown.standings
    .find(({ entrant }) => entrant === seats[at])
    ?.rounds.find((one) => one.table === table);
  const points = scored?.points ?? null;
  return h(
    "li",
    { class: ranks?.[at] === 1 ? "won" : "" },
    h("bdi", {}, playerOf(shown, seats[at]).name),
    h("span", { class: "figures" }, scores?.[at], points === null ? null : h("b", {}, ` +${pointsWords(points)}`)),
  );
}
