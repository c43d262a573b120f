/** The link of a table: shared or copied, and as a QR code for a friend in the room. */

import { note } from "../elements/announce.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { qrCode } from "../elements/qr.js";
import { api, boardPng, file, Problem, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";
import { colourWish } from "./seat_colours.js";

/** The address of the table as it is now, without a moment. */
function tableAddress() {
  return location.origin + location.pathname;
}

/** Hand an address over to another program, or to the clipboard: that of the table, or another. @param {string} [url] */
export async function share(url = tableAddress()) {
  try {
    if (navigator.share) await navigator.share({ url, title: document.title });
    else await copy(url);
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") note(url); // no clipboard: show the link itself
  }
}

/** Put an address or another line onto the clipboard. @param {string} url */
export async function copy(url) {
  try {
    await navigator.clipboard.writeText(url);
    note(t("ui.shared"));
  } catch {
    note(url); // no clipboard, or not allowed: show the link itself
  }
}

/**
 * Hand the picture of the board and the points to another program, or keep it as a file.
 * @param {{id: string, game: string, version: number}} game @param {number | undefined} seat that of the person,
 *   whose colours it has
 */
export async function sharePicture(game, seat) {
  const picture = await draw(game, seat);
  const what = { files: [picture], title: document.title };
  if (!navigator.canShare?.(what)) {
    keep(picture);
    return;
  }
  try {
    await navigator.share(what);
  } catch (error) {
    // A browser allows it for seconds after the touch: the picture may have come later.
    if (/** @type {Error} */ (error).name === "NotAllowedError") keep(picture);
    else if (/** @type {Error} */ (error).name !== "AbortError") throw error;
  }
}

/** @param {File} picture */
function keep(picture) {
  const address = URL.createObjectURL(picture);
  h("a", { href: address, download: picture.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * The picture as PNG, which every messenger shows; as SVG where the service paints none now.
 * @param {{id: string, game: string, version: number}} game @param {number | undefined} seat
 */
async function draw({ id, game, version }, seat) {
  const wish = { version, layout: "share", ...colourWish(seat) };
  const drawn = async () => new File([await api.board(id, wish)], `${game}-${id}.svg`, { type: "image/svg+xml" });
  if (isLocal(id)) return drawn(); // the service does not know the game
  try {
    const painted = await boardPng(id, { ...wish, width: 1200 });
    return new File([painted], `${game}-${id}.png`, { type: "image/png" });
  } catch (error) {
    if (!(error instanceof Unreachable || (error instanceof Problem && error.code === "not_installed"))) throw error;
    return drawn();
  }
}

/** The invitations that are built, by address: a table that changes keeps the picture. @type {Map<string, HTMLElement>} */
const built = new Map();

/** An invitation to the free seats: QR code, link, and what hands it on. */
export function invitation() {
  const url = tableAddress();
  const key = `${document.documentElement.lang} ${url}`;
  let element = built.get(key);
  if (!element) {
    element = build(url);
    built.clear();
    built.set(key, element);
  }
  return element;
}

/** @param {string} url */
function build(url) {
  const picture = h("div", { class: "qr-place" });
  file(`${location.pathname}/qr.svg?origin=${encodeURIComponent(location.origin)}`)
    .then((drawn) => picture.replaceChildren(qrCode(drawn, t("ui.home.share.qr"))))
    .catch(explain);
  return h(
    "section",
    { class: "invitation", "aria-labelledby": "invitation-title" },
    h("h3", { id: "invitation-title" }, t("ui.home.share.title")),
    picture,
    h("p", {}, t("ui.home.share.note")),
    h("p", { class: "link" }, h("code", {}, url)),
    h(
      "div",
      { class: "buttons" },
      h("button", { "data-act": "copy", onclick: () => copy(url) }, t("ui.home.share.copy")),
      "share" in navigator
        ? h("button", { class: "confirm share", "data-act": "share", onclick: () => share(url) }, t("ui.share"))
        : null,
    ),
  );
}
