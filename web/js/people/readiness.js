/** Before the start: what the pace of the table is, and who is ready at a live table. */

import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { span } from "../platform/time_words.js";

/** @typedef {import("../table/table.js").Table} Table */

const SECOND = 1000;

/** Is readiness asked for at this table? @param {Game} game */
function asksForReadiness(game) {
  return game.status === "open" && game.pace?.mode === "live" && game.start === "host";
}

/** The pace, and what happens when the time is over: shown before the first player sits down. @param {Game} game */
export function paceLine({ pace, on_timeout: rule }) {
  if (!pace) return null;
  const long = (/** @type {number} */ seconds) => span(seconds * SECOND, "long");
  return h(
    "p",
    { class: "pace-line" },
    t(`ui.pace.${pace.mode}`),
    " ",
    t("ui.pace.explained", { delay: long(pace.delay), bank: long(pace.bank) }),
    " ",
    h("strong", {}, t(`ui.pace.timeouts.${rule}.note`)),
  );
}

/** @param {Table} table @param {Seat} seat */
export function readyBadge({ game }, { player, ready }) {
  if (!asksForReadiness(game) || !player) return null;
  const word = ready ? "ready" : "not_ready";
  return h("span", { class: "badge", "data-ready": String(Boolean(ready)) }, t(`ui.ready.${word}`));
}

/** The own seats that are not as `ready` says. @param {Table} table @param {boolean} ready */
function ownSeats({ game, mine }, ready) {
  return mine.filter((seat) => Boolean(game.seats[seat].ready) !== ready);
}

/** "I am ready", and the way back. The host says so by starting. @param {Table} table */
export function readyButton(table) {
  if (!asksForReadiness(table.game) || !table.mine.length || table.isHost) return null;
  const ready = ownSeats(table, true).length > 0;
  return h(
    "p",
    {},
    h(
      "button",
      {
        class: ready ? "confirm" : "plain",
        "data-act": ready ? "ready" : "not_ready",
        "data-key": "ready",
        onclick: () => table.act(() => say(table, ready)).catch(explain),
      },
      t(ready ? "ui.ready.say" : "ui.ready.take_back"),
    ),
    ready
      ? h("span", { class: "soft" }, " ", t(table.game.tournament ? "ui.ready.round_note" : "ui.ready.note"))
      : null,
  );
}

/** @param {Table} table @param {boolean} ready */
async function say(table, ready) {
  for (const seat of ownSeats(table, ready)) await api.ready(table.id, seat, ready);
}

/** The host who starts is ready. @param {Table} table */
export async function startNow(table) {
  if (asksForReadiness(table.game)) await say(table, true);
  return api.start(table.id);
}
