/**
 * Sends moves that wait for the line while their table is not open: the person may be on another
 * page, or have closed the browser meanwhile. A table that is open sends its move itself; one of this device always
 * does, because the service does not know its game, and would refuse the move.
 */

import { note } from "../elements/announce.js";
import { Problem } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { isLocal } from "../platform/local_games.js";
import { deliver, findUnsent, isPassing, listUnsent } from "./move_queue.js";
import { keepStanding } from "./standing_answer.js";

const AGAIN = 15_000; // ms

/** Tables that are open in this tab. @type {Set<string>} */
const open = new Set();

/** This table sends its moves itself from now on. @param {string} game */
export function takeOver(game) {
  open.add(game);
}

/** The table is closed: what still waits is sent from here. @param {string} game */
export function handOver(game) {
  open.delete(game);
}

/** @param {string} game */
async function send(game) {
  const entry = findUnsent(game);
  if (!entry || open.has(game)) return;
  try {
    const part = await deliver(game, entry, { layout: "tall" }, () => {}); // with a picture come the next moves
    const sent = t("ui.unsent.sent", { move: entry.title });
    if (part) note(`${sent} ${t("ui.unsent.partly", { ...part })}`, "trouble");
    else note(sent);
    if (entry.always) await keepStanding(game, entry.always);
  } catch (error) {
    if (isPassing(error)) return; // the next round tries again
    if (!(error instanceof Problem)) throw error;
    const reason = error.code === "stale_version" ? t("ui.unsent.too_late") : error.message;
    note(t("ui.unsent.refused", { move: entry.title, reason }), "trouble");
  }
}

function listWaiting() {
  return listUnsent().filter((game) => !isLocal(game));
}

async function sendAll() {
  if (!me()) return;
  for (const game of listWaiting()) await send(game);
}

/** Begin: now, whenever the line is back, and every few seconds while something waits. */
export function startCourier() {
  const go = () => sendAll().catch(reportError);
  addEventListener("online", go);
  setInterval(() => listWaiting().length && go(), AGAIN);
  setTimeout(go, AGAIN / 10); // the page that opens now comes first
}
