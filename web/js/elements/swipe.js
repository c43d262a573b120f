/**
 * A swipe to the left or right with a finger or a pen. What scrolls up and down still does
 * (`touch-action`), and what is dragged sideways itself, such as a slider, keeps its drag.
 */

const FAR = 56; // px that a finger has to go
const STEEP = 0.6; // as much up or down for each pixel sideways is no swipe any more
const QUICK = 700; // ms
const DRAGGED = "[role=slider], input, textarea, svg.chart";

/**
 * @param {HTMLElement} zone
 * @param {(way: "left" | "right") => boolean} swipe true: this meant something, so that no click follows
 */
export function listenForSwipes(zone, swipe) {
  /** @type {{x: number, y: number, at: number} | null} */
  let from = null;
  let isSwiped = false;
  zone.classList.add("swiped");
  zone.addEventListener("pointerdown", ({ pointerType, isPrimary, target, clientX: x, clientY: y, timeStamp: at }) => {
    isSwiped = false;
    const isFree = !(/** @type {Element} */ (target).closest(DRAGGED));
    from = pointerType !== "mouse" && isPrimary && isFree ? { x, y, at } : null;
  });
  zone.addEventListener("pointercancel", () => {
    from = null; // the browser scrolls
  });
  zone.addEventListener("pointerup", ({ clientX, clientY, timeStamp }) => {
    if (!from) return;
    const [dx, dy] = [clientX - from.x, clientY - from.y];
    const isStraight = Math.abs(dx) >= FAR && Math.abs(dy) <= STEEP * Math.abs(dx);
    if (isStraight && timeStamp - from.at < QUICK) isSwiped = swipe(dx < 0 ? "left" : "right");
    from = null;
  });
  zone.addEventListener(
    "click",
    (event) => {
      if (!isSwiped) return;
      isSwiped = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
