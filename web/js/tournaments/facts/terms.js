/** What a tournament is, in words: format, tables, length, time to think. */

import { h } from "../../elements/dom.js";
import { list, t, titleOf } from "../../platform/i18n.js";
import { span } from "../../platform/time_words.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** @typedef {import("./tournament_calls.js").Tournament} Tournament */
/** @typedef {import("./tournament_calls.js").TournamentSummary} TournamentSummary */

/** How many sit at a table: "3 or 4". @param {number[]} sizes */
export function sizeWords(sizes) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "disjunction" }).format(sizes.map(String));
}

/** How many have entered. @param {number} n @param {number | null} of null: as many as like */
export function enteredWords(n, of) {
  return of ? t("ui.tournaments.entered_count", { n, of }) : t("ui.tournaments.entered", { n });
}

/** A pace by its times: "30s a turn + 10m". @param {{delay: number, bank: number}} pace */
export function paceWords({ delay, bank }) {
  return t("ui.pace.times", { delay: span(delay * SECOND), bank: span(bank * SECOND) });
}

/** So many minutes or hours. @param {number} minutes */
export const minutesWords = (minutes) => span(minutes * MINUTE, "long");

/** @param {number} hours */
export const hoursWords = (hours) => span(hours * HOUR, "long");

/** In one line: "Carcassonne · Swiss · 5 rounds". @param {TournamentSummary} tournament */
export function termsLine({ game, format, duplicate, rounds }) {
  const name = t(`ui.tournaments.formats.${duplicate ? "duplicate" : format}.name`);
  const length = rounds ? t("ui.tournaments.rounds_count", { n: rounds }) : null; // null while it depends on the entrants
  return [titleOf(game), name, length].filter(Boolean).join(" · ");
}

/** How long it goes: rounds or minutes. @param {Tournament} tournament */
function lengthWords({ rounds, minutes }) {
  if (minutes) return minutesWords(minutes);
  return rounds ? t("ui.tournaments.rounds_count", { n: rounds }) : t("ui.tournaments.rounds_auto");
}

/** Who may enter. @param {Tournament} tournament */
function whoWords({ entrants: { by_invitation: isInvited, rating } }) {
  if (rating) return t("ui.tournaments.by_rating", { from: rating[0], to: rating[1] });
  return t(isInvited ? "ui.tournaments.by_invitation" : "ui.tournaments.whos.all");
}

/** Everything that holds, as a list of names and values. @param {Tournament} tournament */
export function termsList(tournament) {
  const { format, duplicate, table, pace, window, rated, tiebreaks } = tournament;
  const separating = tiebreaks.map((name) => t(`ui.tournaments.tiebreaks.${name}`));
  const rows = [
    [t("ui.tournaments.format"), t(`ui.tournaments.formats.${duplicate ? "duplicate" : format}.note`)],
    [t("ui.tournaments.table"), sizeWords(table)],
    [t("ui.tournaments.length"), lengthWords(tournament)],
    [t("ui.pace.title"), paceWords(pace)],
    window ? [t("ui.tournaments.window"), hoursWords(window)] : null,
    [t("ui.tournaments.who"), whoWords(tournament)],
    [t("ui.tournaments.equal"), list(separating)],
    [t("ui.rated.title"), t(rated ? "ui.rated.badge" : "ui.rated.casual")],
  ];
  return h(
    "dl",
    { class: "tour-terms" },
    rows.flatMap((row) => (row ? [h("dt", {}, row[0]), h("dd", {}, row[1])] : [])),
  );
}

/** A lead with its sign, from thousandths. @param {number} thousandths */
export function signedPoints(thousandths) {
  const how = { signDisplay: /** @type {const} */ ("exceptZero"), maximumFractionDigits: 1 };
  return new Intl.NumberFormat(document.documentElement.lang, how).format(thousandths / 1000);
}

/** Points, which come in thousandths, with two decimals at most, as the reader writes them. @param {number} thousandths */
export function pointsWords(thousandths) {
  return new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 }).format(thousandths / 1000);
}
