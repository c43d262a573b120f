/** Ratings in words: of which games they are, and how certain. */

import { t, titleOf } from "../platform/i18n.js";

export const LADDERS = ["people", "practice", "bots"];
export const TABLES = ["2", "many"];

/** The games that a rating counts: "Carcassonne · two players · practice". @param {import("./profile_calls.js").RatingPlace} place */
export function placeWords({ game, seats, ladder }) {
  return [titleOf(game), t(`ui.profile.tables.${seats}`), t(`ui.profile.ladders.${ladder}`)].join(" · ");
}

/** @param {{rating: number, deviation: number}} known */
export function strength({ rating, deviation }) {
  return `${rating} ± ${deviation}`;
}

/** The page of a leaderboard. @param {import("./profile_calls.js").RatingPlace} place */
export function boardAddress({ game, seats, ladder }) {
  return `/leaderboards/${game}?${new URLSearchParams({ seats, ladder })}`;
}
