/** Entries of the menu about time: give another seat more of it, propose a pause. */

import { choose } from "../elements/dialog.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { span, until } from "../platform/time_words.js";
import { seatName } from "./seats.js";

/** @typedef {import("../table/table.js").Table} Table */

/**
 * @typedef {object} MenuEntry
 * @property {string} name the key of its words in `ui.menu`
 * @property {string} [key] where a name occurs several times
 * @property {string} [title] where the words need values
 * @property {string} note what it means
 * @property {() => Promise<any>} act
 * @property {boolean} [final] it cannot be undone: ask first
 * @property {boolean} [local] it changes nothing at the table
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 86_400 * SECOND;
const PAUSES = {
  live: [5, 15, 60, 180].map((count) => count * MINUTE),
  correspondence: [1, 3, 7, 14, 30].map((count) => count * DAY),
};
/** The longest pause is 30 days: the clock of this device may be a little ahead of the server's. */
const MARGIN = 5 * MINUTE;

/** What may be done about the time of the others. @param {Table} table @param {Seat[]} others @returns {MenuEntry[]} */
export function timeEntries(table, others) {
  const { pace, proposal, rated, paused_until: paused } = table.game;
  if (!pace) return [];
  return [
    ...(rated ? [] : others.filter(({ stand_in: away }) => !away).map(({ seat }) => gift(table, seat, pace))),
    ...(proposal || paused ? [] : [pause(table, pace)]),
  ];
}

/** @param {Table} table @param {number} seat @param {Schemas["Pace"]} pace @returns {MenuEntry} */
function gift(table, seat, { delay }) {
  const values = { name: seatName(table.game, seat), time: span(delay * SECOND, "long") };
  return {
    name: "give_time",
    key: `give_time-${seat}`,
    title: t("ui.menu.give_time", values),
    note: t("ui.menu.give_time_note", values),
    act: () => api.giveTime(table.id, seat, delay),
  };
}

/** @param {Table} table @param {Schemas["Pace"]} pace @returns {MenuEntry} */
function pause(table, { mode }) {
  return {
    name: "pause",
    note: t("ui.menu.pause_note"),
    act: async () => {
      const lengths = PAUSES[/** @type {"live" | "correspondence"} */ (mode)];
      const ends = lengths.map((ms) => new Date(Date.now() + ms - (ms >= 30 * DAY ? MARGIN : 0)));
      const options = ends.map((end, at) => [
        end.toISOString(),
        `${span(lengths[at], "long")} (${until(end.toISOString())})`,
      ]);
      const end = await choose(t("ui.menu.pause"), t("ui.menu.pause_note"), options, t("ui.menu.propose"));
      if (end) await api.propose(table.id, { kind: "pause", until: end });
    },
  };
}
