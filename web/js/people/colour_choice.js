/** The colour of one's own pieces: chosen in the settings or at a table, kept on this device and with the account. */

import { tell } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { call, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { prefer, prefs } from "../platform/prefs.js";
import { COLOURS } from "./seat_colours.js";
import { seal } from "./seats.js";

const USUAL = "usual";

/** The colours to choose from, each with its name. A choice holds at once. @param {string} [legend] a class of the title */
export function colourChoice(legend = "") {
  const wanted = prefs().colour;
  return h(
    "fieldset",
    { class: "colours" },
    h("legend", { class: legend }, t("ui.colours.own")),
    [USUAL, ...COLOURS].map((name) =>
      h(
        "label",
        { "data-colour": name },
        h("input", {
          type: "radio",
          name: "colour",
          value: name,
          checked: name === wanted,
          "data-key": `colour-${name}`,
          onchange: () => choose(name).catch(explain),
        }),
        name === USUAL ? null : swatch(COLOURS.indexOf(name)),
        h("span", {}, t(`ui.colours.${name}`)),
      ),
    ),
  );
}

/** A round sign: the shapes belong to the seats. @param {number} colour */
function swatch(colour) {
  const sign = seal(0);
  sign.setAttribute("class", `seal of-colour-${colour}`);
  return sign;
}

/** Choose at the table. */
export function showColours() {
  tell(
    t("ui.menu.colours"),
    [colourChoice("spoken"), h("p", { class: "soft" }, t("ui.colours.note"))],
    t("ui.colours.done"),
  );
}

/** @param {string} colour */
async function choose(colour) {
  prefer({ colour, isColourSaved: false });
  await save();
}

/** Keep the colour with the account. Without a line the device keeps it, and the settings save it when they are opened. */
async function save() {
  if (!me()) return;
  const { colour } = prefs();
  try {
    await call("/players/me", "PATCH", { preferences: { colour } });
    if (prefs().colour === colour) prefer({ isColourSaved: true });
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}

/** Bring device and account together: what was chosen here and not yet saved wins. @param {string} kept the colour of the account */
export async function matchColour(kept) {
  if (prefs().isColourSaved) prefer({ colour: kept });
  else await save();
}
