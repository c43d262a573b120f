/**
 * When a table of a tournament over days is played: the times at which all of it could, each accepted with one touch.
 */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { isolate, labelled, list, t } from "../platform/i18n.js";
import { at, span } from "../platform/time_words.js";
import { showCalendar } from "./calendar.js";
import { ownEntrant, ownTable, playerOf } from "./facts/shown.js";
import { tournaments } from "./facts/tournament_calls.js";
import { askWeek } from "./week.js";

const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
/** So many times are offered. */
const MOST = 6;

/** @typedef {import("./facts/shown.js").Shown} Shown */
/** @typedef {Answer<"show_table_times">} TableTimes */

/** @param {Shown} shown @param {import("./facts/shown.js").Act} act */
export function drawTimes(shown, act) {
  const { times, tournament } = shown;
  const own = ownEntrant(shown)?.entrant;
  const table = ownTable(shown, own);
  if (!times || !table) return null;
  const mine = times.accepted.find(({ entrant }) => entrant === own)?.time;
  const missing = times.unstated.map((number) => isolate(playerOf(shown, number).name));
  const accept = (/** @type {string} */ time) => act(() => tournaments.acceptTime(tournament.id, table.table, time));
  return [
    h("h2", {}, t("ui.tournaments.times")),
    h("p", { class: "soft" }, t("ui.tournaments.times_note")),
    times.agreed ? h("p", { class: "tour-agreed" }, labelled(t("ui.tournaments.agreed"), at(times.agreed))) : null,
    missing.length ? h("p", { class: "soft" }, labelled(t("ui.tournaments.unstated"), list(missing))) : null,
    !missing.length && !times.times.length ? h("p", { class: "soft" }, t("ui.tournaments.no_time")) : null,
    h(
      "ul",
      { class: "tour-times" },
      offered(times).map(({ time, minutes }) =>
        timeLine(shown, times, { time, minutes, isMine: time === mine }, accept),
      ),
    ),
    button(t("ui.tournaments.my_times"), "my-times", () => act(askWeek)),
    button(t("ui.tournaments.calendar"), "calendar", showCalendar),
  ];
}

/** The first time of each span that is common to all, and those that were accepted. @param {TableTimes} times */
function offered({ times, accepted }) {
  const chosen = new Set(accepted.map(({ time }) => time));
  const isFirst = (/** @type {number} */ n) =>
    n === 0 || Date.parse(times[n].time) - Date.parse(times[n - 1].time) > HALF_HOUR;
  const first = times.filter(({ time }, n) => isFirst(n) || chosen.has(time));
  return first.slice(0, MOST);
}

/**
 * @param {Shown} shown @param {TableTimes} times @param {{time: string, minutes: number, isMine: boolean}} one
 * @param {(time: string) => Promise<void>} accept
 */
function timeLine(shown, { accepted }, { time, minutes, isMine }, accept) {
  const made = button(`${at(time)} · ${span(minutes * MINUTE)}`, `time-${time}`, () => accept(time), "");
  made.setAttribute("aria-pressed", String(isMine));
  const who = accepted.flatMap((one) => (one.time === time ? [isolate(playerOf(shown, one.entrant).name)] : []));
  return h(
    "li",
    {},
    made,
    who.length ? h("span", { class: "soft" }, labelled(t("ui.tournaments.accepted"), list(who))) : null,
  );
}
