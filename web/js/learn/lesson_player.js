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
import { file } from "../platform/api.js";
import { language, t, titleOf } from "../platform/i18n.js";
import { noteLessonDone } from "../platform/lesson_progress.js";
import { prefs } from "../platform/prefs.js";
import { loadTable } from "../play/game_module.js";
import { drawMarks } from "../studies/study_marks.js";
import { paragraphs } from "../studies/study_text.js";
import { alike } from "./alike.js";

/**
 * @typedef {object} LessonQuestion
 * @property {string} ask
 * @property {Move[][]} right
 * @property {{moves: Move[], text: string}[]} [wrong]
 * @property {string} [otherwise]
 * @property {string[]} [hints]
 *
 * @typedef {{text?: string, marks?: import("../studies/study_marks.js").Mark[], question?: LessonQuestion, move?: Move}} LessonNode
 * @typedef {LessonNode & {title: string, start: any, line: LessonNode[]}} LessonChapter
 * @typedef {{view: View, decision: Decision | null, moves?: Move[]}} LessonState
 * @typedef {{name: string, study: {title: string, chapters: LessonChapter[]}, positions: LessonState[][]}} HouseLesson
 */

const NAMES = ["Ada", "Bruno", "Carla", "Dario", "Edith"];

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
    /** The address of the picture that is shown, or on its way. */
    this.shown = "";
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
    this.board.host.addEventListener("pictured", () => this.#mark());
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

  /** Show the position of now, with its text and its question. */
  async show() {
    this.turn += 1;
    this.hints = 0;
    const { turn } = this;
    this.shown = "";
    const { length } = this.lesson.study.chapters;
    show(this.count, length > 1 ? t("ui.lessons.part", { n: this.chapter + 1, of: length }) : "");
    this.board.touch([]);
    await this.#draw();
    if (turn !== this.turn) return;
    if (this.#node.question) this.#ask(this.#node.question, null);
    else this.#tell();
  }

  /** Draw the position, unless this picture is there already. */
  async #draw() {
    const { board, game, lesson, chapter, step } = this;
    const { look } = prefs();
    const theme = look === "light" || look === "dark" ? look : "auto";
    const wish = new URLSearchParams({ ...board.wish, theme, lang: language() });
    const address = `/learn/${game}/lessons/${lesson.name}/${chapter}/${step}.svg?${wish}`;
    if (!board.element.isConnected || address === this.shown) return;
    this.shown = address;
    const picture = await file(address);
    if (address === this.shown) await board.set(picture);
  }

  #mark() {
    drawMarks(this.board, this.#node.marks ?? []);
  }

  /** @param {LessonQuestion} question @param {Child} said what is said to the last answer */
  #ask(question, said) {
    const { view, decision, moves = [] } = this.lesson.positions[this.chapter][this.step];
    if (!decision) return;
    const name = (/** @type {number} */ seat) => NAMES[seat];
    const position = { game: this.game, view, decision, version: 1, moves, name };
    const asking = new BoardQuestion(this.board, this.sheet, position, (move) => this.#judge(question, move));
    const { text } = this.#node;
    const before = h(
      "div",
      { class: "lesson-text" },
      text && !said ? paragraphs(text) : null,
      h("div", { class: "lesson-said", role: "status" }, said),
      h("p", { class: "asked" }, question.ask),
    );
    const { hints = [] } = question;
    const isHinted = this.hints < hints.length;
    const help = isHinted
      ? button(t("ui.lessons.hint"), "lesson-hint", () => {
          this.hints += 1;
          this.#ask(question, paragraphs(hints[this.hints - 1]));
        })
      : button(t("ui.moments.reveal"), "lesson-reveal", () => this.#next());
    asking.open(this.#part.title, { before, buttons: help }, { at: "full" });
    this.#mark(); // the question has marked its places, which takes away what was drawn before
  }

  /** @param {LessonQuestion} question @param {Move} move */
  #judge({ right, wrong = [], otherwise = "", ...rest }, move) {
    if (right.some(([first]) => alike(first, move))) {
      this.#next().catch(explain);
      return;
    }
    const text = wrong.find(({ moves: [first] }) => alike(first, move))?.text ?? otherwise;
    const said = h("div", { class: "verdict wrong" }, h("b", {}, `✗ ${t("ui.lessons.wrong")}`), paragraphs(text));
    this.#ask({ right, wrong, otherwise, ...rest }, said);
  }

  /** A position without a question: what it says, and the way on. */
  #tell() {
    const { text } = this.#node;
    const isAnswered = this.step > 0 && Boolean((this.step > 1 ? this.#part.line[this.step - 2] : this.#part).question);
    const praise = isAnswered
      ? h("p", { class: "verdict right", role: "status" }, h("b", {}, `✓ ${t("ui.lessons.right")}`))
      : null;
    this.sheet.open(h("div", { class: "lesson-text moment-answer" }, praise, text ? paragraphs(text) : null), {
      at: "full",
    });
    this.sheet.say(this.#part.title);
    const words = this.#isLast ? "ui.lessons.done" : "ui.lessons.next";
    const go = button(t(words), "lesson-next", () => this.#next(), "confirm");
    show(this.sheet.foot, h("div", { class: "buttons" }, go));
    go.focus({ preventScroll: true });
  }

  /** The next position; the last one leads to the list. */
  async #next() {
    if (this.#isLast) {
      noteLessonDone(this.game, this.lesson.name);
      const { go } = await import("../platform/router.js");
      await go(`/learn/${this.game}`);
      return;
    }
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

/**
 * @param {string} game @param {string} name of the lesson
 * @returns {Promise<import("../platform/router.js").Page>}
 */
export async function lessonPage(game, name) {
  const path = `/learn/${encodeURIComponent(game)}/lessons/${encodeURIComponent(name)}/${language()}.json`;
  /** @type {HouseLesson} */
  const lesson = JSON.parse(await file(path));
  await loadTable({ game, options: lesson.study.chapters[0].start.options ?? {} });
  const player = new LessonPlayer(game, lesson);
  return {
    element: player.element,
    title: `${lesson.study.title} · ${titleOf(game)}`,
    shown: () => requestAnimationFrame(() => player.show().catch(explain)),
  };
}
