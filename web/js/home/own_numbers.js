/** My finished games in numbers, by game: counted in this browser, when the player opens them. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { language, t, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

/** @typedef {import("./my_games.js").Game} Game */
/** @typedef {{played: number, won: number, points: number, best: number}} Numbers */

const PAGE = 100;
const PAGES = 20;
const COLUMNS = /** @type {const} */ (["played", "won", "average", "best"]);

/** My seats at a table that was played to its end. @param {Game} game @returns {number[]} */
function mySeats({ seats }) {
  return seats.filter(({ player }) => player?.id === me()?.id).map(({ seat }) => seat);
}

/**
 * What these games come to, by game; of several seats at one table the best counts.
 * @param {Game[]} games @returns {Map<string, Numbers>}
 */
export function countGames(games) {
  /** @type {Map<string, Numbers>} */
  const counts = new Map();
  for (const game of games) {
    const mine = mySeats(game);
    if (!game.result || !mine.length) continue;
    const { scores, winners } = game.result;
    const points = Math.max(...mine.map((seat) => scores[seat] ?? 0));
    const before = counts.get(game.game) ?? { played: 0, won: 0, points: 0, best: points };
    counts.set(game.game, {
      played: before.played + 1,
      won: before.won + (mine.some((seat) => winners.includes(seat)) ? 1 : 0),
      points: before.points + points,
      best: Math.max(before.best, points),
    });
  }
  return counts;
}

/** At most the newest 2 000 finished games of this player. @returns {Promise<Game[]>} */
async function loadFinished() {
  /** @type {Game[]} */
  const games = [];
  let cursor = null;
  for (let page = 0; page < PAGES; page++) {
    const found = await api.games({ player: "me", status: "over", limit: PAGE, cursor });
    games.push(...found.games);
    cursor = found.next_cursor;
    if (!cursor) break;
  }
  return games;
}

/** @param {Map<string, Numbers>} counts */
function drawTable(counts) {
  const round = new Intl.NumberFormat(language(), { maximumFractionDigits: 1 });
  const head = COLUMNS.map((name) => h("th", { scope: "col" }, t(`ui.home.numbers.${name}`)));
  const rows = [...counts].map(([game, { played, won, points, best }]) =>
    h(
      "tr",
      { "data-game": game },
      h("th", { scope: "row" }, titleOf(game)),
      [played, won, points / played, best].map((number) => h("td", {}, round.format(number))),
    ),
  );
  return h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), head)), h("tbody", {}, rows));
}

export class OwnNumbers {
  constructor() {
    this.place = h("div", { "aria-live": "polite", tabindex: "0" });
    /** @type {HTMLDetailsElement} */
    this.element = h(
      "details",
      { class: "numbers", ontoggle: () => this.element.open && this.#load().catch(explain) },
      h("summary", {}, t("ui.home.numbers.title")),
      this.place,
    );
  }

  async #load() {
    show(this.place, h("p", { class: "soft" }, t("ui.home.numbers.counting")));
    show(this.place, drawTable(countGames(await loadFinished())));
  }
}
