/** A turn that was not made, over the board as it is: the tile as it would lie, and its follower. */

import { svg } from "../../elements/dom.js";
import { drawPins } from "./ghost_tile.js";
import { spots } from "./segment_spots.js";

/**
 * @typedef {import("../../board/board.js").Board} Board
 */

/**
 * A laid tile or the tile in hand that looks like this one: its symbol, its areas, its rotation.
 * @param {Board} board @param {string} letter
 */
function findTwin(board, letter) {
  const laid = board.find(`g.tile[data-tile="${letter}"]`);
  const twin = laid ?? board.find(".hand");
  const rotation = Number(laid?.dataset.rotation ?? 0);
  const areas = [...(twin?.querySelectorAll("[data-segment]") ?? [])];
  return { href: twin?.querySelector("use")?.getAttribute("href") ?? "", rotation, areas };
}

/** @param {Board} board @param {string} letter @param {{x: number, y: number, rotation: number}} place */
function shadedTile(board, letter, { x, y, rotation }) {
  const twin = findTwin(board, letter);
  const exact = twin.href.replace(/\d+$/, String(rotation));
  const drawing = board.find(exact)
    ? svg("use", { href: exact })
    : svg("use", { href: twin.href, transform: `rotate(${rotation - twin.rotation} 50 50)` });
  return svg(
    "g",
    { class: "shaded", transform: `translate(${x * 100} ${y * 100})` },
    drawing,
    svg(
      "g",
      { transform: `rotate(${rotation} 50 50)` },
      twin.areas.map((area) => area.cloneNode(false)),
    ),
    svg("rect", { class: "frame", width: 100, height: 100 }),
  );
}

/**
 * Draw the moves of a turn.
 * @param {Board} board @param {Move[]} moves @param {Decision} decision which they would answer
 */
export function shade(board, moves, { seat, context }) {
  const within = board.find(".board");
  if (!within) return;
  const tile = moves.find(({ type }) => type === "place_tile");
  const place = /** @type {any} */ (tile ?? context);
  const ghost = shadedTile(board, context.tile, place);
  board.overlay(ghost, within);
  const follower = moves.find(({ type }) => type === "place_follower" || type === "skip_follower");
  if (follower) {
    const segment = follower.segment ?? null;
    board.overlay(drawPins(place, [segment], spots(ghost), segment, seat), within);
  }
  if (!board.viewport.shows(/** @type {any} */ (ghost))) board.viewport.scrollTo(/** @type {any} */ (ghost));
}
