/** The tables that are best to watch: people before bots, no two alike, with scores and round. */

import { h } from "../elements/dom.js";
import { seatName, signOf } from "../people/seats.js";
import { api, Problem, Unreachable } from "../platform/api.js";
import { ago, t, titleOf } from "../platform/i18n.js";
import { gameModule, loadGame } from "../play/game_module.js";
import { isMine, peopleOf } from "./my_games.js";
import { thumbnail } from "./thumbnail.js";

/** @typedef {import("./my_games.js").Game} Game */

export const SHOWN = 3;

/** Tables with the same game and the same players look alike. @param {Summary} game */
function looksOf(game) {
  const names = game.seats.map(({ name, player, bot }) => name || player?.name || bot);
  return JSON.stringify([game.game, names.sort()]);
}

/** @param {Game[]} running public games */
export function chooseBest(running) {
  const others = running.filter((game) => !isMine(game));
  others.sort((one, other) => peopleOf(other) - peopleOf(one) || other.updated_at.localeCompare(one.updated_at));
  const looks = new Set();
  return others.filter((game) => !looks.has(looksOf(game)) && looks.add(looksOf(game))).slice(0, SHOWN);
}

/** Add the view of each table: the list has no scores. @param {Game[]} games */
export async function addViews(games) {
  return Promise.all(games.map(addView));
}

/** @param {Summary} game */
async function addView(game) {
  try {
    const [full] = await Promise.all([api.game(game.id), loadGame(game.game)]);
    return full;
  } catch (error) {
    if (error instanceof Problem || error instanceof Unreachable) return game; // without scores
    throw error;
  }
}

/** @param {Game} game with its view */
export function watchCard(game) {
  const scores = game.view ? gameModule(game.game).scores(game.view) : [];
  const round = game.view?.round;
  return h(
    "li",
    {},
    h(
      "a",
      { class: `card tall game-${game.game}`, href: `/games/${game.id}`, "data-key": game.id },
      thumbnail(game),
      h("span", { class: "title" }, titleOf(game.game)),
      h(
        "span",
        { class: "standings" },
        game.seats.map(({ seat }) =>
          h("span", {}, seatName(game, seat), signOf(game, seat), " ", h("b", {}, scores[seat] ?? "")),
        ),
      ),
      h(
        "span",
        { class: "state" },
        [round ? t("ui.home.round", { n: round }) : "", t("ui.home.began", { ago: ago(game.created_at) })]
          .filter(Boolean)
          .join(" · "),
      ),
    ),
  );
}
