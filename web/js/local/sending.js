/**
 * Local games and the account. When there is a network, each game goes there as it stands, and those of
 * other devices come here. A game that is over is imported as well, and is then among the finished games of
 * the player; its draws are not proved.
 */

import { note } from "../elements/announce.js";
import { api, call, Problem, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { newLocalId } from "../platform/local_games.js";
import { keepGame, listGames, readGame } from "./game_store.js";

const PATH = "/players/me/local_games";
const TOO_MANY = 429;

/** @typedef {import("./game_store.js").LocalRecord} LocalRecord */

let isSending = false;

/** Send at the start of a page, and when the network is back, if this device has something to send. */
export async function sendNew() {
  if (me() && navigator.onLine && (await listGames()).some(isNew)) await sendGames();
}

/** Send what the account does not have, then take what this device does not have. Without a network nothing happens. */
export async function sendGames() {
  if (!me() || isSending || !navigator.onLine) return;
  isSending = true;
  try {
    const { games } = await call(PATH);
    for (const { id, stored_at } of games) await take(id, stored_at);
    for (const record of await listGames()) if (isNew(record)) await send(record);
  } catch (error) {
    // The next time: the line is down, or it was asked for too often.
    const isPassing = error instanceof Unreachable || (error instanceof Problem && error.status === TOO_MANY);
    if (!isPassing) throw error;
  } finally {
    isSending = false;
  }
}

/** @param {LocalRecord} record */
function isNew({ sent, updated_at }) {
  return sent !== updated_at;
}

/** @param {LocalRecord} record */
async function send(record) {
  const { id, transcript, updated_at, over, stored_at: replaces } = record;
  try {
    const { stored_at } = await call(`${PATH}/${id}`, "PUT", { transcript, replaces });
    // The same key whenever it is sent again: it is imported once.
    if (over) await api.importGame(transcript, `${id}-over`);
    await keepGame({ ...((await readGame(id)) ?? record), sent: updated_at, stored_at });
  } catch (error) {
    if (!(error instanceof Problem) || error.status === TOO_MANY) throw error;
    // Another device was faster: the next time its game is taken, and this one becomes a game of its own.
    if (error.code === "stale_version") return;
    note(t("ui.local.refused", { reason: error.message }), "trouble");
  }
}

/** Take a game of the account that another device has stored meanwhile. @param {string} id @param {string} stored_at */
async function take(id, stored_at) {
  const own = await readGame(id);
  if (own?.stored_at === stored_at) return;
  // Both devices went on: nothing is lost, the own course becomes a game of its own.
  if (own && isNew(own)) await keepGame({ ...own, id: newLocalId(), sent: "", stored_at: "" });
  const { transcript, over } = await call(`${PATH}/${id}`);
  const seats = transcript.local_seats ?? Array.from({ length: transcript.seats }, () => ({ kind: "me" }));
  const known = { id, game: transcript.game, seats, transcript, over };
  await keepGame({ ...known, updated_at: stored_at, sent: stored_at, stored_at });
}

/** A game is deleted here: in the account as well, when that is possible. @param {string} id */
export async function forgetSent(id) {
  if (me() && navigator.onLine) await call(`${PATH}/${id}`, "DELETE");
}
