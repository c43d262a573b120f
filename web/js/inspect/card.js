/**
 * The card of a thing on the board: what it is called, what it does, costs and is worth, who owns
 * it, and why the player cannot use it now. A touch on anything that answers no question opens it, a
 * long press on anything does, and so do the pointer that rests on a thing and the keyboard (`keyboard.js`).
 * Seats and the goods that they hold have cards as well.
 *
 * The card stands next to the thing and does not cover it.
 */

import { h, show } from "../elements/dom.js";
import { seatName } from "../people/seats.js";
import { api } from "../platform/api.js";
import { labelled, t } from "../platform/i18n.js";
import { gameModule } from "../play/game_module.js";
import { goods } from "../play/goods.js";
import { placeCard } from "./card_position.js";
import { lastMove, seatFacts } from "./seat_facts.js";

/**
 * @typedef {import("../table/table.js").Table} Table
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("./seat_facts.js").SeatCardParts} SeatCardParts
 * @typedef {import("../play/game_module.js").Facts} Facts
 * @typedef {import("../play/game_module.js").Subject} Subject
 */

class Card {
  constructor() {
    const gone = () => this.isHovered && this.close();
    this.element = h("aside", { class: "thing-card", "aria-live": "polite", hidden: true, onpointerleave: gone });
    this.asked = "";
    /** The pointer opened it by resting: it goes when the pointer goes. */
    this.isHovered = false;
    this.why = h("p", { class: "why", hidden: true });
    /** What has to be loaded. */
    this.late = h("p", { hidden: true });
    /** One Escape closes one thing: the card lies over everything but a window of its own. */
    this.leave = (/** @type {KeyboardEvent} */ event) => {
      if (!this.element.isConnected) return this.close(); // its page was left: the key is for the next page
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
      this.element.dispatchEvent(new Event("left", { bubbles: true }));
    };
  }

  /** @param {Facts} facts @param {string[]} names those of the seats */
  open({ title, lines, piece, owner, who, counts, foot }, names) {
    const close = { class: "round", "aria-label": t("ui.card.close") };
    this.why.hidden = true;
    this.late.hidden = true;
    this.element.setAttribute("aria-label", title); // the page has another aside
    show(
      this.element,
      h("header", {}, h("h2", {}, title), h("button", { ...close, onclick: () => this.close() }, "×")),
      lines.filter(Boolean).map((line) => h("p", {}, line)),
      this.late,
      piece ? figures(piece) : null,
      typeof owner === "number" ? h("p", { class: "soft" }, t("ui.card.owner", { name: names[owner] })) : null,
      who?.seats.length
        ? h("p", { class: "soft" }, labelled(who.label, who.seats.map((seat) => names[seat]).join(", ")))
        : null,
      counts
        ? h(
            "p",
            { class: "soft" },
            labelled(counts.label, counts.counts.map((n, seat) => `${names[seat]} ${n}`).join(", ")),
          )
        : null,
      this.why,
      foot ?? null,
    );
    this.element.hidden = false;
    addEventListener("keydown", this.leave, { capture: true });
  }

  /** @param {string} text */
  refuse(text) {
    show(this.why, t("ui.card.not_now", { reason: text }));
    this.why.hidden = false;
  }

  /** @param {string} text */
  add(text) {
    show(this.late, text);
    this.late.hidden = false;
  }

