/** The standings: place, points and what separates equal points. */

import { playerLink } from "../bots/bot_sign.js";
import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { pointsWords } from "./facts/terms.js";

/** Those that are numbers, and say something to a reader. */
const SHOWN = /** @type {const} */ (["opponents", "margin"]);

/** @param {import("./facts/shown.js").Shown} shown */
export function drawStandings({ tournament, standings }) {
  if (!standings.length) return null;
  const separating = tournament.tiebreaks.flatMap((name) => SHOWN.filter((one) => one === name));
  const heads = [
    t("ui.profile.columns.rank"),
    t("ui.profile.columns.player"),
    t("ui.tournaments.points"),
    ...separating.map((name) => t(`ui.tournaments.tiebreaks.${name}`)),
  ];
  return [
    h("h2", {}, t("ui.tournaments.standings")),
    h(
      "table",
      { class: "board-rows tour-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h(
        "tbody",
        {},
        standings.map((row) => drawRow(row, separating)),
      ),
    ),
  ];
}

/** @param {import("./facts/tournament_calls.js").Standing} row @param {(typeof SHOWN)[number][]} separating */
function drawRow({ rank, player, points, tiebreaks, gone }, separating) {
  return h(
    "tr",
    { id: `standing-${player.id}`, class: [player.id === me()?.id ? "own" : "", gone ? "gone" : ""].join(" ").trim() },
    h("td", {}, rank),
    h(
      "th",
      { scope: "row" },
      playerLink(player),
      gone ? h("span", { class: "badge" }, t("ui.tournaments.gone")) : null,
    ),
    h("td", {}, pointsWords(points)),
    separating.map((name) => h("td", {}, pointsWords(tiebreaks[name] ?? 0))),
  );
}
