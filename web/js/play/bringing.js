/** A move that the picture shows comes into sight. */

import { findPlace } from "./controls.js";

/** @param {import("../board/board.js").Board} board @param {string} game @param {Move} move @param {import("./game_module.js").Ask} ask */
export function bringMove(board, game, move, ask) {
  const { x, y } = move;
  const cell = x === undefined ? null : `[data-x="${x}"][data-y="${y}"]`;
  const place = cell ?? findPlace(game, move, ask);
  const found = place && board.find(place);
  if (found && !board.viewport.shows(found)) board.viewport.scrollTo(found);
}
