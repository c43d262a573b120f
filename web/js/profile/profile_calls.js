/** The calls about players: their figures, and what this player thinks of them. */

import { call } from "../platform/api.js";

/** @typedef {{game: string, seats: string, ladder: string}} RatingPlace which ratings are compared with each other */

/** @param {Record<string, string | null>} values */
function ask(values) {
  const known = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return `?${new URLSearchParams(known)}`;
}

export const profiles = {
  /** @param {string} id @returns {Promise<Answer<"show_player">>} */
  player: (id) => call(`/players/${id}`),
  /** @param {string} id @param {string} game @param {string} seats "" for all tables @returns {Promise<Answer<"show_statistics">>} */
  statistics: (id, game, seats) => call(`/players/${id}/statistics${ask({ game, seats })}`),
  /** @param {string} id @param {RatingPlace} place @returns {Promise<Answer<"show_history">>} */
  history: (id, { game, seats, ladder }) => call(`/players/${id}/ratings/history${ask({ game, seats, ladder })}`),
  /** @param {RatingPlace} place @param {string | null} cursor @returns {Promise<Answer<"show_leaderboard">>} */
  board: ({ game, seats, ladder }, cursor) => call(`/leaderboards/${game}${ask({ seats, ladder, cursor })}`),
  /** @returns {Promise<Answer<"list_follows">>} */
  follows: () => call("/players/me/follows"),
  /** @param {string} id */
  follow: (id) => call(`/players/me/follows/${id}`, "PUT"),
  /** @param {string} id */
  unfollow: (id) => call(`/players/me/follows/${id}`, "DELETE"),
  /** @param {string} id */
  block: (id) => call(`/players/me/blocks/${id}`, "PUT"),
};
