/** The page of one table: `/games/<id>`, and `?v=57` for a moment of it. */

import { announce } from "../announce.js";
import { api, Problem, Unreachable } from "../api.js";
import { h, show } from "../dom.js";
import { explain } from "../explain.js";
import { t, term, titleOf } from "../i18n.js";
import { loadTable } from "../play/index.js";
import { hasMoved } from "../inbox/attention.js";
import { marked } from "../inbox/badge.js";
import { inbox } from "../inbox/inbox.js";
import { offer, shouldOffer } from "../inbox/notices.js";
import { rewrite } from "../router.js";
import { Board } from "../table/board.js";
import { Table } from "../table/model.js";
import { branch, canBranch, rematch } from "../table/again.js";
import { Chat } from "../table/chat.js";
import { Clocks } from "../table/clocks.js";
import { Presence } from "../table/presence.js";
import { Menu } from "../table/menu.js";
import { Panel } from "../table/panel.js";
import { Replay } from "../table/replay.js";
import { fairness } from "../table/fairness.js";
import { chart, counting } from "../table/scores.js";
import { seatStrip } from "../table/seats.js";
import { Standing } from "../table/standing.js";
import { Story, tell } from "../table/story.js";
import { Takeback } from "../table/takeback.js";
import { Talk } from "../table/talk.js";
import { Unsent } from "../table/unsent.js";
import { waitingRoom } from "../table/waiting.js";

const TABS = ["board", "story", "scores"];
const AGAIN = 1500; // ms until a picture is asked for again
const PICTURES = 4; // that are kept

/** @param {URL} url */
function momentOf(url) {
  const asked = Number(url.searchParams.get("v"));
  return Number.isInteger(asked) && asked > 0 ? asked : null;
}

class TablePage {
  /** @param {Table} table @param {number | null} moment */
  constructor(table, moment) {
    this.table = table;
    /** The version that is shown; null: as things are now. */
    this.moment = moment;
    this.board = new Board();
    this.clocks = new Clocks(table);
    this.presence = new Presence(table);
    this.standing = new Standing(table);
    this.panel = new Panel(table, this.board, this.clocks.line, this.standing);
    this.menu = new Menu(table);
    this.takeback = new Takeback(table);
    this.talk = new Talk(table);
    this.unsent = new Unsent(table);
    this.chat = new Chat(table);
    this.replay = new Replay({
      first: () => table.started,
      last: () => table.version,
      go: (version) => this.showMoment(version),
    });
    this.story = new Story(table.game, (version) => this.showMoment(version));
    this.seats = h("div", { class: "strip" });
    this.now = h("div", { class: "moment", hidden: true });
    this.ticker = h("p", { class: "ticker" });
    this.scores = h("div", { class: "scores" });
    this.notices = h("div", { class: "notices" });
    this.line = h("p", { class: "line-down", role: "status", hidden: true }, t("ui.live.down"));
    this.head = h("p", { class: "phase" });
    this.tabs = this.#tabButtons();
    this.replayToggle = h(
      "button",
      {
        type: "button",
        class: "plain",
        "aria-pressed": "false",
        onclick: () => this.#toggleReplay(),
      },
      t("ui.replay.title"),
    );
    this.element = this.#layout();
    this.resized = () => this.#draw();
    /** Whether the story and the chart exist; from then on each event updates them. */
    this.told = false;
    this.hasEnded = false;
    /** What the picture shows: a version and an arrangement. */
    this.pictured = "";
    /** Is there a picture of this game? Not every game has one. */
    this.hasPicture = true;
    /** Pictures on their way or here, by what was asked for. @type {Map<string, Promise<string>>} */
    this.pictures = new Map();
    this.drawing = Promise.resolve(true);
    this.late = 0;
    this.#listen();
  }

