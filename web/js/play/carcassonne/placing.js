/**
 * Laying a tile: touch a place, touch again to turn the tile, confirm; or go through places and
 * rotations with buttons. The tile is shown where it would lie.
 */

import { h, svg } from "../../dom.js";
import { t } from "../../i18n.js";

/** @typedef {import("../index.js").Ask} Ask */
/** @typedef {import("../index.js").Move} Move */

const TILE = 100; // the side of a tile in the picture
const LEAST = 52; // pixels on the screen, so that a place can be touched

/** @param {Move[]} moves @returns {{x: number, y: number, moves: Move[]}[]} */
function placesOf(moves) {
  /** @type {Map<string, {x: number, y: number, moves: Move[]}>} */
  const places = new Map();
  for (const move of moves) {
    const key = `${move.x},${move.y}`;
    if (!places.has(key)) places.set(key, { x: move.x, y: move.y, moves: [] });
    places.get(key)?.moves.push(move);
  }
  return [...places.values()].sort((a, b) => a.y - b.y || a.x - b.x);
}

/** @param {{x: number, y: number}} place */
function cell({ x, y }) {
  return `[data-x="${x}"][data-y="${y}"]`;
}

/** The tile as it would lie: the drawing of the one in hand, turned. @param {string} drawing @param {Move} move */
function shadow(drawing, { x, y, rotation }) {
  return svg(
    "g",
    { class: "preview", transform: `translate(${x * TILE} ${y * TILE})`, "data-x": x, "data-y": y },
    svg("use", { href: drawing, transform: `rotate(${rotation} 50 50)` }),
    svg("rect", { class: "frame", width: TILE, height: TILE }),
    svg("path", { class: "turn", d: "M74 14a12 12 0 1 1-8-3l-4-5m4 5l-6 3" }),
  );
}

/** @param {Ask} ask */
export function placingControl(ask) {
  const { board, moves } = ask;
  const places = placesOf(moves);
  let at = -1;
  let turn = 0;

  const words = h("p", { class: "where" }, t("ui.carcassonne.touch", { n: places.length }));
  const step = (
    /** @type {string} */ name,
    /** @type {string} */ face,
    /** @type {() => void} */ onclick,
  ) =>
    h(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": t(`ui.carcassonne.${name}`),
        title: t(`ui.carcassonne.${name}`),
        onclick,
        "data-key": name,
      },
      face,
    );
  const turner = step("turn", "⟳", () => choose(at < 0 ? 0 : at, turn + 1));
  const drawing = board.find(".hand use")?.getAttribute("href") ?? "";
  const hand = board.piece(drawing);
  const element = h(
    "div",
    { class: "placing" },
    hand.element,
    h(
      "div",
      { class: "steps" },
      step("before", "‹", () => choose(at - 1, 0)),
      turner,
      step("after", "›", () => choose(at + 1, 0)),
    ),
    words,
  );

  /** @param {number} place @param {number} rotation */
  function choose(place, rotation) {
    at = (place + places.length) % places.length;
    turn = rotation % places[at].moves.length;
    draw();
    const shown = board.find(".preview");
    if (shown) board.reveal(shown, LEAST);
  }

  function draw() {
    ask.touch(
      places.map((place, index) => ({
        place: cell(place),
        chosen: index === at,
        pick: () => choose(index, index === at ? turn + 1 : 0),
      })),
    );
    if (at < 0) return;
    const move = places[at].moves[turn];
    const within = board.find(".board");
    if (within && drawing) board.overlay(shadow(drawing, move), within);
    hand.turn(move.rotation);
    turner.toggleAttribute("disabled", places[at].moves.length < 2);
    words.replaceChildren(
      t("ui.carcassonne.place_of", { n: at + 1, of: places.length }),
      " · ",
      t("ui.carcassonne.rotation_of", { n: turn + 1, of: places[at].moves.length }),
    );
    ask.choose(move);
  }

  draw();
  queueMicrotask(() => {
    // when the panel has its size
    const sample = board.find(".open");
    if (sample) board.fit(sample, LEAST);
    const near = board.find("[data-last]") ?? sample;
    if (near) board.reveal(near);
  });
  return element;
}
