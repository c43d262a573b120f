/**
 * What the pointer asks about: a long press and a pointer that rests. A touch that answers no
 * question is a click, which the board knows already.
 */

const PRESS = 500; // ms until a press is long
const REST = 600; // ms until a pointer rests
const SHAKE = 8; // px that a finger may move meanwhile

/**
 * @typedef {{x: number, y: number}} Point where the pointer is in the window
 */

/**
 * @param {HTMLElement} host
 * @param {(path: EventTarget[], at: Point) => void} inspect asks what lies here
 * @param {(path: EventTarget[] | null, at: Point) => void} hover the pointer rests here; null: it has left
 */
export function listenForPointing(host, inspect, hover) {
  pressing(host, inspect);
  resting(host, hover);
}

/** @param {HTMLElement} host @param {(path: EventTarget[], at: Point) => void} inspect */
function pressing(host, inspect) {
  let timer = 0;
  let was = { x: 0, y: 0 };
  let isLong = false;
  host.addEventListener("pointerdown", (event) => {
    isLong = false;
    clearTimeout(timer);
    if (event.pointerType === "mouse" || !event.isPrimary) return;
    was = { x: event.clientX, y: event.clientY };
    const path = event.composedPath(); // it is empty once the event has been handled
    timer = setTimeout(() => {
      isLong = true;
      inspect(path, was);
    }, PRESS);
  });
  host.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - was.x, event.clientY - was.y) > SHAKE) clearTimeout(timer);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"])
    host.addEventListener(end, () => clearTimeout(timer));
  host.addEventListener("contextmenu", (event) => {
    if (isLong) event.preventDefault();
  });
  host.addEventListener(
    "click",
    (event) => {
      if (isLong) event.stopImmediatePropagation(); // the press has answered already
      isLong = false;
    },
    { capture: true },
  );
}

/** @param {HTMLElement} host @param {(path: EventTarget[] | null, at: Point) => void} hover */
function resting(host, hover) {
  let timer = 0;
  host.addEventListener("pointermove", (event) => {
    clearTimeout(timer);
    if (event.pointerType !== "mouse" || event.buttons) return;
    const path = event.composedPath();
    const at = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => hover(path, at), REST);
  });
  host.addEventListener("pointerleave", (event) => {
    clearTimeout(timer);
    hover(null, { x: event.clientX, y: event.clientY });
  });
}
