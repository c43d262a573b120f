/**
 * The card of a thing on the board: what it is called, what it does, costs and is worth, who owns
 * it, and why the player cannot use it now. A touch on anything that answers no question opens it,
 * and so does the pointer that rests on a thing.
 *
 * This module is loaded with the first card.
 */

import { api } from "../api.js";
import { h, show } from "../dom.js";
import { t } from "../i18n.js";
import { goods } from "../play/goods.js";
import { gameModule } from "../play/index.js";
import { seatName } from "../table/seats.js";

/**
 * @typedef {import("../table/model.js").Table} Table
 * @typedef {Record<string, string>} Subject the `data-` members of a thing on the picture
 *
 * @typedef {object} Facts what a game says of a thing
 * @property {string} title
 * @property {(Node | string | null)[]} lines
 * @property {import("../play/pieces.js").Piece} [piece]
 * @property {number | null} [owner] a seat
 * @property {import("../table/model.js").Move | null} [move] that would use the thing now
 */

class Card {
  constructor() {
    this.element = h("aside", { class: "card", "aria-live": "polite", hidden: true });
    this.asked = "";
    this.why = h("p", { class: "why", hidden: true });
    this.leave = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") this.close();
    };
  }

  /** @param {Facts} facts @param {string[]} names those of the seats */
  open({ title, lines, piece, owner }, names) {
    const close = { type: "button", class: "round", "aria-label": t("ui.card.close") };
    this.why.hidden = true;
    show(
      this.element,
      h("header", {}, h("h2", {}, title), h("button", { ...close, onclick: () => this.close() }, "×")),
      lines.filter(Boolean).map((line) => h("p", {}, line)),
      piece ? figures(piece) : null,
      owner === null || owner === undefined
        ? null
        : h("p", { class: "soft" }, t("ui.card.owner", { name: names[owner] })),
      this.why,
    );
    this.element.hidden = false;
    addEventListener("keydown", this.leave);
  }

  /** @param {string} text */
  refuse(text) {
    show(this.why, t("ui.card.not_now", { reason: text }));
    this.why.hidden = false;
  }

  close() {
    this.element.hidden = true;
    this.asked = "";
    removeEventListener("keydown", this.leave);
  }
}

/** Price, worth and the gain of the owner. @param {import("../play/pieces.js").Piece} piece */
function figures({ price, points, favours, owner }) {
  const worth = { ...(points && { prestige: points }), ...(favours && { favour: favours }) };
  return h(
    "dl",
    {},
    price ? [h("dt", {}, t("ui.card.price")), h("dd", {}, goods(price))] : null,
    Object.keys(worth).length ? [h("dt", {}, t("ui.card.worth")), h("dd", {}, goods(worth))] : null,
    owner ? [h("dt", {}, t("ui.card.owner_gets")), h("dd", {}, owner)] : null,
  );
}

const card = new Card();

/**
 * Show the card of a thing; the same thing again closes the card.
 * @param {Table} table @param {Subject} subject @param {HTMLElement} within
 */
export async function showCard(table, subject, within) {
  const { game, view, seats } = table.game;
  const facts = gameModule(game).inspect?.(subject, view, table.question);
  const asked = JSON.stringify(subject);
  if (!facts || (asked === card.asked && !card.element.hidden)) return card.close();
  card.asked = asked;
  within.append(card.element);
  card.open(facts, seats.map((/** @type {any} */ { seat }) => seatName(table.game, seat)));
  if (!facts.move) return undefined;
  const said = await api.why(table.id, facts.move);
  if (!said.legal && card.asked === asked) card.refuse(said.text);
  return undefined;
}
