/** The end of a game that counts: how well the person plays by now, and which bot would be a match. */

import { h, show } from "../elements/dom.js";
import { botName } from "../people/seats.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";

/** The service counts a result within a second: so often is it asked, and after so many ms. */
const TRIES = 5;
const AGAIN = 600;
/** Points of strength, as the catalogue has them, in a point of a rating (docs/ratings.md). */
const SHARE = 400 / 814;
/** Above this deviation the number says little, as after a first game. */
const UNSURE = 200;

/**
 * A paragraph for the end of a game, hidden until the service has counted the result.
 * @param {import("../table/table.js").Table} table
 */
export function standing(table) {
  const box = h("p", { class: "standing", role: "status", hidden: true });
  const [seat] = table.mine;
  if (seat === undefined || isLocal(table.id) || !table.game.ladder) return box;
  fill(box, table, seat).catch(() => box.remove()); // the profile has the rating as well
  return box;
}

/** @param {HTMLElement} box @param {import("../table/table.js").Table} table @param {number} seat */
async function fill(box, table, seat) {
  const after = await wait(table.id, seat);
  if (!after) return;
  const { rating, deviation } = after;
  const practises = table.game.ladder === "practice";
  const words = [t(practises ? "ui.ending.plays" : "ui.ending.rating", { rating, deviation })];
  const match = practises ? await findMatch(table.game.game, rating) : null;
  if (match) words.push(t("ui.ending.match", { bot: botName(match) }));
  if (deviation > UNSURE) words.push(t("ui.ending.scale"));
  show(box, words.join(" "));
  box.hidden = false;
}

/** @param {string} id @param {number} seat */
async function wait(id, seat) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const after = (await api.ratingsOf(id)).seats[seat]?.after;
    if (after) return after;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
  return null;
}

/** The bot whose strength is nearest, null where none is measured. @param {string} name of the game @param {number} rating */
export async function findMatch(name, rating) {
  const { games } = await api.catalogue();
  const bots = games.find((game) => game.name === name)?.bots ?? [];
  const far = (/** @type {{strength: number | null}} */ { strength }) =>
    strength === null ? Infinity : Math.abs(strength - 1500 - (rating - 1500) * SHARE);
  const [nearest] = [...bots].sort((one, other) => far(one) - far(other));
  return nearest && nearest.strength !== null ? nearest.name : null;
}
