/** Where places are, and which of them a finger means: it is wider than a place of a board that is seen as a whole. */

const NEAR = 30; // px between a finger and the middle of the place that it means

/** Was this a touch, not a mouse, a key or a script? @param {Event} event */
export function isTouch(event) {
  const { pointerType, detail } = /** @type {PointerEvent} */ (event);
  return pointerType === "touch" || (!pointerType && detail > 0 && matchMedia("(pointer: coarse)").matches);
}

/** @param {Element} element */
export function middleOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * The place that a finger means.
 * @param {Element[]} places @param {{clientX: number, clientY: number}} at
 * @returns {Element | undefined}
 */
export function nearest(places, { clientX, clientY }) {
  const near = places.map((place) => {
    const { x, y } = middleOf(place);
    return { place, far: Math.hypot(x - clientX, y - clientY) };
  });
  return near.filter(({ far }) => far < NEAR).sort((a, b) => a.far - b.far)[0]?.place;
}

/**
 * The largest group of points that a window shows at once, tried around the middle of each pair.
 * @param {{x: number, y: number}[]} points @param {{x: number, y: number}} reach half of the window
 * @returns {number[]} their numbers
 */
export function mostWithin(points, reach) {
  /** @type {number[]} */
  let best = [];
  for (const a of points)
    for (const b of points) {
      const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      const near = [...points.keys()].filter(
        (at) => Math.abs(points[at].x - middle.x) <= reach.x && Math.abs(points[at].y - middle.y) <= reach.y,
      );
      if (near.length > best.length) best = near;
    }
  return best;
}
