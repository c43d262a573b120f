/** Small pictures of tables. A picture has a version in its address, so a browser asks for it once. */

import { h, iconAt } from "../elements/dom.js";
import { readPicture } from "../elements/read_picture.js";
import { colourWish, ownSeat } from "../people/seat_colours.js";
import { api } from "../platform/api.js";
import { prefs } from "../platform/prefs.js";

const RATIO = 1.35; // of the place in a card

/** @param {Summary} game a summary of `GET /games` */
function wishFor(game) {
  const { look } = prefs();
  const theme = look === "auto" ? {} : { theme: look };
  return { version: game.version, layout: "fit", ratio: RATIO, parts: "board", ...theme, ...colourWish(ownSeat(game)) };
}

/** Has a game a board already? @param {Summary} game */
function isLaid({ decision, result }) {
  return Boolean(decision || result);
}

/** Is it hidden from those without a seat? The round of a duplicate that it belongs to may be open. @param {Summary} game */
function needsToken({ visibility, tournament, status }) {
  return visibility === "private" || Boolean(tournament && status !== "over");
}

/**
 * A picture of a table; before the start, and for a game without a picture, the sign of the game.
 * @param {Summary} game
 */
export function thumbnail(game) {
  const sign = () => h("img", { class: "sign", src: iconAt(`${game.game}.svg`), alt: "" });
  const place = h("span", { class: "thumb", "aria-hidden": "true" });
  if (!isLaid(game)) place.append(sign());
  else if (needsToken(game)) drawPrivate(place, game).catch(() => place.replaceChildren(sign()));
  else place.append(publicPicture(game, () => place.replaceChildren(sign())));
  return place;
}

/** @param {Summary} game @param {() => void} failed */
function publicPicture(game, failed) {
  const query = new URLSearchParams(Object.entries(wishFor(game)).map(([name, value]) => [name, String(value)]));
  return h("img", {
    src: `/api/v1/games/${game.id}/board.svg?${query}`,
    alt: "",
    loading: "lazy",
    decoding: "async",
    onerror: failed,
  });
}

/** An image sends no token, so the picture of a private table is read as text. @param {HTMLElement} place @param {Summary} game */
async function drawPrivate(place, game) {
  const text = await api.board(game.id, wishFor(game));
  const { picture, rules } = readPicture(text);
  const root = place.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${rules} svg { display: block; width: 100%; height: 100% }`);
  root.adoptedStyleSheets = [sheet];
  root.append(document.importNode(picture, true));
}
