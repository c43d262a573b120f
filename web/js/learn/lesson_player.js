/**
 * A lesson of the house, `/learn/<game>?lesson=<name>`: positions with a text, and questions that are answered on the
 * board. A wrong answer is explained and may be tried again; a right one leads on.
 */

import { Board } from "../board/board.js";
import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Sheet } from "../elements/sheet.js";
import { BoardQuestion } from "../panel/board_question.js";
import { file, Unreachable } from "../platform/api.js";
import { language, t, titleOf } from "../platform/i18n.js";
import { noteLessonDone } from "../platform/lesson_progress.js";
import { prefs } from "../platform/prefs.js";
import { describe, findAsking } from "../play/controls.js";
import { gameModule, loadTable } from "../play/game_module.js";
import { goods } from "../play/goods.js";
import { takeTurn } from "../play/pieces.js";
import { drawMarks, findMarked } from "../studies/reading/study_marks.js";
import { paragraphs } from "../studies/reading/study_text.js";
import { alike } from "./alike.js";
import { followingLesson } from "./lesson_list.js";
import { placeOf } from "./move_place.js";

/**
 * @typedef {object} LessonQuestion
 * @property {string} ask
 * @property {Move[][]} right
 * @property {{moves: Move[], text: string}[]} [wrong]
 * @property {string} [otherwise]
 * @property {string[]} [hints]
 *
 * @typedef {{text?: string, marks?: import("../studies/reading/study_marks.js").Mark[], question?: LessonQuestion, move?: Move}} LessonNode
 * @typedef {LessonNode & {title: string, start: any, line: LessonNode[]}} LessonChapter
 * @typedef {{view: View, decision: Decision | null, moves?: Move[]}} LessonState
 * @typedef {{name: string, study: {title: string, chapters: LessonChapter[]}, positions: LessonState[][]}} HouseLesson
 */

/** ms until a picture is asked for again. */
const AGAIN = 1500;
const NAMES = ["Ada", "Bruno", "Carla", "Dario", "Edith"];
/** @param {number} seat */
const name = (seat) => NAMES[seat];

class LessonPlayer {
  /** @param {string} game @param {HouseLesson} lesson */
  constructor(game, lesson) {
    this.game = game;
    this.lesson = lesson;
    this.board = new Board();
    this.sheet = new Sheet("lesson-sheet");
    this.chapter = 0;
    this.step = 0;
    this.hints = 0;
    this.turn = 0;
    /** What is said to the answer that led here. @type {HTMLElement | null} */
    this.praise = null;
    /** The address of the picture that is shown, or on its way. */
    this.shown = "";
    /** The turn of the position that the picture shows. */
    this.pictured = 0;
    this.timer = 0;
    this.head = h("h1", {}, lesson.study.title);
    this.count = h("p", { class: "soft" });
    this.element = h(
      "div",
      { class: `lesson game-${game}` },
      h(
        "header",
        { class: "lesson-head" },
        h("a", { class: "button plain", href: `/learn/${game}`, "aria-label": t("ui.lessons.back") }, "‹"),
        this.head,
        this.count,
      ),
      h("div", { class: "lesson-board" }, this.board.element),
      this.sheet.element,
    );
    this.board.host.addEventListener("resized", () => this.#draw().catch(explain));
    this.board.host.addEventListener("pictured", () => this.#markAgain());
  }

  /** @returns {LessonChapter} */
  get #part() {
    return this.lesson.study.chapters[this.chapter];
  }

  /** @returns {LessonNode} */
  get #node() {
    return this.step ? this.#part.line[this.step - 1] : this.#part;
  }

