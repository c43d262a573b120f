/** The window that lists all keys. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";

/** Each line: the keys, and the name of the words for what they do. */
const LINES = [
  [["←", "→", "↑", "↓"], "places"],
  [["I"], "look"],
  [["F"], "follower"],
  [["R"], "turn"],
  [["Enter"], "confirm"],
  [["Z"], "takeback"],
  [["0"], "fit"],
  [["+", "−"], "zoom"],
  [["←", "→"], "step"],
  [["Shift ←", "Shift →"], "round"],
  [["space"], "play"],
  [["Home", "End"], "ends"],
  [["M"], "mine"],
  [["?"], "help"],
  [["Esc"], "close"],
];

/** Show the window; Esc closes it, and the focus goes back to where it was. */
export function showHelp() {
  const close = h("button", { class: "confirm", onclick: () => dialog.close() }, t("ui.keys.close"));
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "asking keys", "aria-labelledby": "keys-title" },
    h("h2", { id: "keys-title" }, t("ui.keys.title")),
    h("dl", {}, LINES.map(line)),
    h("div", { class: "buttons" }, close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {(string | string[])[]} line */
function line([keys, name]) {
  const faces = [keys].flat().map((key) => h("kbd", {}, key === "space" ? t("ui.keys.space") : key));
  return h("div", {}, h("dt", {}, faces), h("dd", {}, t(`ui.keys.${name}`)));
}
