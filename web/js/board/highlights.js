/** What is drawn over the picture: what may be touched, what is chosen, what would stand there. */

import { svg } from "../elements/dom.js";

/**
 * A frame around a thing.
 * @param {SVGGraphicsElement} element @param {string} name its class @param {number} gap
 */
function frameOf(element, name, gap) {
  const { x, y, width, height } = element.getBBox();
  return svg("rect", {
    class: name,
    x: x - gap,
    y: y - gap,
    width: width + 2 * gap,
    height: height + 2 * gap,
    rx: Math.min(width, height) / 10,
  });
}

/** Put a drawing over a thing. @param {SVGGraphicsElement} element @param {SVGElement} drawing */
function lay(element, drawing) {
  if (element.matches("g, svg")) element.append(drawing);
  else element.after(drawing);
  return drawing;
}

/** Mark what asks. @param {SVGGraphicsElement} element */
export function ringAround(element) {
  return lay(element, frameOf(element, "asking", 4));
}

/** Mark what may be touched. @param {SVGGraphicsElement} shape @param {boolean} chosen */
export function markPlace(shape, chosen) {
  const name = `touch${chosen ? " chosen" : ""}`;
  if (shape.matches("g, svg")) return lay(shape, frameOf(shape, name, 0));
  const twin = /** @type {SVGElement} */ (shape.cloneNode(false));
  twin.setAttribute("class", `${name} shape`);
  twin.removeAttribute("id");
  return lay(shape, twin);
}

/**
 * Draw what would stand at a place, around its middle.
 * @param {SVGGraphicsElement} at @param {SVGElement | string} draw a drawing, or the address of a symbol
 * @param {number} seat
 */
export function ghostAt(at, draw, seat) {
  const { x, y, width, height } = at.getBBox();
  const drawing = typeof draw === "string" ? svg("use", { href: draw }) : draw;
  const middle = `translate(${x + width / 2} ${y + height / 2})`;
  return lay(at, svg("g", { class: `ghost seat-${seat}`, transform: middle }, drawing));
}

/** Put the sign of a seat on what is chosen. @param {Element} chosen @param {string} seal the id of the sign */
export function stampOn(chosen, seal) {
  const { x, y, width, height } = /** @type {SVGGraphicsElement} */ (chosen).getBBox();
  const isPin = chosen.matches(".pin");
  const at = isPin ? "" : `translate(${x + width / 2} ${y + height / 2})`;
  const sign = svg("use", {
    href: `#${seal}`,
    class: "stamp",
    transform: `${at} scale(${Math.min(width, height, 36) / 40})`,
  });
  if (isPin) chosen.append(sign);
  else chosen.after(sign);
  return sign;
}

/** px of a letter that can be read. */
const READABLE = 12;

/**
 * A value at a place: a ring and a label, as wide as the place where that can be read. It lies over the whole picture,
 * so that no neighbour covers it, and the frames of the place keep their size. The best value stands out by more than
 * its colour.
 * @param {SVGSVGElement} picture @param {SVGGraphicsElement} at @param {string} text @param {boolean} isBest
 */
export function valueAt(picture, at, text, isBest) {
  const { x, y, width, height } = at.getBBox();
  const [whole, own] = [picture, at].map((one) => /** @type {DOMMatrix} */ (one.getScreenCTM()));
  const { a, b, c, d, e, f } = whole.inverse().multiply(own);
  const letters = text.length * 0.62 + 0.6;
  const size = Math.max(READABLE / own.a, Math.min(width / letters, width / 4, height / 4));
  const [middle, top] = [x + width / 2, y + height / 2];
  const drawing = svg(
    "g",
    { class: `worth${isBest ? " best" : ""}`, transform: `matrix(${[a, b, c, d, e, f]})` },
    frameOf(at, "worth-ring", 2),
    svg("rect", {
      class: "worth-back",
      x: middle - (size * letters) / 2,
      y: top - size * 0.75,
      width: size * letters,
      height: size * 1.5,
      rx: size / 3,
    }),
    svg("text", { class: "worth-text", x: middle, y: top + size * 0.36, "font-size": size }, text),
  );
  picture.append(drawing);
  return drawing;
}

/** The places of each kind, by the `data-` member of the targets. */
const KINDS = {
  space: "[data-space]",
  building: "[data-building]:not([data-space] *)",
  line: "[data-line]",
  x: ".open[data-x]",
};

/**
 * The places of the kinds that are asked for which are not among the targets.
 * @param {SVGElement} picture @param {{place: string}[]} targets
 */
export function closedPlaces(picture, targets) {
  const asked = Object.entries(KINDS).filter(([kind]) =>
    targets.some(({ place }) => place.startsWith(`[data-${kind}=`)),
  );
  const open = new Set(targets.flatMap(({ place }) => [...picture.querySelectorAll(place)]));
  const isOpen = (/** @type {Element} */ place) =>
    open.has(place) || [...open].some((one) => place.contains(one) || one.contains(place));
  return asked.flatMap(([, places]) => [...picture.querySelectorAll(places)].filter((place) => !isOpen(place)));
}
