/**
 * Marks on the board: a place is touched, or with the keyboard reached and marked by Enter; an arrow takes two places, or
 * is dragged from one to the other.
 * The same touch again takes a mark away.
 */

import { bindDrags } from "../../board/thing_drags.js";
import { announce } from "../../elements/announce.js";
import { button } from "../../elements/button.js";
import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { browseByKeys } from "../../inspect/keyboard.js";
import { t } from "../../platform/i18n.js";
import { gameModule } from "../../play/game_module.js";
import { isSame } from "../reading/asked_question.js";
import { drawMarks, LOOKS, placeOf, selectorOf } from "../reading/study_marks.js";

/**
 * @typedef {import("../reading/study_marks.js").Mark} Mark
 * @typedef {import("../reading/study_marks.js").Place} Place
 * @typedef {Mark["kind"]} Kind
 */

const KINDS = /** @type {const} */ (["look", "good", "bad"]);

/** Places without a tile, which can be marked as well. */
const FREE = ".open[data-x]";

/** What a mark is about: the same for marks of another kind. @param {Mark} mark */
const aboutOf = ({ kind: _, ...rest }) => rest;

export class MarksTool {
  /** @param {import("./fields.js").EditedStudy} page */
  constructor(page) {
    this.page = page;
    /** What a touch on the board marks; "": nothing. @type {"" | Kind} */
    this.kind = "";
    this.isArrow = false;
    /** Where the arrow begins that is drawn. @type {Place | null} */
    this.from = null;
    /** The marks as the author sees them: what is on its way is among them. @type {Mark[]} */
    this.marks = [];
    this.node = 0;
    /** What is stored one after the other. */
    this.stored = Promise.resolve();
    this.waiting = 0;
    this.element = h("div", {});
    this.#listen();
  }