  #tabButtons() {
    const tabs = TABS.map((name) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(name === "board"),
          "data-tab": name,
          onclick: () => this.#tab(name),
        },
        t(`ui.tabs.${name}`),
      ),
    );
    return h("nav", { class: "tabs", "aria-label": t("ui.tabs.title") }, tabs);
  }

  #layout() {
    const { game } = this.table.game;
    const bar = h(
      "div",
      { class: "bar" },
      h("h1", {}, titleOf(game)),
      this.head,
      this.takeback.element,
      this.replayToggle,
      this.chat.button,
      this.menu.element,
    );
    return h(
      "div",
      { class: `table game-${game}`, "data-tab": "board" },
      bar,
      this.seats,
      h("div", { class: "news" }, this.line, this.unsent.element, this.talk.element, this.standing.element, this.notices),
      h("div", { class: "middle" }, this.board.element, this.now, this.replay.element),
      this.chat.element,
      this.panel.element,
      h(
        "div",
        { class: "aside" },
        this.ticker,
        h("section", { class: "tab-story", "aria-label": t("ui.tabs.story") }, this.story.element),
        h("section", { class: "tab-scores", "aria-label": t("ui.tabs.scores") }, this.scores),
      ),
      this.tabs,
      this.board.buttons,
    );
  }

  #listen() {
    const { table } = this;
    this.board.host.addEventListener("inspect", (event) => {
      const { detail } = /** @type {CustomEvent} */ (event);
      this.#inspect(detail).catch(explain);
    });
    table.addEventListener("change", () => this.update().catch(explain));
    table.layout = () => this.board.layout;
    table.addEventListener("moved", (event) => {
      const picture = /** @type {CustomEvent} */ (event).detail;
      hasMoved(table.id);
      this.#offerNotices();
      // Without a picture in the answer it is asked for: drawing may have failed this once.
      if (picture) this.pictures.set(JSON.stringify(this.#wish()), Promise.resolve(picture));
    });
    table.addEventListener("line", () => this.line.toggleAttribute("hidden", table.connected));
    table.addEventListener("news", (event) =>
      this.#news(/** @type {CustomEvent} */ (event).detail),
    );
    addEventListener("resize", this.resized);
  }

  close() {
    this.replay.stop();
    clearTimeout(this.late);
    this.clocks.close();
    this.chat.close();
    this.table.close();
    removeEventListener("resize", this.resized);
  }

  /** Show the card of a thing on the board. @param {Record<string, string>} subject */
  async #inspect(subject) {
    const { showCard } = await import("../inspect/card.js");
    await showCard(this.table, subject, this.board.element);
  }

  /** Another address: a moment of the same table is shown in place. @param {URL} url */
  goTo(url) {
    if (url.pathname !== `/games/${this.table.id}`) return false;
    const moment = momentOf(url);
    if (moment !== this.moment)
      this.showMoment(moment ?? this.table.version, { address: false }).catch(explain);
    return true;
  }

  /** @param {string} name */
  #tab(name) {
    this.element.setAttribute("data-tab", name);
    for (const button of this.tabs.children) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-tab") === name));
    }
    if (name !== "board") this.#tellAll();
  }

  #toggleReplay() {
    const open = this.element.classList.toggle("replaying");
    this.replayToggle.setAttribute("aria-pressed", String(open));
    if (open) this.replay.show(this.moment ?? this.table.version);
    else if (this.moment) this.showMoment(this.table.version).catch(explain);
  }

  /** @param {any} event */
  #news(event) {
    const sentences = tell(this.table.game, event);
    if (!sentences.length || this.table.mine.includes(event.seat)) return;
    this.ticker.textContent = sentences.join(" ");
    announce(sentences.join(" "));
  }

  /** Load what the story and the chart need, then tell. */
  async #tellAll() {
    await this.table.loadEvents();
    const { events, game } = this.table;
    this.story.game = game;
    this.story.update(events);
    this.story.mark(this.moment);
    show(
      this.scores,
      game.result ? counting(game) : null,
      chart(game, events, this.moment ?? undefined),
    );
  }

  /** Show the table as it is now, or the moment that was asked for. */
  async update() {
    const { game } = this.table;
    this.story.game = game;
    this.element.dataset.version = game.version;
    this.element.dataset.status = game.status;
    this.#tellTurn();
    if (this.moment) {
      this.replay.show(this.moment);
      this.#saysMoment();
      return;
    }
    this.#frame(game.view, game.decision);
    if (game.status === "open" || !game.view) {
      show(this.panel.element, waitingRoom(this.table));
      this.presence.place(this.panel.element);
      this.element.classList.add("waiting-room");
      return;
    }
    this.element.classList.remove("waiting-room");
    this.replay.show(game.version);
    this.panel.hold();
    const isDrawn = await this.#draw();
    // Things went on meanwhile, or the picture is late: the next update shows them.
    if (!isDrawn || game !== this.table.game) return;
    this.panel.render();
    if (game.result) this.#ended();
    if (this.told) await this.#tellAll();
  }

  /** Tell the title, the bell and the other tabs whether this table waits for this person. */
  #tellTurn() {
    const { table } = this;
    const { question, game, version } = table;
    marked(Boolean(question));
    if (table.mine.length)
      inbox.note({ game: table.id, title: game.game, version, seat: question?.seat }, Boolean(question));
  }

  /** After an own move of a game over days: shall this browser say when it is my turn again? */
  #offerNotices() {
    if (!shouldOffer(this.table.game)) return;
    show(this.notices, offer(() => show(this.notices)));
  }

  /** After the first paint: the story. */
  tellLater() {
    this.told = true;
    this.#tellAll().catch(explain);
    this.chat.load().catch(explain);
  }

  /** @param {any} view @param {any} decision */
  #frame(view, decision) {
    const { result, version } = this.table.game;
    const isFinal = Boolean(result) && (this.moment ?? version) >= version;
    show(this.seats, seatStrip(this.table, view, decision, isFinal));
    this.clocks.place(this.seats);
    this.presence.place(this.seats);
    const { game } = this.table.game;
    this.head.textContent = view?.round
      ? t("ui.round", { n: view.round, phase: term(game, "phases", view.phase) })
      : "";
  }

  /** The picture that is to be shown. */
  #wish() {
    const { mine, version } = this.table;
    return {
      version: this.moment ?? version,
      layout: this.board.layout,
      ...(mine.length ? { seat: mine[0] } : {}),
    };
  }

  /** @param {Record<string, any>} wish @returns {Promise<string>} */
  #picture(wish) {
    const key = JSON.stringify(wish);
    let picture = this.pictures.get(key);
    if (!picture) {
      picture = api.board(this.table.id, wish);
      picture.catch(() => this.pictures.delete(key));
      this.pictures.set(key, picture);
      for (const old of [...this.pictures.keys()].slice(0, -PICTURES)) this.pictures.delete(old);
    }
    return picture;
  }

  /** Fetch and show the picture, unless it is there already. */
  #draw() {
    this.drawing = this.drawing.then(() => this.#drawNow()).catch((error) => this.#undrawn(error));
    return this.drawing;
  }

  async #drawNow() {
    if (!this.table.game.view || !this.element.isConnected || !this.hasPicture) return true;
    const wish = this.#wish();
    const key = JSON.stringify(wish);
    if (key === this.pictured) return true;
    await this.board.set(await this.#picture(wish));
    const redrawn = this.pictured !== "";
    this.pictured = key;
    if (redrawn && !this.moment && wish.version === this.table.version) this.panel.again();
    return true;
  }

  /** There is no picture: try again when the line was cut; else the game goes on without one. @param {unknown} error */
  #undrawn(error) {
    clearTimeout(this.late);
    if (error instanceof Unreachable) this.late = setTimeout(() => this.#drawLate(), AGAIN);
    else if (error instanceof Problem && error.code === "not_found") this.#goWithout();
    else if (error instanceof Problem) explain(error);
    else reportError(error);
    return !(error instanceof Unreachable);
  }

  /** The game has no picture: show what is asked, and do not ask for the picture again. */
  #goWithout() {
    this.hasPicture = false;
    this.board.element.hidden = true;
    this.board.buttons.hidden = true;
  }

  #drawLate() {
    if (this.moment) this.#draw();
    else this.update().catch(explain);
  }

  #ended() {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.element.classList.add("replaying");
    show(
      this.panel.element,
      h(
        "div",
        { class: "ending" },
        h("h2", {}, t("ui.scores.title")),
        counting(this.table.game),
        rematch(this.table),
        fairness(this.table.id),
      ),
    );
  }

  /**
   * Show a moment; the newest one is the present.
   * @param {number} version @param {{address?: boolean}} [how]
   */
  async showMoment(version, { address = true } = {}) {
    const present = version >= this.table.version && !this.table.finished;
    this.moment = present ? null : Math.min(version, this.table.version);
    if (address) rewrite(`/games/${this.table.id}${this.moment ? `?v=${this.moment}` : ""}`);
    this.element.classList.toggle("in-the-past", this.moment !== null);
    this.#saysMoment();
    this.story.mark(this.moment);
    this.replay.show(this.moment ?? this.table.version);
    if (!this.moment) {
      this.panel.again();
      await this.update();
      return;
    }
    this.board.touch([]);
    this.board.overview();
    const { view, decision } = await api.state(this.table.id, this.moment);
    if (!view) return; // before the start there is nothing on the table
    this.#frame(view, decision);
    await this.#draw();
    if (this.told) await this.#tellAll();
  }

  #saysMoment() {
    const { moment, table } = this;
    this.now.toggleAttribute("hidden", moment === null);
    if (moment === null) return;
    show(
      this.now,
      t("ui.replay.past", { n: moment, of: table.version }),
      " ",
      table.finished ? null : this.#toPresent(),
      canBranch(table) && moment >= table.started ? branch(table, moment) : null,
    );
  }

  #toPresent() {
    const { version } = this.table;
    const back = () => this.showMoment(version).catch(explain);
    return h("button", { type: "button", class: "plain", onclick: back }, t("ui.replay.present"));
  }
}

/**
 * @param {string} id @param {URL} url
 * @returns {Promise<import("../router.js").Page>}
 */
export async function tablePage(id, url) {
  const table = await Table.load(id);
  await loadTable(table.game);
  const moment = momentOf(url);
  const page = new TablePage(table, moment && moment < table.version ? moment : null);
  queueMicrotask(async () => {
    // The element is in the document by now, so the picture is asked for in the right arrangement.
    await new Promise(requestAnimationFrame);
    await page.update();
    if (page.moment) await page.showMoment(page.moment);
    page.tellLater();
    page.clocks.load();
    page.standing.load();
    page.presence.load();
  });
  return {
    element: page.element,
    title: titleOf(table.game.game),
    close: () => page.close(),
    update: (next) => page.goTo(next),
  };
}