  get #isLast() {
    return this.chapter + 1 === this.lesson.study.chapters.length && this.step === this.#part.line.length;
  }

  /** The seat that the person plays in this chapter: that of its first question. */
  get #seat() {
    const asked = [this.#part, ...this.#part.line].findIndex(({ question }) => question);
    return this.lesson.positions[this.chapter][Math.max(0, asked)].decision?.seat ?? 0;
  }

  get #position() {
    return this.lesson.positions[this.chapter][this.step];
  }

  /** Show the position of now, with its text and its question. */
  async show() {
    this.turn += 1;
    this.hints = 0;
    const { turn } = this;
    this.shown = "";
    const { length } = this.lesson.study.chapters;
    show(this.count, length > 1 ? t("ui.lessons.part", { n: this.chapter + 1, of: length }) : "");
    this.board.touch([]);
    this.board.overview();
    await this.#draw().catch(explain); // without its picture a position has its text and the way on all the same
    if (turn !== this.turn) return;
    if (this.#node.question) this.#ask(this.#node.question, null);
    else this.#tell();
  }

  /** Draw the position, unless this picture is there already. */
  async #draw() {
    const { board, game, lesson, chapter, step, turn } = this;
    const { look } = prefs();
    const theme = look === "light" || look === "dark" ? look : "auto";
    const wish = new URLSearchParams({ ...board.wish, theme, lang: language() });
    const address = `/learn/${game}/lessons/${lesson.name}/${chapter}/${step}.svg?${wish}`;
    if (!board.element.isConnected || address === this.shown) return;
    this.shown = address;
    try {
      const picture = await file(address);
      if (address !== this.shown) return;
      this.pictured = turn;
      await board.set(picture);
    } catch (error) {
      if (address === this.shown) this.#miss(error);
      throw error;
    }
  }

  /** A picture did not come: that of another position goes, and the right one is asked for again. @param {unknown} error */
  #miss(error) {
    this.shown = "";
    if (this.pictured !== this.turn) this.board.blank();
    clearTimeout(this.timer);
    if (error instanceof Unreachable) this.timer = setTimeout(() => this.#drawLate().catch(explain), AGAIN);
  }

  async #drawLate() {
    try {
      await this.#draw();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error; // else it was said, and the next try comes
      return;
    }
    if (this.board.element.isConnected) this.#bring(this.#node.question?.right[0][0] ?? this.#node.move);
  }

  /** The places of a question went with the picture before. */
  #markAgain() {
    const { board } = this;
    if (board.targets.length) board.touch(board.targets);
    this.#mark();
  }

  #mark() {
    drawMarks(this.board, this.#node.marks ?? []);
  }

  /** A board that is higher than its window shows what is marked, else what asks, else the place of a move. @param {Move} [move] */
  #bring(move) {
    const { board } = this;
    const { view, decision } = this.#position;
    const asking = decision && this.#node.question ? findAsking(this.game, decision, view) : null;
    const marked = findMarked(board, this.#node.marks ?? []);
    const asks = asking?.includes("[") && marked.length ? board.find(asking) : null; // else a section: it is in sight
    const made = !asking && !marked.length && move ? board.find(placeOf(move) || "none") : null;
    const wanted = [...marked, asks, made].filter((element) => element !== null);
    const isLow = wanted.some((element) => !board.viewport.shows(element));
    if (wanted.length && (isLow || board.viewport.hasSections)) board.viewport.hold(...wanted);
  }

  /** What the person has, in the head of the sheet. */
  #hold() {
    show(this.sheet.held, gameModule(this.game).holds(this.#position.view, this.#seat));
  }

  /** @param {LessonQuestion} question @param {Child} said what is said to the last answer */
  #ask(question, said) {
    const { view, decision, moves = [] } = this.#position;
    if (!decision) return;
    const position = { game: this.game, view, decision, version: 1, moves, name };
    const asking = new BoardQuestion(this.board, this.sheet, position, (move) => this.#judge(question, move));
    const { text } = this.#node;
    const before = h(
      "div",
      { class: "lesson-text" },
      h("div", { class: "lesson-said", role: "status" }, said ?? this.praise),
      text ? paragraphs(text) : null,
      h("p", { class: "asked" }, question.ask),
    );
    const { hints = [] } = question;
    const isHinted = this.hints < hints.length;
    const help = isHinted
      ? button(t("ui.lessons.hint"), "lesson-hint", () => {
          this.hints += 1;
          this.#ask(question, paragraphs(hints[this.hints - 1]));
        })
      : button(t("ui.moments.reveal"), "lesson-reveal", () => this.#reveal(question, asking.ask));
    asking.open(this.#part.title, { before, buttons: help }, { at: "full" });
    this.#hold();
    this.#mark(); // the question has marked its places, which takes away what was drawn before
    this.#bring(question.right[0][0]);
  }

  /** Show the answer, in words as well. @param {LessonQuestion} question @param {import("../play/game_module.js").Ask} ask */
  #reveal({ right: [[move]] }, ask) {
    const { title } = describe(this.game, move, ask);
    const said = [h("b", {}, `${t("ui.puzzles.answer")}: `), title, move.goods ? [" ", goods(move.goods)] : null];
    return this.#next(h("p", { class: "verdict", role: "status" }, said));
  }

  /** @param {LessonQuestion} question @param {Move} move */
  #judge({ right, wrong = [], otherwise = "", ...rest }, move) {
    if (right.some(([first]) => alike(first, move))) {
      const praise = h("p", { class: "verdict right", role: "status" }, h("b", {}, `✓ ${t("ui.lessons.right")}`));
      this.#next(praise).catch(explain);
      return;
    }
    const text = wrong.find(({ moves: [first] }) => alike(first, move))?.text ?? otherwise;
    const said = h("div", { class: "verdict wrong" }, h("b", {}, `✗ ${t("ui.lessons.wrong")}`), paragraphs(text));
    this.#ask({ right, wrong, otherwise, ...rest }, said);
  }

  /** A position without a question: what it says, and the way on. */
  #tell() {
    const { text } = this.#node;
    this.sheet.open(h("div", { class: "lesson-text moment-answer" }, this.praise, text ? paragraphs(text) : null), {
      at: "full",
    });
    this.sheet.say(this.#part.title);
    this.#hold();
    if (this.#isLast) this.#end().catch(explain);
    else this.#offer([button(t("ui.lessons.next"), "lesson-next", () => this.#next(), "confirm")]);
    this.#bring(this.#node.move);
  }

  /** Ways on, the last of which comes first to mind. @param {HTMLElement[]} ways */
  #offer(ways) {
    show(this.sheet.foot, h("div", { class: "buttons" }, ways));
    ways.at(-1)?.focus({ preventScroll: true });
  }

  /** The lesson is played: the next one, or after the last what one can do with all that. */
  async #end() {
    const { game, lesson } = this;
    noteLessonDone(game, lesson.name);
    this.#offer([linkTo(`/learn/${game}`, "lesson-all", t("ui.lessons.back"), "plain")]);
    const { turn } = this;
    const next = await followingLesson(game, lesson.name);
    if (turn !== this.turn) return;
    const all = linkTo(`/learn/${game}`, "lesson-all", t("ui.lessons.back"), "plain");
    if (next) this.#offer([all, linkTo(`/learn/${game}?lesson=${next.name}`, "lesson-after", t("ui.lessons.after"))]);
    else {
      this.sheet.body.append(h("p", { class: "asked" }, t("ui.lessons.all_done")));
      const play = linkTo(`/new?game=${game}`, "lesson-play", t("ui.lobby.new"), "plain");
      this.#offer([all, play, linkTo("/puzzles", "lesson-puzzles", t("ui.puzzles.title"))]);
    }
  }

  /** The next position. @param {HTMLElement | null} [praise] what is said to the answer */
  async #next(praise = null) {
    this.praise = praise;
    // Moves without a word are passed over: the picture shows what they came to.
    do {
      if (this.step < this.#part.line.length) this.step += 1;
      else {
        this.chapter += 1;
        this.step = 0;
      }
    } while (!this.#isLast && !this.#node.text && !this.#node.question);
    await this.show();
  }
}

/** A link that looks as a button does. @param {string} href @param {string} key @param {string} text */
function linkTo(href, key, text, style = "confirm") {
  return h("a", { class: `button ${style}`, href, "data-key": key }, text);
}

/**
 * @param {string} game @param {string} name of the lesson
 * @returns {Promise<import("../platform/router.js").Page>}
 */
export async function lessonPage(game, name) {
  const path = `/learn/${encodeURIComponent(game)}/lessons/${encodeURIComponent(name)}/${language()}.json`;
  const turn = takeTurn();
  /** @type {HouseLesson} */
  const lesson = JSON.parse(await file(path));
  await loadTable({ game, options: lesson.study.chapters[0].start.options ?? {} }, turn);
  const player = new LessonPlayer(game, lesson);
  return {
    element: player.element,
    title: `${lesson.study.title} · ${titleOf(game)}`,
    shown: () => requestAnimationFrame(() => player.show().catch(explain)),
  };
}
