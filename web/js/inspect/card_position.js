/** Where the card of a thing stands: next to the thing, inside the window, never over the thing. */

const GAP = 10; // px between the thing and the card

/** @param {number} at @param {number} least @param {number} most */
function within(at, least, most) {
  return Math.max(least, Math.min(at, most));
}

/**
 * What of the window is free for a card: the board without the part that a sheet covers.
 * @param {import("../board/board.js").Board} board
 */
function room(board) {
  const { left, right, top, bottom } = board.scroller.getBoundingClientRect();
  return { left, right, top, bottom: bottom - board.viewport.covered.below };
}

/**
 * @param {HTMLElement} card @param {Element | null} thing
 * @param {import("../board/board.js").Board} board
 */
export function placeCard(card, thing, board) {
  const free = room(board);
  const { width, height } = card.getBoundingClientRect();
  const at = thing?.getBoundingClientRect();
  const spot = at
    ? findSpot(at, width, height, free)
    : { left: free.right - width - GAP, top: free.bottom - height - GAP };
  card.style.setProperty("left", `${spot.left}px`);
  card.style.setProperty("top", `${spot.top}px`);
}

/**
 * To the right of the thing, else to the left, else below or above it.
 * @param {DOMRect} at @param {number} width @param {number} height
 * @param {{left: number, right: number, top: number, bottom: number}} free
 */
function findSpot(at, width, height, free) {
  const top = within(at.top, free.top, free.bottom - height);
  const left = within(at.left, free.left, free.right - width);
  if (at.right + GAP + width <= free.right) return { left: at.right + GAP, top };
  if (at.left - GAP - width >= free.left) return { left: at.left - GAP - width, top };
  const below = Math.max(at.bottom + GAP, free.top);
  if (below + height <= free.bottom) return { left, top: below };
  const above = Math.min(at.top, free.bottom) - GAP - height;
  if (above >= free.top) return { left, top: above };
  // The thing is larger than the room around it: the card takes the far end.
  return { left, top: (at.top + at.bottom) / 2 > (free.top + free.bottom) / 2 ? free.top : free.bottom - height };
}
