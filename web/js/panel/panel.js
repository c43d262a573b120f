/**
 * The action bar: what is asked, one button that names the act (or the step that is missing), and
 * the button that takes a move back. Its height is constant on a phone. The choices stand in a
 * sheet (`elements/sheet.js`) over the lower part of the board, with what a choice would do at its foot.
 *
 * When it is not for this player to decide, the bar says who is thinking about what.
 */

import { announce, note } from "../elements/announce.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { focusQuestion } from "../keys/question_focus.js";
import { seal, seatName } from "../people/seats.js";
import { api, Problem, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { PUZZLE } from "../platform/local_games.js";
import { describe, drawDescription, findAsking, makeControl, sayQuestion } from "../play/controls.js";
import { gameModule } from "../play/game_module.js";
import { tellFacts } from "../story/teller.js";
import { isWalking, mustAsk, needsPreview } from "./confirmation.js";
import { Drafts } from "./drafts.js";
import { describeOrigin, describeWaiting } from "./waiting_words.js";

/**
 * @typedef {import("../table/table.js").Table} Table
 *
 * @typedef {object} PanelParts what the bar works with
 * @property {Table} table
 * @property {import("../board/board.js").Board} board
 * @property {import("../elements/sheet.js").Sheet} sheet where the choices are shown
 * @property {import("../people/seat_rail.js").SeatRail} rail where differences are shown
 * @property {HTMLElement} clock how long the question may take
 * @property {import("./standing_answers.js").StandingAnswers} standing
 * @property {import("./planned_answer.js").PlannedAnswer} planned what may be asked while another person is to move
 * @property {HTMLElement[]} buttons next to that of the act
 */

/** So many sentences about what a move leads to: a last pass may lead to a whole phase. */
const SENTENCES = 6;
/** A question with more letters is written smaller, so that the bar keeps its height. */
const LONG = 34;

export class Panel {
  /** @param {PanelParts} parts */
  constructor({ table, board, sheet, rail, clock, standing, planned, buttons }) {
    this.table = table;
    this.board = board;
    this.sheet = sheet;
    this.rail = rail;
    this.clock = clock;
    this.standing = standing;
    this.planned = planned;
    planned.again = () => this.again();
    this.prompt = h("div", { class: "prompt" });
    this.confirm = h("button", {
      class: "confirm",
      disabled: true,
      "data-key": "confirm",
      onclick: () => this.press(),
    });
    /** Instead of the button, when nothing is asked: what the page puts there, such as the result. */
    this.other = h("div", { class: "other" });
    this.element = h(
      "section",
      { class: "panel", "aria-label": t("ui.play.title") },
      this.prompt,
      h("div", { class: "acts" }, buttons, this.other, this.confirm),
    );
    this.would = h("div", { class: "preview-of", "aria-live": "polite" });
    /** The decision that the control is for; the control stays as long as it does. */
    this.asked = "";
    this.busy = false;
    /** The question (as in `asked`) whose answer is on its way. */
    this.answered = "";
    /** A moment of the past is shown: nothing is asked over its picture. */
    this.isResting = false;
    /** @type {Move | null} */
    this.chosen = null;
    /** Moves of the same gesture, sent after it. @type {Move | Move[] | null} */
    this.after = null;
    /** @type {import("../play/game_module.js").Ask | null} */
    this.ask = null;
    /** Ends the preview of a move that is not chosen any more. */
    this.trying = new AbortController();
    this.drafts = new Drafts(table.id);
    table.addEventListener("unsent", () => this.again());
    table.addEventListener("moved", () => this.drafts.drop());
    table.addEventListener("reset", () => (this.asked = "")); // the same version may ask something else
    table.addEventListener("refused", () => {
      this.drafts.carry();
      this.again();
    });
  }

  /** What the control has to be for; empty when nothing is asked of this player. */
  get #due() {
    const { question, moves, version } = this.table;
    if (this.planned.isSending) return "";
    if (this.planned.asked) return `plan ${version}`;
    return question && moves.length ? `${version} ${question.seat}` : "";
  }

  /** @param {boolean} isHeld */
  set inert(isHeld) {
    this.element.inert = isHeld;
    this.sheet.element.inert = isHeld;
  }

  /** Take no more answers to a question that is over, until `render`. */
  hold() {
    if (this.asked !== this.#due) this.inert = true;
  }

  /** Show what is to be done now; the picture must be there already. */
  render() {
    const { table } = this;
    if (this.isResting || table.isClosed) return;
    const decision = this.planned.asked?.decision ?? table.question;
    const key = this.#due;
    this.inert = Boolean(table.unsent) || this.planned.isSending; // one move waits already
    if (key && key === this.asked) return;
    this.asked = key;
    this.#clear();
    if (key && decision) this.#ask(decision);
    else this.#wait();
  }

  /** Ask again from the beginning, for example after the picture was replaced. */
  again() {
    this.asked = "";
    this.render();
  }

  /** Ask nothing until `wake`: a moment of the past is shown. */
  rest() {
    this.isResting = true;
    this.asked = "";
    this.#clear();
    this.board.overview();
    this.board.focusOn(null);
    this.confirm.hidden = true;
    show(this.prompt);
  }

  wake() {
    this.isResting = false;
    this.again();
  }

  #clear() {
    this.trying.abort();
    this.element.classList.toggle("sending", this.busy);
    this.chosen = null;
    this.ask = null;
    this.board.touch([]);
    this.rail.deltas([]);
    this.sheet.close();
    show(this.would);
  }

  #wait() {
    this.board.overview();
    this.board.focusOn(null);
    this.confirm.hidden = true;
    show(this.prompt, describeWaiting(this.table.game), this.clock);
  }

  /** @param {Decision} decision */
  #ask(decision) {
    const { table, board, sheet } = this;
    const { game } = table;
    const view = /** @type {View} */ (game.view); // of a game that asks
    this.confirm.hidden = false;
    board.colour(decision.seat);
    this.ask = this.#asks(decision, view);
    this.standing.offer(decision.kind, null);
    this.choose(null);
    const choices = makeControl(game.game, this.ask);
    this.#say(decision);
    sheet.open(h("div", { class: "control" }, choices), { at: this.#opens(choices) });
    if (!sheet.label.textContent) sheet.say(t("ui.play.choose"));
    show(sheet.held, gameModule(game.game).stock?.(view, decision.seat));
    show(sheet.foot, this.would, this.standing.box);
    board.focusOn(findAsking(game.game, decision, view));
    board.seek();
    announce(`${t("ui.play.your_turn")} ${sayQuestion(game.game, decision)}`);
    this.#loadEvents(decision).catch(reportError);
    focusQuestion(this.prompt);
  }

  /** @param {Decision} decision @param {View} view @returns {import("../play/game_module.js").Ask} */
  #asks(decision, view) {
    const { table, board, sheet } = this;
    const moment = () => this.#moment;
    const question = { ...decision, version: table.version };
    return {
      question,
      get game() {
        return moment();
      },
      view,
      decision,
      moves: this.planned.asked?.moves ?? table.moves,
      name: (seat) => seatName(table.game, seat),
      board,
      sheet,
      choose: (move, after, how) => this.choose(move, after, how),
      touch: (targets) => board.touch(targets),
      confirm: () => this.press(),
      draft: this.#draft(question),
      isTest: table.id.startsWith(PUZZLE),
      isAnswered: (kind) => this.standing.answers.some((answer) => answer.kind === kind),
      events: table.events.at(-1)?.version === table.version ? table.events : null,
    };
  }

  /** @param {import("./drafts.js").DraftedQuestion} question */
  #draft(question) {
    const { drafts } = this;
    return {
      read: () => drafts.read(question),
      write: (/** @type {any} */ value) => drafts.write(question, value),
    };
  }

  /** Some questions need all events, which are loaded after the first picture. @param {Decision} decision */
  async #loadEvents(decision) {
    const { asked, table } = this;
    if (this.ask?.events || !gameModule(table.game.game).readsEvents?.(decision)) return;
    await table.loadEvents();
    if (asked === this.asked) this.again();
  }

  /** How far the sheet opens by itself: a list does not cover places that can be touched. @param {Element} choices */
  #opens(choices) {
    const isTouched = this.board.targets.some(({ place }) => this.board.find(place));
    const isList = choices.querySelector(":scope fieldset:not([data-away]) > .many");
    return isTouched && isList ? "peek" : "half";
  }

  /** @param {Decision} decision */
  #say(decision) {
    const { game, mine } = this.table;
    const question = this.planned.sayQuestion(sayQuestion(game.game, decision));
    const asked = `${mine.length > 1 ? `${seatName(game, decision.seat)}: ` : ""}${question}`;
    const title = h(
      "h2",
      { class: "question", "data-long": asked.length > LONG, tabindex: "-1" },
      seal(decision.seat),
      h("span", {}, asked),
    );
    const stakes = this.ask && gameModule(game.game).stakes?.(this.ask);
    show(
      this.prompt,
      title,
      stakes ? h("p", { class: "whose at-stake" }, stakes) : describeOrigin(game.game, decision),
      this.clock,
    );
  }

  /**
   * A move is chosen, or none yet.
   * @param {Move | null} move
   * @param {Move | Move[] | null} [after] moves of the same gesture
   * @param {import("../play/game_module.js").HowChosen} [how]
   */
  choose(move, after = null, how = {}) {
    const { ask, table, board } = this;
    if (!ask) return;
    if (isWalking()) how = { ...how, preset: true };
    this.chosen = move;
    this.after = after;
    const description = move && describe(table.game.game, move, ask, after);
    this.confirm.textContent = description
      ? this.planned.sayAct(description.act ?? description.title)
      : how.missing || t("ui.sheet.choose");
    this.settle();
    this.#offer(ask.decision, move, after);
    this.rail.deltas(description?.deltas ?? []);
    if (description?.ghost) board.ghosts(description.ghost);
    show(this.would, description ? drawDescription(description) : null);
    const isSent = description && this.#sendUnasked(move, description, how, null);
    // The server says what one move leads to: of several this would be untrue.
    const isOne = [after ?? []].flat().length < 2;
    this.#preview(isOne && !how.told && !isSent ? move : null, description, how).catch(reportError);
  }

  /**
   * Offer a standing answer to what the choice declines: the last move of a gesture may be a no.
   * @param {Decision} decision @param {Move | null} move @param {Move | Move[] | null} after
   */
  #offer({ kind }, move, after) {
    const { ask } = this;
    if (this.planned.asked) return; // it goes with a move
    const { game } = this.table.game;
    const module = gameModule(game);
    const last = [after ?? []].flat().at(-1);
    const declined = last && module.declined?.(last);
    if (ask && declined) this.standing.offer(declined, last, module, describe(game, last, ask).title);
    else this.standing.offer(kind, move, module);
  }

  /**
   * Send the move now, when nothing asks for a confirmation: once the control has come to its end.
   * @param {Move | null} move @param {import("../play/game_module.js").Description} description
   * @param {import("../play/game_module.js").HowChosen} how @param {{chance: boolean} | null} preview
   */
  #sendUnasked(move, description, how, preview) {
    if (mustAsk(description, how, preview, this.table.game)) return false;
    queueMicrotask(() => this.chosen === move && this.press());
    return true;
  }

  /** Allow or forbid to confirm what is chosen now. */
  settle() {
    this.confirm.disabled = !this.chosen || !this.#isOpen;
  }

  /** Whether the question that is shown can still be answered: after a move it stays until the next picture. */
  get #isOpen() {
    return !this.busy && this.asked === this.#due;
  }

  /** Where a preview can be asked for: the server refuses it (409) once the move is there. */
  get #moment() {
    const { asked, answered, planned, table } = this;
    return !planned.asked && asked === this.#due && asked !== answered
      ? { id: table.id, version: table.version }
      : undefined;
  }

  press() {
    const { ask, chosen, table } = this;
    if (!chosen || !ask || !this.#isOpen || table.unsent) return;
    if (this.planned.asked) this.planned.keep(chosen, describe(table.game.game, chosen, ask).title);
    else this.#play(chosen, ask);
  }

  /**
   * Let the server say what a move would lead to. Without an answer the move can be made as well.
   * @param {Move | null} move @param {import("../play/game_module.js").Description | null} description
   * @param {import("../play/game_module.js").HowChosen} how
   */
  async #preview(move, description, how) {
    this.trying.abort();
    this.trying = new AbortController();
    if (!move || !this.#moment) return;
    const { signal } = this.trying;
    const { id, game, version } = this.table;
    try {
      const answer = await api.preview(id, move, version, signal);
      if (signal.aborted) return;
      const sentences = tellFacts(game, answer.facts);
      const more = sentences.length > SENTENCES ? ["…"] : [];
      this.would
        .querySelector("ul")
        ?.append(...[...sentences.slice(0, SENTENCES), ...more].map((line) => h("li", {}, line)));
      const deltas = game.view && answer.view ? gameModule(game.game).deltas?.(game.view, answer.view) : null;
      if (deltas) this.rail.deltas(deltas);
      if (description && needsPreview()) this.#sendUnasked(move, description, how, answer);
    } catch (error) {
      const isLate = signal.aborted || error instanceof Problem || error instanceof Unreachable;
      if (!isLate) throw error;
    }
  }

  /** Say why a move was not made, and how much of a gesture was. @param {any} error @param {number} of so many moves */
  #refused(error, of) {
    explain(error);
    if (error.made) note(t("ui.unsent.partly", { made: error.made, of }), "trouble");
    this.again();
  }

  /** @param {Move} move @param {import("../play/game_module.js").Ask} ask */
  async #play(move, ask) {
    const { after, table } = this;
    const always = this.standing.wanted; // the next question offers other answers
    const count = 1 + [after ?? []].flat().length;
    const { title } = describe(table.game.game, move, ask, after);
    const { question } = ask; // the table may know the next question already
    this.trying.abort();
    this.busy = true;
    this.answered = this.asked;
    this.settle();
    this.confirm.setAttribute("aria-busy", "true");
    this.element.classList.add("sending");
    this.board.stamp(ask.decision.seat);
    try {
      await table.play(move, after, title, question, { always }).finally(() => (this.answered = ""));
    } catch (error) {
      this.#refused(error, count);
    } finally {
      this.busy = false;
      this.element.classList.toggle("sending", this.asked !== this.#due); // else until the next question
      this.confirm.removeAttribute("aria-busy");
      // The news of the move may be here before its answer: then this is another question already.
      this.settle();
    }
  }
}
