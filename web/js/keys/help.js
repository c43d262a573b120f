/** The window that lists all keys. */

import { tell } from "../elements/dialog.js";
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
  tell(t("ui.keys.title"), [h("dl", {}, LINES.map(line))], t("ui.keys.close"), "keys");
}

/** @param {(string | string[])[]} line */
function line([keys, name]) {
  const faces = [keys].flat().map((key) => h("kbd", {}, key === "space" ? t("ui.keys.space") : key));
  return h("div", {}, h("dt", {}, faces), h("dd", {}, t(`ui.keys.${name}`)));
}
