/**
 * Drags from one thing of the picture to another. The mouse begins at once; a finger rests on the thing first, so that a
 * swipe scrolls as everywhere, and two fingers zoom.
 */

const REST = 250; // ms until a finger has rested; a long press takes longer
const SHAKE = 8; // px until a press is a drag

/** @typedef {Record<string, string>} Subject the `data-` members of a thing */
/**
 * @typedef {object} DragUse
 * @property {(subject: Subject) => boolean} takes does a drag from this thing mean anything now?
 * @property {(from: Subject | null, to: Subject | null) => void} shows where it goes; null and null: it has ended
 * @property {(from: Subject, to: Subject) => void} draws it has ended at a thing
 */
/** @typedef {{from: Subject, to: Subject | null, x: number, y: number, isReady: boolean, isMoved: boolean}} Drag */

/** @param {import("./board.js").Board} board @param {DragUse} use */
export function bindDrags(board, use) {
  const { host, root } = board;
  /** @type {Drag | null} */
  let drag = null;
  let timer = 0;
  let isSwallowed = false;

  const under = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const thing = root.elementFromPoint(clientX, clientY);
    return thing && root.contains(thing) ? board.subjectAt(thing) : null;
  };
  const end = () => {
    clearTimeout(timer);
    if (drag?.isReady) use.shows(null, null);
    drag = null;
  };

  host.addEventListener("pointerdown", (event) => {
    const isSecond = drag !== null;
    end();
    isSwallowed = false;
    const from = !isSecond && event.isPrimary && !event.button ? under(event) : null;
    if (!from || !use.takes(from)) return;
    const isReady = event.pointerType === "mouse";
    if (isReady) event.stopPropagation(); // the window would follow the mouse
    const begun = { from, to: null, x: event.clientX, y: event.clientY, isReady, isMoved: false };
    drag = begun;
    if (isReady) return;
    timer = setTimeout(() => {
      begun.isReady = true;
      use.shows(from, null);
    }, REST);
  });

  host.addEventListener("pointermove", (event) => {
    if (!drag || !event.isPrimary) return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > SHAKE;
    if (!drag.isReady && isFar) end(); // a swipe
    if (!drag?.isReady || !(drag.isMoved || isFar)) return;
    if (!drag.isMoved) host.setPointerCapture(event.pointerId);
    drag.isMoved = true;
    const to = under(event);
    if (JSON.stringify(to) === JSON.stringify(drag.to)) return;
    drag.to = to;
    use.shows(drag.from, to);
  });

  host.addEventListener("pointerup", () => {
    const done = drag;
    end();
    isSwallowed = done?.isMoved ?? false;
    if (done?.isMoved && done.to) use.draws(done.from, done.to);
  });
  host.addEventListener("pointercancel", end);
  host.addEventListener("touchmove", (event) => drag?.isReady && event.preventDefault(), { passive: false });
  host.addEventListener(
    "click",
    (event) => {
      if (isSwallowed) event.stopImmediatePropagation(); // the end of a drag is no touch
      isSwallowed = false;
    },
    { capture: true },
  );
}
