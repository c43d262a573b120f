/** The tile as it would lie, with a pin on each segment that may be taken. */

import { svg } from "../../elements/dom.js";

/**
 * @typedef {import("../../board/board.js").Board} Board
 * @typedef {import("./segment_spots.js").Spot} Spot
 */

/** Where "no follower" is pointed at: below the tile. */
const NO_FOLLOWER = { x: 50, y: 119 };
/** Where the sign of turning is drawn, and where it may stand. */
const SIGN = { x: 71, y: 19 };
const CORNERS = [SIGN, { x: 19, y: 19 }, { x: 81, y: 81 }, { x: 19, y: 81 }];
/** So many pixels of a tile make its pins large enough for a finger, or for a mouse. */
const [FOR_FINGERS, FOR_A_MOUSE] = [164, 100];
const ROLES = { c: "knight", r: "highwayman", m: "monk", f: "farmer" };

/** How wide a tile must be on the screen, so that its pins can be touched. */
export function pinned() {
  return matchMedia("(pointer: coarse)").matches ? FOR_FINGERS : FOR_A_MOUSE;
}

/**
 * The tile in hand at a place, turned. Its segments are areas as those of a tile that lies.
 * @param {Board} board @param {Move} move @param {boolean} turns whether it can be turned
 */
export function ghostTile(board, { x, y, rotation }, turns) {
  const hand = board.find(".hand");
  const drawing = hand?.querySelector("use")?.getAttribute("href") ?? "";
  const turned = drawing.replace(/\d+$/, String(rotation));
  const areas = [...(hand?.querySelectorAll("[data-segment]") ?? [])];
  return svg(
    "g",
    {
      class: "preview",
      transform: `translate(${x * 100} ${y * 100})`,
      "data-x": x,
      "data-y": y,
      "data-rotation": rotation,
    },
    board.find(turned)
      ? svg("use", { href: turned })
      : svg("use", { href: drawing, transform: `rotate(${rotation} 50 50)` }),
    svg(
      "g",
      { transform: `rotate(${rotation} 50 50)` },
      areas.map((area) => area.cloneNode(false)),
    ),
    svg("rect", { class: "frame", width: 100, height: 100 }),
    turns ? svg("path", { class: "turn", d: "M78 12a10 10 0 1 1-7-2.500l-3.500-4.500m3.500 4.500l-5 2.500" }) : null,
  );
}

/**
 * Put the sign that the tile can be turned into the corner that is farthest from all pins.
 * @param {Element} ghost @param {Spot[]} pins
 */
export function clearTurn(ghost, pins) {
  const room = (/** @type {Spot} */ corner) =>
    Math.min(...pins.map(({ x, y }) => Math.hypot(x - corner.x, y - corner.y)));
  const best = CORNERS.reduce((a, b) => (room(b) > room(a) ? b : a));
  ghost.querySelector(".turn")?.setAttribute("transform", `translate(${best.x - SIGN.x} ${best.y - SIGN.y})`);
}

/**
 * The pins of the segments that may be taken, and of no follower.
 * @param {{x: number, y: number}} cell @param {(string | null)[]} segments null: no follower
 * @param {Map<string, Spot>} found @param {string | null | undefined} chosen undefined: nothing yet
 * @param {number} seat
 */
export function drawPins({ x, y }, segments, found, chosen, seat) {
  const made = segments.map((segment) => {
    const spot = segment === null ? NO_FOLLOWER : found.get(segment);
    return spot ? pin(segment, spot, segment === chosen, seat) : null;
  });
  return svg("g", { class: "pins", transform: `translate(${x * 100} ${y * 100})`, "data-x": x, "data-y": y }, made);
}

/** @param {string | null} segment @param {Spot} spot @param {boolean} isChosen @param {number} seat */
function pin(segment, { x, y }, isChosen, seat) {
  const role = segment && ROLES[/** @type {keyof ROLES} */ (segment[0])];
  const sign = role ? `#k-${role}` : null;
  return svg(
    "g",
    {
      class: `pin${isChosen ? " chosen" : ""}${segment ? ` k-s${seat}` : " nobody"}`,
      "data-pin": segment ?? "none",
      transform: `translate(${x} ${y})`,
    },
    svg("circle", { class: "reach", r: 14 }),
    svg("circle", { class: "disc", r: isChosen ? 13.5 : 10 }),
    sign
      ? [
          svg("use", { href: `#k-seal-${seat}`, transform: `scale(${isChosen ? 0.6 : 0.45})` }),
          svg("use", { href: sign, transform: `scale(${isChosen ? 0.62 : 0.5})` }),
        ]
      : svg("path", { d: "M-4-4l8 8M4-4l-8 8" }),
  );
}
