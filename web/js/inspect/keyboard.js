/**
 * Looking at the board with the keyboard: `i` on the board opens the card of a thing, the arrows go to
 * the next thing in their direction, Escape or another `i` ends it. Things that answer no question are
 * reached as well.
 */

import { ringAround } from "../board/highlights.js";
import { calm } from "../elements/dom.js";

/** @typedef {import("../board/board.js").Board} Board */

const THINGS =
  "[data-space], [data-building]:not([data-space] *), [data-line], [data-column], [data-bridge], [data-section] [data-section], g[data-x][data-y]";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

const ASIDE = 2.5; // a thing aside of the direction counts as so much farther

/** @param {Element} element */
function middle(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

/**
 * The nearest thing in a direction, null at the rim.
 * @param {Element[]} things @param {Element} from @param {[number, number]} direction
 */
function nearest(things, from, [dx, dy]) {
  const here = middle(from);
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const { x, y } = middle(thing);
    const along = (x - here.x) * dx + (y - here.y) * dy;
    const away = Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx);
    if (thing === from || along <= 1 || along + away * ASIDE >= least) continue;
    least = along + away * ASIDE;
    best = thing;
  }
  return best;
}

/**
 * Let the keyboard look at the things of a board.
 * @param {Board} board
 * @param {(subject: Record<string, string>) => void} look open the card of a thing
 * @param {() => void} end close it
 * @param {string} [more] selects what can be reached besides
 */
export function browseByKeys(board, look, end, more = THINGS) {
  /** @type {Element | null} */
  let at = null;
  /** @type {Element | null} */
  let ring = null;

  const stop = () => {
    removeEventListener("left", stop);
    ring?.remove();
    at = ring = null;
    end();
  };

  /** @param {Element} thing */
  const go = (thing) => {
    ring?.remove();
    at = thing;
    ring = ringAround(/** @type {SVGGraphicsElement} */ (thing));
    thing.scrollIntoView({ block: "center", inline: "center", behavior: calm() ? "instant" : "smooth" });
    look(board.subjectAt(thing));
    addEventListener("left", stop); // the card, which Escape closes, is no part of the board
  };

  board.scroller.addEventListener("keydown", (event) => {
    if (event.target !== board.scroller || event.ctrlKey || event.metaKey || event.altKey) return;
    const things = [...(board.picture?.querySelectorAll(`${THINGS}, ${more}`) ?? [])];
    const direction = ARROWS[event.key];
    if (["i", "Escape"].includes(event.key) && at) stop();
    else if (event.key === "i" && things.length)
      go(things.find((one) => board.viewport.shows(/** @type {any} */ (one))) ?? things[0]);
    else if (at && direction) {
      const next = nearest(things, at, direction);
      if (next) go(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  board.scroller.addEventListener("blur", () => at && stop());
  board.host.addEventListener("picturing", () => at && stop());
}