  close() {
    this.element.hidden = true;
    this.asked = "";
    removeEventListener("keydown", this.leave, { capture: true });
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

/** The members that say where a thing lies on the picture, the most exact first. */
const PLACES = [["building"], ["space"], ["line", "column"], ["line"], ["bridge"], ["x", "y"], ["section"]];

/** @param {Subject} subject */
function selectorOf(subject) {
  const members = PLACES.find((names) => names.every((name) => subject[name] !== undefined)) ?? [];
  const name = (/** @type {string} */ one) => `[data-${one}="${CSS.escape(subject[one])}"]`;
  if (subject.column) return `${name("line")} ${name("column")}`; // the line holds its columns
  return (subject.space && ["dungeon", "walls", "towers"].includes(subject.section) ? ["section"] : members)
    .map(name)
    .join("");
}

/** Why a player at this table can use nothing now, "" when this person is asked. @param {Table} table */
function whyNotNow({ game, mine, question }) {
  if (question || !mine.length || game.status !== "running" || !game.decision) return "";
  return t("ui.lobby.turn_of", { name: seatName(game, game.decision.seat) });
}

/**
 * Show the card of a thing; the same thing again closes the card.
 * @param {Table} table @param {Subject} subject @param {Board} board
 * @param {{hovers?: boolean, past?: any}} [how] hovers: the pointer rests there; past: the view of a moment of the
 *   past that the board shows, when nothing is asked
 */
export async function showCard(table, subject, board, { hovers = false, past = null } = {}) {
  const { game, view } = table.game;
  const facts = gameModule(game).inspect?.(subject, past ?? view, past ? null : table.question) ?? null;
  const asked = JSON.stringify(subject);
  const thing = () => board.find(selectorOf(subject));
  if (!present(table, board, facts, { asked, hovers, thing: thing() })) return;
  const reason = past ? "" : whyNotNow(table);
  if (reason) card.refuse(reason);
  if (!facts?.move) return;
  const said = await api.why(table.id, facts.move);
  if (said.legal || card.asked !== asked) return;
  card.refuse(said.text);
  placeCard(card.element, thing(), board);
}

/**
 * Open the card of a thing; false: it is open already, or closed now.
 * @param {Table} table @param {Board} board @param {Facts | null} facts
 * @param {{asked: string, hovers: boolean, thing: Element | null}} of
 */
function present(table, board, facts, { asked, hovers, thing }) {
  const page = board.element.closest(".table") ?? board.element;
  if (!page.contains(card.element)) card.close(); // it was open on a page that is closed
  const isOpen = !card.element.hidden;
  const isSame = isOpen && asked === card.asked;
  if (hovers && (isSame || !facts || (isOpen && !card.isHovered))) return false;
  if (!facts || (isSame && !card.isHovered)) {
    card.close();
    return false;
  }
  card.asked = asked;
  card.isHovered = hovers;
  page.append(card.element);
  card.open(
    facts,
    table.game.seats.map(({ seat }) => seatName(table.game, seat)),
  );
  placeCard(card.element, thing, board);
  return true;
}

/**
 * Show the card of a seat, or of a good that it holds. The last move of a seat is added when it is loaded.
 * @param {SeatCardParts} shown @param {import("../people/seat_rail.js").SeatLook} look
 * @param {number | null} moment the version of the past that is shown
 */
export async function showSeat(shown, { seat, good, at, how }, moment) {
  const { table, board, rail } = shown;
  const { game } = table.game;
  const subject = { ...(good && { good }) };
  const known = good ? gameModule(game).inspect?.(subject, rail.view, null) : null;
  if (seat === null && !known) return;
  const compare = () => {
    card.close();
    rail.open();
  };
  const facts = known ?? seatFacts(shown, /** @type {number} */ (seat), moment, compare);
  const asked = known ? JSON.stringify(subject) : `seat ${seat}`;
  if (!present(table, board, facts, { asked, hovers: how !== "touch", thing: at }) || known) return;
  const last = await lastMove(table, /** @type {number} */ (seat), moment ?? table.version);
  if (!last || card.asked !== asked) return; // closed meanwhile, or about another thing
  card.add(last);
  const now = rail.element.querySelector(`.seat[data-seat="${seat}"]`); // the seats were drawn again, perhaps
  placeCard(card.element, at.isConnected ? at : now, board);
}

/** The pointer has left the board: a card that it opened goes, unless the pointer is on the card. */
export function leaveCard() {
  if (card.isHovered && !card.element.matches(":hover")) card.close();
}

export function closeCard() {
  card.close();
}
