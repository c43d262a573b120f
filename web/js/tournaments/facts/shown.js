/** What the page of a tournament shows, and who of it is this person. */

import { me } from "../../platform/identity.js";

/** @typedef {import("./tournament_calls.js").TournamentEntrant} TournamentEntrant */
/** @typedef {import("./tournament_calls.js").RoundTable} RoundTable */

/**
 * @typedef {object} Shown
 * @property {import("./tournament_calls.js").Tournament} tournament
 * @property {TournamentEntrant[]} entrants
 * @property {import("./tournament_calls.js").Standing[]} standings none before the start
 * @property {import("./tournament_calls.js").Round | null} round the one that is looked at; null before the first one, and
 *   in an arena, where each pairing is a round of its own
 * @property {RoundTable[]} tables those that are looked at
 * @property {RoundTable[]} current those of now: of the latest round, of an arena all that are played
 * @property {string | null | undefined} ownGame the game of this person's table; null: being made; undefined: no table
 * @property {Answer<"show_table_times"> | null} times when that table could play; null in a live tournament
 * @property {Map<string, Summary>} games those whose boards were in sight, by id
 */

/** @typedef {(change: () => Promise<any>) => Promise<void>} Act do something, and show what has come of it */

/** Those who play on. @param {Pick<Shown, "entrants">} shown */
export const present = ({ entrants }) => entrants.filter(({ gone }) => !gone);

/** The entrant that this person is, if any. @param {Pick<Shown, "entrants">} shown */
export function ownEntrant(shown) {
  const id = me()?.id;
  return present(shown).find(({ player }) => player.id === id) ?? null;
}

/** Whether this person is the host. @param {Shown} shown */
export const isHost = ({ tournament }) => tournament.host.id === me()?.id;

/** Who has a number. @param {Shown} shown @param {number} number */
export function playerOf({ entrants }, number) {
  return /** @type {TournamentEntrant} */ (entrants.find(({ entrant }) => entrant === number)).player;
}

/** The table at which an entrant plays now. @param {Pick<Shown, "current">} shown @param {number | undefined} own */
export function ownTable({ current }, own) {
  return current.find(({ seats, status }) => status === "playing" && seats.some((number) => number === own));
}
