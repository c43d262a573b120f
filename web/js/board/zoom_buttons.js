/** The buttons over the board: larger, smaller, the whole board. A game may add its own (`prepend`). */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";

/** @param {string} name @param {string} face @param {() => void} onclick */
function button(name, face, onclick) {
  const label = t(`ui.board.${name}`);
  return h("button", { class: "round", "aria-label": label, title: label, "data-key": `board-${name}`, onclick }, face);
}

/** @param {import("./viewport.js").Viewport} viewport @param {() => void} fit shows the whole board */
export function zoomButtons(viewport, fit) {
  return h(
    "div",
    { class: "zoom" },
    button("larger", "+", () => viewport.byHand(1.4)),
    button("smaller", "−", () => viewport.byHand(1 / 1.4)),
    button("fit", "⤢", fit),
  );
}
