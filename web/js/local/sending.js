/**
 * Local games go to the account when there is a network: each as it stands, so that another device goes on;
 * a game that is over is imported as well, and is then among the finished games. Its draws are not proved.
 */

import { note } from "../elements/announce.js";
import { call, Problem, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { keepGame, listGames } from "./game_store.js";

let isSending = false;

/** Send what the account does not have yet; without a network nothing happens. */
export async function sendGames() {
  if (!me() || isSending || !navigator.onLine) return;
  isSending = true;
  try {
    for (const record of await listGames()) if (record.sent !== record.updated_at) await send(record);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error; // the next time
  } finally {
    isSending = false;
  }
}

/** @param {import("./game_store.js").LocalRecord} record */
async function send(record) {
  try {
    await call(`/players/me/local_games/${record.id}`, "PUT", { transcript: record.transcript });
    await keepGame({ ...record, sent: record.updated_at });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    note(t("ui.local.refused", { reason: error.message }), "trouble");
  }
}
