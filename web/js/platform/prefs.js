/** What this person wants on this device: sound, vibration, notices, look. Kept in the browser. */

const KEPT = "cartulary.prefs";

/**
 * @typedef {object} Prefs
 * @property {boolean} sound tones for my turn and for what is placed, taken and built
 * @property {boolean} vibration at my turn and at my moves
 * @property {boolean} notices messages of the browser
 * @property {boolean} asked notices were offered already
 * @property {"auto" | "light" | "dark"} look
 * @property {"always" | "costly" | "never"} confirm when a chosen move is asked for once more
 * @property {string} motion how fast the moves of others are shown: a factor, or `off`
 * @property {string} colour of my pieces, or `usual`: that of my seat
 * @property {boolean} isColourSaved the account has the colour
 * @property {string} lobby which tables were shown last, as a query
 */

/** @type {Prefs} */
const USUAL = {
  sound: false,
  vibration: false,
  notices: false,
  asked: false,
  look: "auto",
  confirm: "always",
  motion: "1",
  colour: "usual",
  isColourSaved: true,
  lobby: "",
};

/** @returns {Prefs} */
export function prefs() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return USUAL; // a value written by hand or by another program
  }
}

/** @param {Partial<Prefs>} change */
export function prefer(change) {
  localStorage.setItem(KEPT, JSON.stringify({ ...prefs(), ...change }));
  if (change.look) applyLook();
  if (change.colour) tellColour();
  if ("notices" in change) document.dispatchEvent(new Event("notices"));
}

/** The page shows seats in the new colour. */
function tellColour() {
  document.dispatchEvent(new Event("colour"));
}

/** Show the colours that were chosen; `auto` follows the device. */
export function applyLook() {
  const { look } = prefs();
  if (look === "auto") document.documentElement.removeAttribute("data-look");
  else document.documentElement.setAttribute("data-look", look);
}

addEventListener("storage", ({ key }) => {
  if (key !== KEPT) return;
  applyLook(); // chosen in another tab
  tellColour();
});
