/** What a bot is, in words: how strong, how quick, what it accepts. */

import { language, t, titleOf } from "../platform/i18n.js";

/**
 * @typedef {Answer<"list_own_bots">["bots"][number]} Bot
 * @typedef {Bot["accepts"]} Accepts
 */

const SEATS = 4; // sizes of tables, from two to five seats
const PACES = ["live", "correspondence", "untimed"];

/** @param {Bot} bot */
export function sayStrength({ strength }) {
  return strength === null ? t("ui.bots.unmeasured") : t("ui.bots.strength", { n: strength });
}

/** How long a turn takes; "" before it is measured. @param {Bot} bot */
export function sayPace({ pace }) {
  if (pace === null) return "";
  return t("ui.bots.pace", { s: Math.max(0.1, Math.round(pace / 100) / 10).toLocaleString(language()) });
}

/** What a bot accepts, the restrictions alone: a new bot accepts everything. @param {Accepts} accepts */
export function sayAccepts({ games, seats, paces, parallel, from }) {
  return [
    games ? games.map(titleOf).join(", ") : t("ui.bots.accepts.all_games"),
    seats.length < SEATS ? t("ui.bots.accepts.seats", { seats: seats.join(", ") }) : "",
    paces.length < PACES.length ? paces.map((pace) => t(`ui.bots.accepts.paces.${pace}`)).join(", ") : "",
    t("ui.bots.accepts.parallel", { n: parallel }),
    from === "owner" ? t("ui.bots.accepts.owner") : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Does a bot accept such a table? What it accepts may have changed by the time it is invited: the service judges.
 * @param {Bot} bot @param {{game: string, seats: number, pace: string}} table `pace` is `untimed` without clocks
 */
export function fitsTable({ accepts: { games, seats, paces } }, { game, seats: size, pace }) {
  const fitsGame = games === null || games.includes(game);
  return fitsGame && seats.includes(size) && paces.some((one) => one === pace);
}
