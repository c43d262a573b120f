/**
 * Moving about a large picture: drag with the mouse, pinch with two fingers, turn the wheel. The
 * window scrolls natively, so that inertia, the keyboard and the focus work as everywhere; a library
 * with its own coordinates would lose these.
 */

const DRAG = 6; // pixels before a press becomes a drag and no longer a click

/**
 * @param {HTMLElement} scroller
 * @param {(factor: number, x: number, y: number) => void} zoom
 * @param {() => boolean} wheels does the wheel zoom, or scroll? With Ctrl it always zooms.
 */
export function bindPanning(scroller, zoom, wheels) {
  dragging(scroller);
  pinching(scroller, zoom);
  scroller.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !wheels()) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    },
    { passive: false },
  );
}

/** @param {HTMLElement} scroller */
function dragging(scroller) {
  /** @type {{x: number, y: number, left: number, top: number} | null} */
  let from = null;
  let dragged = false;
  scroller.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    from = {
      x: event.clientX,
      y: event.clientY,
      left: scroller.scrollLeft,
      top: scroller.scrollTop,
    };
    dragged = false;
  });
  scroller.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!dragged && Math.hypot(dx, dy) < DRAG) return;
    dragged = true;
    scroller.scrollTo(from.left - dx, from.top - dy);
  });
  scroller.addEventListener(
    "click",
    (event) => {
      if (dragged) event.stopPropagation();
      from = null;
      dragged = false;
    },
    { capture: true },
  );
}

/** @param {HTMLElement} scroller @param {(factor: number, x: number, y: number) => void} zoom */
function pinching(scroller, zoom) {
  let apart = 0;
  const distance = (/** @type {TouchList} */ touches) =>
    Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  scroller.addEventListener(
    "touchstart",
    ({ touches }) => {
      apart = touches.length === 2 ? distance(touches) : 0;
    },
    { passive: true },
  );
  scroller.addEventListener(
    "touchmove",
    (event) => {
      const { touches } = event;
      if (touches.length !== 2 || !apart) return;
      event.preventDefault();
      const now = distance(touches);
      zoom(now / apart, (touches[0].clientX + touches[1].clientX) / 2, (touches[0].clientY + touches[1].clientY) / 2);
      apart = now;
    },
    { passive: false },
  );
}
