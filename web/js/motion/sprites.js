/** The pieces that travel over the page: small drawings on a layer that is there while they travel. */

import { h } from "../elements/dom.js";
import { seal } from "../people/seats.js";
import { goods, icon, signed } from "../play/goods.js";

/** @typedef {import("./effects.js").Effect} Effect */

const OWN = new Set(["worker", "follower", "house"]);

/** @param {Effect} effect */
function drawing({ thing = "", seat = 0 }) {
  return OWN.has(thing) ? seal(seat) : icon(thing);
}

/** @param {DOMRect} box */
const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** @param {{x: number, y: number}} at @param {number} [scale] */
const put = (at, scale = 1) => `translate(${at.x}px, ${at.y}px) translate(-50%, -50%) scale(${scale})`;

/**
 * Make a piece, or several, that go from one box to another.
 * @param {Effect} effect @param {DOMRect} from @param {DOMRect} to @param {KeyframeAnimationOptions} when
 * @returns {{elements: HTMLElement[], start: () => Animation[]}}
 */
export function flight(effect, from, to, when) {
  const elements = Array.from({ length: effect.count ?? 1 }, () =>
    h("div", { class: `sprite ${OWN.has(effect.thing ?? "") ? "piece" : "good"}` }, drawing(effect)),
  );
  const [start, end] = [middle(from), middle(to)];
  const animate = (/** @type {HTMLElement} */ element, /** @type {number} */ number) => {
    const aside = (number - (elements.length - 1) / 2) * 14;
    const [a, b] = [start, end].map(({ x, y }) => ({ x: x + aside, y }));
    return element.animate(
      [
        { transform: put(a, 0.6), opacity: 0 },
        { transform: put(a, 1.15), opacity: 1, offset: 0.15 },
        { transform: put(b, 1.15), opacity: 1, offset: 0.85 },
        { transform: put(b, 0.8), opacity: 0 },
      ],
      { ...when, easing: "ease-in-out", fill: "both" },
    );
  };
  return { elements, start: () => elements.map(animate) };
}

/**
 * Make a text that rises from a seat: `+3`, or goods with their signs.
 * @param {Effect} effect @param {DOMRect} at @param {KeyframeAnimationOptions} when
 */
export function rising({ bundle = {} }, at, when) {
  const { points, ...rest } = bundle;
  const element = h(
    "div",
    { class: "sprite float" },
    points === undefined ? goods(rest, { sign: true }) : h("b", {}, signed(points)),
  );
  const from = middle(at);
  const rise = { x: from.x, y: Math.max(12, from.y - 26) };
  const start = () => [
    element.animate(
      [
        { transform: put(from, 0.8), opacity: 0 },
        { transform: put(from, 1.2), opacity: 1, offset: 0.2 },
        { transform: put(rise), opacity: 1, offset: 0.8 },
        { transform: put(rise), opacity: 0 },
      ],
      { ...when, easing: "ease-out", fill: "both" },
    ),
  ];
  return { elements: [element], start };
}
