/** The page of one table: `/games/<id>`, and `?v=57` for a moment of it. */

import { openAgain } from "../analysis/free_board.js";
import { Board } from "../board/board.js";
import { Pictures } from "../board/pictures.js";
import { NARROW } from "../board/viewport.js";
import { announce, lodgeNotes } from "../elements/announce.js";
import { show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { inbox } from "../inbox/inbox.js";
import { offer, shouldOffer } from "../inbox/notices.js";
import { hasMoved } from "../inbox/turn_alerts.js";
import { browseByKeys } from "../inspect/keyboard.js";
import { helpAddress } from "../learn/help_link.js";
import { paint } from "../people/seat_colours.js";
import { seatName } from "../people/seats.js";
import { drawWaitingRoom, leaveRoom } from "../people/waiting_room.js";
import { api } from "../platform/api.js";
import { t, term, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { markTurn } from "../platform/page_title.js";
import { rewrite } from "../platform/router.js";
import { gameModule, loadTable } from "../play/game_module.js";
import { takeTurn } from "../play/pieces.js";
import { tell } from "../story/teller.js";
import { Table } from "../table/table.js";
import { drawMomentLine, momentOf } from "./moment_line.js";
import { TableParts } from "./table_parts.js";

class TablePage {
  /** @param {Table} table @param {Board} board @param {number | null} moment */
  constructor(table, board, moment) {
    this.table = table;
    this.moment = moment;
    this.parts = new TableParts(table, board, {
      showMoment: (version) => this.showMoment(version),
      replay: () => this.#toggleReplay(),
      leaveReplay: () => this.#leaveThePast().catch(explain),
    });
    const { panel, element } = this.parts;
    this.board = board;
    this.panel = panel;
    this.element = element;
    this.pictures = new Pictures(table, board, {
      moment: () => this.moment,
      redrawn: () => panel.again(),
      late: () => this.#drawLate(),
      without: () => element.classList.add("without-picture"),
    });
    this.resized = () => this.pictures.draw();
    /** Windows and what flies stand outside of the table: the whole page has the colours of its seats. */
    this.paint = () => paint(document.documentElement, table.mine[0]);
    /** Whether the story and the chart exist; from then on each event updates them. */
    this.told = false;
    this.stakes = /** @type {import("../rated/stakes.js").Stakes | null} */ (null);
    this.#listen();
  }

  #listen() {
    const { table, board, parts } = this;
    document.addEventListener("colour", this.paint);
    board.host.addEventListener("inspect", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      this.#inspect(detail).catch(explain);
    });
    board.host.addEventListener("hover", (event) => {
      this.#hover(/** @type {CustomEvent} */ (event).detail).catch(explain);
    });
    browseByKeys(
      board,
      (subject) => this.#inspect(subject).catch(explain),
      () => this.#closeCard().catch(explain),
    );
    parts.rail.element.addEventListener("look", (event) => {
      this.#lookAt(/** @type {CustomEvent} */ (event).detail).catch(explain);
    });
    parts.rail.element.addEventListener("away", () => this.#hover(null).catch(explain));
    board.host.addEventListener("resized", this.resized);
    gameModule(table.game.game).attend?.(
      board,
      () => table.game.view && { id: table.id, version: this.moment ?? table.version },
      (seat) => seatName(table.game, seat),
    );
    table.addEventListener("change", () => this.update().catch(explain));
    table.addEventListener("moved", (event) => {
      const picture = /** @type {CustomEvent} */ (event).detail;
      hasMoved(table.id);
      this.#offerNotices();
      // Without a picture in the answer it is asked for: drawing may have failed this once.
      if (picture) this.pictures.take(picture);
    });
    table.addEventListener("reset", () => this.#forget());
    table.addEventListener("line", () => parts.line.toggleAttribute("hidden", table.connected));
    table.addEventListener("gone", leaveRoom);
    table.addEventListener("news", (event) => this.#news(/** @type {CustomEvent} */ (event).detail));
    parts.aside.addEventListener("tab", () => this.#tellAll().catch(explain));
  }

  /** Before the start of a rated game: what is at stake. */
  async #loadStakes() {
    const { Stakes } = await import("../rated/stakes.js");
    this.stakes ??= new Stakes(this.table);
    this.parts.room.append(this.stakes.draw() ?? "");
  }

  close() {
    document.removeEventListener("colour", this.paint);
    if (this.element.isConnected) {
      // A page that was overtaken takes nothing from the one that is shown.
      lodgeNotes(null);
      paint(document.documentElement, undefined);
    }
    this.pictures.close();
    this.parts.close();
    this.table.close();
  }

  /** @param {Record<string, string>} subject */
  async #inspect(subject) {
    const { showCard } = await import("../inspect/card.js");
    await showCard(this.table, subject, this.board, { past: this.#past });
  }

  /** @param {import("../people/seat_rail.js").SeatLook} look */
  async #lookAt(look) {
    const { showSeat } = await import("../inspect/card.js");
    await showSeat(this.parts, look, this.moment);
  }

  /** Another moment is shown: the card says what was there before. */
  async #closeCard() {
    const { closeCard } = await import("../inspect/card.js");
    closeCard();
  }

  /** The view of the moment of the past that is shown; null: the present is shown. */
  get #past() {
    return this.moment ? this.parts.rail.view : null;
  }

  /** The pointer rests on a thing; null: it has left the board. @param {Record<string, string> | null} subject */
  async #hover(subject) {
    const { leaveCard, showCard } = await import("../inspect/card.js");
    if (subject) await showCard(this.table, subject, this.board, { hovers: true, past: this.#past });
    else leaveCard();
  }

  /** Another address: a moment of the same table is shown, or asked, in place. @param {URL} url */
  goTo(url) {
    if (url.pathname !== `/games/${this.table.id}`) return false;
    this.#turnTo(url).catch(explain);
    return true;
  }

  /** @param {URL} url */
  async #turnTo(url) {
    const moment = momentOf(url);
    if (moment !== this.moment) await this.showMoment(moment ?? this.table.version, { address: false });
    await this.askIn(url);
  }

  /** Ask the moment of the finished game that an address names. @param {URL} url */
  async askIn(url) {
    const asked = Number(url.searchParams.get("ask"));
    if (asked && this.table.finished) await this.parts.ask(asked);
  }

  #toggleReplay() {
    const { replay } = this.parts;
    if (replay.isOpen) this.#leaveThePast().catch(explain);
    else replay.open(true);
  }

  /** The server has lost events: with the next state everything is shown from the beginning, and the present. */
  #forget() {
    const { parts, pictures, table } = this;
    parts.story.forget();
    parts.happened.end();
    pictures.forget();
    if (this.moment) table.addEventListener("change", () => this.#leaveThePast().catch(explain), { once: true });
  }

  /** @param {GameEvent} event */
  #news(event) {
    const sentences = tell(this.table.game, event, this.table.events);
    if (!sentences.length || this.table.isMine(event.seat)) return;
    announce(sentences.join(" "));
  }

  /** Load what the story and the chart need, then tell. */
  async #tellAll() {
    await this.table.loadEvents();
    const { events, game } = this.table;
    const { story, graph, since, seeking, replay } = this.parts;
    story.game = game;
    story.update(events);
    story.mark(this.moment);
    since.update();
    replay.show(replay.at);
    this.#saysMoment(); // the events say whether a move came after it
    const { started } = this.table;
    graph.render(game, events, this.moment, { ...seeking, first: started });
  }

  /** Show the table as it is now, or the moment that was asked for. */
  async update() {
    if (this.table.isClosed) return;
    const { game } = this.table;
    const { parts, element, panel } = this;
    parts.story.game = game;
    element.dataset.version = String(game.version);
    element.dataset.status = game.status;
    this.paint();
    this.#tellTurn();
    if (this.moment) {
      parts.replay.show(this.moment);
      this.#saysMoment();
      return;
    }
    this.#frame(game.view, game.decision);
    const isWaiting = game.status === "open" || !game.view;
    element.classList.toggle("waiting-room", isWaiting);
    if (isWaiting) {
      show(parts.room, drawWaitingRoom(this.table), this.stakes?.draw());
      if (game.rated && !this.stakes) this.#loadStakes().catch(explain);
      parts.presence.place(parts.room);
      return;
    }
    show(parts.room); // a table that has begun invites no more
    parts.replay.show(game.version);
    panel.hold();
    const isDrawn = await this.pictures.draw();
    // Things went on meanwhile: the next update shows them.
    if (this.moment || this.table.isClosed || game !== this.table.game) return;
    panel.render(); // the choices stand in a list as well, so a late picture holds nothing up
    if (!isDrawn) return;
    parts.hint.drawAgain();
    parts.happened.pictured(game.version);
    if (game.result) this.#ended();
    if (this.told) await this.#tellAll();
  }

  /** Tell the title, the bell and the other tabs whether this table waits for this person. */
  #tellTurn() {
    const { table } = this;
    const { question, game, version } = table;
    markTurn(Boolean(question));
    if (table.mine.length)
      inbox.note({ game: table.id, title: game.game, version, seat: question?.seat }, Boolean(question));
  }

  /** After an own move of a game over days: shall this browser say when it is my turn again? */
  #offerNotices() {
    const { notices } = this.parts;
    if (!shouldOffer(this.table.game)) return;
    show(
      notices,
      offer(() => show(notices)),
    );
  }

  /** After the first paint: the story. */
  tellLater() {
    this.told = true;
    this.#tellAll().catch(explain);
    this.parts.chat.messages.load().catch(explain);
  }

  async guide() {
    const { guide } = await import("../learn/guide.js");
    await guide(this.table, this.board, this.element);
  }

  /** @param {View | null} view @param {Decision | null} decision */
  #frame(view, decision) {
    const { result, version, game } = this.table.game;
    const { rail, clocks, presence, head } = this.parts;
    const isFinal = Boolean(result) && (this.moment ?? version) >= version;
    rail.render(view, decision, isFinal);
    clocks.place(rail.seats);
    presence.place(rail.seats);
    this.parts.help.href = helpAddress(game, decision, view);
    const round = view?.round ? t("ui.round", { n: view.round, phase: term(game, "phases", view.phase) }) : "";
    head.textContent = (view && gameModule(game).headline?.(view)) || round;
  }

  #drawLate() {
    if (this.moment) this.pictures.draw();
    else this.update().catch(explain);
  }

  #ended() {
    const { ending } = this.parts;
    show(this.panel.other, ending.foot);
    ending.show().catch(explain);
  }

  /**
   * Show a moment; the newest moment is the present, and any before the start is the start.
   * @param {number} version @param {{address?: boolean}} [how]
   */
  async showMoment(version, { address = true } = {}) {
    const { parts, element, panel } = this;
    version = Math.max(version, this.table.started); // there is no picture before
    const before = this.moment;
    this.moment = version < this.table.version ? version : null;
    if (this.moment !== before) this.#closeCard().catch(explain);
    if (address) rewrite(`/games/${this.table.id}${this.moment ? `?v=${this.moment}` : ""}`);
    element.classList.toggle("in-the-past", this.moment !== null);
    this.#saysMoment();
    parts.story.mark(this.moment);
    parts.replay.show(this.moment ?? this.table.version);
    if (!this.moment) {
      parts.happened.end();
      panel.wake();
      await this.update();
      return;
    }
    if (!parts.replay.isOpen) parts.replay.open(true);
    panel.rest();
    const { view, decision } = await api.state(this.table.id, this.moment);
    if (this.moment !== version) return; // another moment is shown by now
    if (!view) return this.#showStart(version);
    this.#frame(view, decision);
    await this.pictures.draw();
    if (this.told) await this.#tellAll();
    const event = this.table.events[version - 1];
    if (this.moment === version) parts.happened.recall(event, before === version - 1);
  }

  /** An address leads to a moment before the start: show the start of a game that has started. @param {number} version */
  async #showStart(version) {
    await this.table.loadEvents();
    if (version < this.table.started) await this.showMoment(version);
  }

  #saysMoment() {
    const { moment, table } = this;
    const { now } = this.parts;
    now.toggleAttribute("hidden", moment === null);
    if (moment === null) return;
    show(now, ...drawMomentLine(table, moment, () => this.#leaveThePast().catch(explain)));
  }

  /** Show the present again; of a finished game, its end. */
  async #leaveThePast() {
    this.parts.replay.open(false);
    if (this.moment) await this.showMoment(this.table.version);
  }
}

