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
import { changeUnheld } from "./game_hold.js";
import { changeGame, listGames, listGone, markGone, readGame, removeGame } from "./game_store.js";
import { addCourse, lineOf } from "./lines.js";

const PATH = "/players/me/local_games";
const TOO_MANY = 429;
/** So much the account takes of one game. */
const MOST_BYTES = 100_000;

/** @typedef {import("./game_store.js").LocalRecord} LocalRecord */

let isSending = false;

/** Send at the start of a page, and when the network is back, if this device has something to send. */
export async function sendNew() {
  if (!me() || !navigator.onLine) return;
  if ((await listGames()).some(isNew) || (await listGone()).length) await sendGames();
}

/** Send what the account does not have, then take what this device does not have. Without a network nothing happens. */
export async function sendGames() {
  if (!me() || isSending || !navigator.onLine) return;
  isSending = true;
  try {
    for (const id of await listGone()) await forget(id);
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

/** The account forgets a game that was deleted here. @param {string} id */
async function forget(id) {
  await call(`${PATH}/${id}`, "DELETE");
  await removeGame(id);
}

/** Delete a game here; the account hears of it now, or when there is a network. @param {string} id */
export async function deleteGame(id) {
  if (!me()) return removeGame(id); // no account has it
  await markGone(id);
  await sendGames();
}

/** @param {LocalRecord} record */
function isNew({ sent, updated_at }) {
  return sent !== updated_at;
}

/** @param {LocalRecord} record */
async function send(record) {
  const { id, transcript, updated_at, over, lines, stored_at: replaces } = record;
  try {
    const { stored_at } = await call(`${PATH}/${id}`, "PUT", { transcript: withLines(transcript, lines), replaces });
    await noteSent(id, { stored_at }); // before the import, which may fail: the next time this one is replaced
    // The same key whenever it is sent again: it is imported once. On an analysis board nothing was played.
    if (over && !lines) await api.importGame(transcript, `${id}-over`);
    await noteSent(id, { sent: updated_at });
  } catch (error) {
    if (!(error instanceof Problem) || error.status === TOO_MANY) throw error;
    // Another device was faster: the next time its game is taken, and this one becomes a game of its own.
    if (error.code === "stale_version") return;
    note(t("ui.local.refused", { reason: error.message }), "trouble");
  }
}

/** Note what the account has, unless the game was deleted meanwhile. @param {string} id @param {Partial<LocalRecord>} known */
function noteSent(id, known) {
  return changeGame(id, (kept) => (kept ? [{ ...kept, ...known }] : []));
}

/** The lines of an analysis board go along as far as the account has room for them. @param {any} transcript @param {LocalRecord["lines"]} lines */
function withLines(transcript, lines) {
  if (!lines) return transcript;
  const whole = { ...transcript, local_lines: lines };
  const size = new TextEncoder().encode(JSON.stringify(whole)).length;
  return size < MOST_BYTES ? whole : { ...transcript, local_lines: [] };
}

/** @param {any} transcript @param {LocalRecord | undefined} own @returns {import("./lines.js").Line[]} */
function linesOf(transcript, own) {
  const known = [...(own?.lines ?? []), ...transcript.local_lines, lineOf(transcript)];
  return known.reduce(addCourse, []);
}

/**
 * Take a game of the account that another device has stored meanwhile. A game that is open here is taken the next
 * time: its table would write its own course in place of what was taken.
 * @param {string} id @param {string} stored_at
 */
async function take(id, stored_at) {
  if ((await listGone()).includes(id)) return; // deleted here meanwhile
  if ((await readGame(id))?.stored_at === stored_at) return;
  const found = await call(`${PATH}/${id}`);
  await changeUnheld(id, () => changeGame(id, (own, isGone) => (isGone ? [] : replace(own, found))));
}

/** The game as the account has it, in place of the own one. @param {LocalRecord | undefined} own @param {any} found @returns {LocalRecord[]} */
function replace(own, { id, stored_at, transcript, over }) {
  if (own?.stored_at === stored_at) return []; // another tab was faster
  // Both devices went on: nothing is lost, the own course becomes a game of its own.
  const course = own && isNew(own) ? [{ ...own, id: newLocalId(), sent: "", stored_at: "" }] : [];
  const seats = transcript.local_seats ?? Array.from({ length: transcript.seats }, () => ({ kind: "me" }));
  const board = transcript.local_lines ? { lines: linesOf(transcript, own) } : {};
  const known = { id, game: transcript.game, seats, transcript, over, ...board };
  return [...course, { ...known, updated_at: stored_at, sent: stored_at, stored_at }];
}