  /** A touch, or the keyboard: `i` and the arrows reach a place, Enter marks it. */
  #listen() {
    const { board } = this.page.shown;
    /** @type {Place | null} */
    let reached = null;
    board.host.addEventListener("inspect", (event) => this.#touch(placeOf(/** @type {CustomEvent} */ (event).detail)));
    const look = (/** @type {Record<string, string>} */ subject) => {
      reached = placeOf(subject);
      if (reached) announce(this.#name(reached));
    };
    const end = () => {
      reached = null;
    };
    browseByKeys(board, look, end, FREE);
    bindDrags(board, {
      takes: (subject) => this.isArrow && this.isAtWork && placeOf(subject) !== null,
      shows: (from, to) => this.#preview(from && placeOf(from), to && placeOf(to)),
      draws: (from, to) => this.#drag(placeOf(from), placeOf(to)),
    });
    board.scroller.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !reached || !this.kind) return;
      event.preventDefault();
      this.#touch(reached);
    });
  }

  get isAtWork() {
    return this.kind !== "";
  }

  draw() {
    const { node } = this.page;
    if (!node) return null;
    this.kind = "";
    this.from = null;
    this.node = node.node;
    this.marks = node.marks;
    this.#show();
    return [this.element];
  }

  /** Another author may have marked: what is on its way comes before. */
  refresh() {
    const { node } = this.page;
    if (!node || this.waiting || node.node !== this.node) return;
    this.marks = node.marks;
    if (this.isAtWork) this.#mark();
    this.#show();
  }

  #show() {
    const { kind, isArrow, marks } = this;
    const toggle = (/** @type {string} */ name, /** @type {boolean} */ isOn, /** @type {() => void} */ act) => {
      const sign = name === "arrow" ? "→" : LOOKS[/** @type {Kind} */ (name)][1];
      const made = button(`${sign} ${t(`ui.studies.${name}`)}`, `mark-${name}`, act);
      made.setAttribute("aria-pressed", String(isOn));
      return made;
    };
    const entry = (/** @type {Mark} */ mark) => {
      const words = this.#say(mark);
      const how = {
        class: "plain round",
        "data-key": `unmark-${JSON.stringify(aboutOf(mark))}`,
        "aria-label": t("ui.studies.remove_of", { name: words }),
        onclick: () => this.#toggle(mark),
      };
      return h("li", {}, h("span", {}, words), h("button", how, "×"));
    };
    show(
      this.element,
      h(
        "div",
        { class: "buttons", role: "group", "aria-label": t("ui.studies.marks") },
        KINDS.map((one) => toggle(one, one === kind, () => this.#choose(one))),
        toggle("arrow", isArrow, () => this.#chooseArrow()),
      ),
      h("p", { role: "status" }, kind ? this.#advise() : ""),
      kind ? h("p", { class: "soft" }, t("ui.studies.by_keys")) : null,
      marks.length ? h("ul", { class: "study-list" }, marks.map(entry)) : null,
    );
  }

  #advise() {
    if (!this.isArrow) return t("ui.studies.touch");
    return t(`ui.studies.arrow_${this.from ? "to" : "from"}`);
  }

  /** @param {Kind} kind */
  #choose(kind) {
    this.kind = this.kind === kind ? "" : kind;
    this.from = null;
    if (this.kind) this.#start();
    else this.page.render().catch(explain);
  }

  #chooseArrow() {
    this.isArrow = !this.isArrow;
    this.from = null;
    this.kind ||= "look";
    this.#start();
  }

  #start() {
    this.page.clear(); // a question would take the touches
    this.#mark();
    this.#show();
  }

  /** Draw the marks, and where an arrow begins. */
  #mark() {
    const { kind, from, marks, page } = this;
    page.shown.mark(marks);
    if (kind && from) drawMarks(page.shown.board, [{ kind, at: from }]);
  }

  /** @param {Place | null} place */
  #touch(place) {
    const { kind, from, isArrow } = this;
    if (!kind || !place) return;
    announce(this.#name(place));
    if (!isArrow) {
      this.#toggle({ kind, at: place });
      return;
    }
    this.from = from ? null : place;
    if (from && !isSame(from, place)) this.#toggle({ kind, from, to: place });
    else {
      this.#mark();
      this.#show();
    }
  }

  /** Show where an arrow goes that is dragged. @param {Place | null} from @param {Place | null} to */
  #preview(from, to) {
    const { kind, page } = this;
    this.#mark();
    if (!kind || !from) return;
    drawMarks(page.shown.board, [to && !isSame(from, to) ? { kind, from, to } : { kind, at: from }]);
  }

  /** @param {Place | null} from @param {Place | null} to */
  #drag(from, to) {
    const { kind } = this;
    if (!kind || !from || !to || isSame(from, to)) return;
    this.from = null;
    announce(`${this.#name(from)} → ${this.#name(to)}`);
    this.#toggle({ kind, from, to });
  }

  /** Set a mark, or take it away where it is; a mark of another kind about the same is replaced. @param {Mark} mark */
  #toggle(mark) {
    const { page, node } = this;
    const old = this.marks.find((one) => isSame(aboutOf(one), aboutOf(mark)));
    const rest = this.marks.filter((one) => one !== old);
    this.marks = old?.kind === mark.kind ? rest : [...rest, mark];
    const { marks } = this;
    this.#mark();
    this.#show();
    this.waiting += 1;
    this.stored = this.stored.then(() => page.store([{ type: "marks_set", node, marks }])).catch(explain);
    this.stored.then(() => {
      this.waiting -= 1;
      if (this.waiting) return;
      if (this.isAtWork) this.refresh();
      else page.render().catch(explain);
    });
  }

  /** A mark in words. @param {Mark} mark */
  #say({ kind, at, from, to }) {
    const sign = `${LOOKS[kind][1]} ${t(`ui.studies.${kind}`)}`;
    const where = at ? this.#name(at) : `${from && this.#name(from)} → ${to && this.#name(to)}`;
    return `${sign} · ${where}`;
  }

  /** A place in the words of its game. @param {Place} place */
  #name(place) {
    const { chapter, shown } = this.page;
    const { segment: _, ...whole } = place;
    if (place.seat !== undefined) return t("ui.studies.seat", { n: Number(place.seat) + 1 });
    const thing = shown.board.find(selectorOf(whole));
    const { segment: _segment, ...subject } = thing ? shown.board.subjectAt(thing) : {};
    const game = chapter?.start.game;
    const { view = null } = shown.position ?? {};
    const facts = thing && game && view && gameModule(game).inspect?.(subject, view, null);
    const name = facts?.title || Object.values(whole).join(" ");
    return place.x === undefined ? name : `${name} (${place.x}, ${place.y})`;
  }
}
