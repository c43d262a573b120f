/**
 * Dragging the provost along the road: while he is dragged he stands on the nearest space he may go to,
 * with the price next to him; where he is let go is chosen. The spaces can be touched as well, and are
 * in the list.
 */

import { svg } from "../../elements/dom.js";
import { signed } from "../goods.js";
import { bribePrice } from "./price_rules.js";

/** @typedef {import("../../board/board.js").Target} Target */

const NEAR = 6; // pixels before a press becomes a drag
const FINGER = 30; // units of the picture

/** @param {Element} element */
function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** @typedef {{target: Target, place: Element}} Spot */

/**
 * Let the provost be dragged to the targets; to be called after each `touch`, which ends it.
 * @param {import("../game_module.js").Ask} ask @param {Target[]} targets
 */
export function dragProvost({ board, view, decision }, targets) {
  const piece = board.find('[data-piece="provost"]');
  const { picture } = board;
  if (!piece || !picture) return;
  const spots = targets.flatMap((target) => {
    const place = board.find(target.place);
    return place ? [{ target, place }] : [];
  });
  const step = bribePrice(decision);
  /** What going there costs: each space has its price. @param {Target} target */
  const price = ({ place }) => -Math.abs(Number(/road-(\d+)/.exec(place)?.[1]) - view.provost) * step;
  const handle = handleOver(picture, piece);
  board.overlay(handle);
  handle.addEventListener("pointerdown", (event) => {
    const press = /** @type {PointerEvent} */ (event);
    if (press.button !== 0) return;
    press.stopPropagation(); // the board is not panned
    press.preventDefault();
    follow(press, spots, shadowOn(picture), price);
  });
}

/**
 * Follow a pointer until it is let go.
 * @param {PointerEvent} press @param {Spot[]} spots @param {ReturnType<typeof shadowOn>} shadow
 * @param {(target: Target) => number} price
 */
function follow(press, spots, shadow, price) {
  const ends = new AbortController();
  const { signal } = ends;
  /** @type {Spot | null} */
  let over = null;
  let isDrag = false;
  const move = (/** @type {PointerEvent} */ { clientX, clientY, pointerId }) => {
    if (pointerId !== press.pointerId) return;
    isDrag ||= Math.hypot(clientX - press.clientX, clientY - press.clientY) >= NEAR;
    if (!isDrag) return;
    over = nearest(spots, clientX, clientY);
    if (over) shadow.stand(over.place, price(over.target));
  };
  const end = (/** @type {PointerEvent} */ { type, pointerId }) => {
    if (pointerId !== press.pointerId) return;
    ends.abort();
    shadow.remove();
    if (isDrag && type === "pointerup") swallowClick();
    if (type === "pointerup" && over && !over.target.chosen) over.target.pick();
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", end, { signal });
}

/** @param {Spot[]} spots @param {number} x @param {number} y */
function nearest(spots, x, y) {
  const far = spots.map((spot) => {
    const at = middle(spot.place);
    return { spot, by: Math.hypot(at.x - x, at.y - y) };
  });
  return far.sort((one, other) => one.by - other.by)[0]?.spot ?? null;
}

/**
 * The middle and the size of a part of the picture, in its units.
 * @param {SVGSVGElement} picture @param {Element} part
 */
function boxOf(picture, part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  const unit = /** @type {DOMMatrix} */ (picture.getScreenCTM()).inverse();
  const { x, y } = new DOMPoint(left + width / 2, top + height / 2).matrixTransform(unit);
  return { x, y, size: Math.max(width, height) * unit.a };
}

/** The place to take hold of the provost: as large as a finger. @param {SVGSVGElement} picture @param {Element} piece */
function handleOver(picture, piece) {
  const { x, y, size } = boxOf(picture, piece);
  const most = Math.max(size, FINGER);
  return svg("rect", { class: "grab", x: x - most / 2, y: y - most / 2, width: most, height: most, rx: most / 4 });
}

/** The provost where he would stand, with the price. @param {SVGSVGElement} picture */
function shadowOn(picture) {
  const words = svg("text", { class: "price", y: -12, "text-anchor": "middle" });
  const drawing = svg(
    "g",
    { class: "dragged-provost", "pointer-events": "none" },
    svg("use", { href: "#k-provost" }),
    words,
  );
  picture.append(drawing);
  return {
    /** @param {Element} place @param {number} cost */
    stand(place, cost) {
      const { x, y } = boxOf(picture, place);
      drawing.setAttribute("transform", `translate(${x} ${y}) scale(1.6)`);
      words.textContent = cost ? signed(cost) : "";
    },
    remove: () => drawing.remove(),
  };
}

/** After a drag comes a click, which would choose what lies there. */
function swallowClick() {
  const stop = (/** @type {Event} */ event) => event.stopPropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }), 0);
}
