/** Seeks over the API: make one, or sit down at a table that fits; say what became of it; end it. */

import { readAfter } from "../inbox/unread.js";
import { api, call, Problem } from "../platform/api.js";

/** @typedef {import("../platform/kept_seek.js").SeekWish} SeekWish */
/** @typedef {Answer<"make_seek">} Sought */
/** @typedef {NonNullable<Sought["seek"]>} Seek */

/** @typedef {{table: string} | {seek: Seek}} Outcome the table at which the person sits, or may sit down; or a seek that waits */

/**
 * Look for players. A casual table of the lobby that fits is taken at once; at a rated one the person sees first what is
 * at stake.
 * @param {SeekWish} wish @param {boolean} [isNew] without the tables of the lobby @returns {Promise<Outcome>}
 */
export async function seekPlayers(wish, isNew = false) {
  /** @type {Sought} */
  const found = await call("/seeks", "POST", { ...wish, ...(isNew && { new: true }) });
  if (found.seek) return found.seek.table ? { table: found.seek.table } : { seek: found.seek };
  const table = wish.rated ? found.tables[0].id : await sitDown(found.tables);
  return table ? { table } : seekPlayers(wish, true);
}

/**
 * Take a seat at the first of some tables that still has one.
 * @param {{id: string}[]} tables @returns {Promise<string | null>} the table, null: others were faster at all of them
 */
async function sitDown(tables) {
  for (const { id } of tables) {
    try {
      await api.join(id, null);
      return id;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
  return null;
}

/** The open seeks of this player. @returns {Promise<Seek[]>} */
export async function ownSeeks() {
  return (await call("/seeks?player=me")).seeks;
}

/**
 * The table of a seek, "" while it waits, null when it has ended without one.
 * @param {string} id @returns {Promise<string | null>}
 */
export async function tableOf(id) {
  const open = (await ownSeeks()).find((seek) => seek.id === id);
  if (open) return open.table ?? "";
  const { items } = await readAfter("");
  const said = items.find(({ type, data }) => type === "seek_matched" && data.seek === id);
  return said?.data.game ?? null;
}

/** Whether this player has a seat at a live table that is not over: then nothing else live is looked for. */
export async function sitsAtLiveTable() {
  /** @type {Answer<"list_games">} */
  const { games } = await call("/games?player=me&pace=live");
  return games.some(({ status }) => status === "open" || status === "running");
}

/** Look for players no more. @param {string} id @returns {Promise<string | null>} the table that was found in the meantime */
export async function endSeek(id) {
  try {
    await call(`/seeks/${id}`, "DELETE");
    return null;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return (await tableOf(id)) || null;
    throw error;
  }
}

/**
 * How many look for a game at a pace now, and how long that takes.
 * @param {string} game @param {string} mode of the pace, `none` without one
 * @returns {Promise<{waiting: number, median_wait_s: number | null}>}
 */
export async function countSeekers(game, mode) {
  /** @type {Answer<"summarise_seeks">} */
  const { paces } = await call(`/seeks/summary?game=${encodeURIComponent(game)}`);
  return paces.find(({ pace }) => pace === mode) ?? { waiting: 0, median_wait_s: null };
}