/** The picture that a phone will ask for: it has the same arrangement on all of them. @param {Game} game */
function pictureAhead({ view, version, seats }) {
  if (!view || innerWidth > NARROW) return null;
  const own = seats.find(({ player }) => player && player.id === me()?.id);
  return { version, parts: "board", layout: "tall", ...(own ? { seat: own.seat } : {}) };
}

/**
 * @param {string} id @param {URL} url
 * @returns {Promise<import("../platform/router.js").Page>}
 */
export async function tablePage(id, url) {
  const [board, turn] = [new Board(), takeTurn()];
  const table = await Table.load(
    id,
    () => board.wish,
    async (game) => {
      const wish = pictureAhead(game);
      if (wish && !momentOf(url)) api.boardAhead(id, wish);
      await loadTable(game, turn);
    },
  );
  const moment = momentOf(url);
  const page = new TablePage(table, board, moment && moment < table.version ? moment : null);
  queueMicrotask(async () => {
    // The element is in the document by now, so the picture is asked for in the right arrangement.
    await new Promise(requestAnimationFrame);
    if (table.isClosed) return; // another page is shown by now
    await page.update();
    if (page.moment) await page.showMoment(page.moment).catch(explain);
    page.tellLater();
    page.parts.clocks.load();
    page.parts.standing.load();
    page.parts.presence.load();
    if (table.only) page.guide().catch(explain);
    if (page.parts.lab) openAgain(page.parts.lab);
    page.askIn(url).catch(explain);
  });
  return {
    element: page.element,
    title: titleOf(table.game.game),
    shown: () => lodgeNotes(page.element),
    close: () => page.close(),
    update: (next) => page.goTo(next),
  };
}
