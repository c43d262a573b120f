/** The pages of tournaments: which one an address opens. Their style comes with their code. */

import { addStyle } from "../elements/dom.js";
import { newTournamentPage } from "./announcing/new_tournament.js";
import { comparisonPage } from "./comparison_page.js";
import { listPage } from "./list_page.js";
import { tournamentPage } from "./tournament_page.js";
import { tournamentsStyle } from "./tournaments_style.js";

/**
 * `/tournaments`, `/tournaments/new`, `/tournaments/<id>`, with `?comparison=2` what the tables of a round made of it.
 * @param {URL} url @returns {Promise<import("../platform/router.js").Page>}
 */
export async function openTournaments(url) {
  await addStyle(tournamentsStyle);
  const id = decodeURIComponent(url.pathname.split("/")[2] ?? "");
  if (!id) return listPage();
  if (id === "new") return newTournamentPage();
  const round = Number(url.searchParams.get("comparison"));
  return round ? comparisonPage(id, round) : tournamentPage(id);
}
