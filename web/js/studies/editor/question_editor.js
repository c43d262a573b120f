/** The question of a position, "find the move", as its author writes it: kept as a draft until it is stored. */

import { button } from "../../elements/button.js";
import { ask } from "../../elements/dialog.js";
import { h, show } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { t } from "../../platform/i18n.js";
import { AnswerRecorder, AnswerWords } from "./answer_recorder.js";
import { faultPlace, field, pointOut, submit } from "./fields.js";

/**
 * @typedef {import("../reading/study_tree.js").StudyQuestion} StudyQuestion
 * @typedef {import("../reading/study_tree.js").TreeNode} TreeNode
 * @typedef {Required<StudyQuestion>} QuestionDraft with an empty text for each hint that is missing
 */

const HINTS = 3;
const LONGEST = 4000;

/** @param {StudyQuestion | null} question @returns {QuestionDraft} */
function draftOf(question) {
  const { ask: asked = "", right = [], wrong = [], otherwise = "", hints = [] } = question ?? {};
  return { ask: asked, right, wrong, otherwise, hints: [...hints, ...Array(HINTS).fill("")].slice(0, HINTS) };
}

/** What is stored of a draft: no empty texts. @param {QuestionDraft} draft @returns {StudyQuestion} */
function questionOf({ hints, ...draft }) {
  return { ...draft, hints: hints.filter((hint) => hint.trim()) };
}

/** All that was typed, for an author whose position is gone. @param {any} draft */
export function spellOut({ ask: asked, wrong = [], otherwise, hints = [] }) {
  return [asked, ...wrong.map((/** @type {any} */ one) => one.text), otherwise, ...hints].filter(Boolean).join("\n\n");
}

export class QuestionEditor {
  /** @param {import("./fields.js").EditedStudy} page @param {import("./drafts.js").Drafts} drafts */
  constructor(page, drafts) {
    this.page = page;
    this.drafts = drafts;
    this.words = new AnswerWords(page.id);
    this.state = h("p", { class: "soft", role: "status" });
    this.element = h("div", {});
    /** @type {AnswerRecorder | null} */
    this.recorder = null;
    /** Nodes whose new question is being written. @type {Set<number>} */
    this.begun = new Set();
  }

  get isAtWork() {
    return this.recorder !== null;
  }

  draw() {
    const { node } = this.page;
    if (!node) return null;
    this.recorder?.end(null);
    this.recorder = null;
    this.#show(node);
    return [this.element];
  }

  refresh() {
    const { node } = this.page;
    const isOvertaken = node && this.drafts.isOvertaken(name(node), draftOf(node.question));
    this.state.textContent = isOvertaken ? t("ui.studies.overtaken") : "";
  }

  /** @param {TreeNode} node */
  #draft(node) {
    return /** @type {QuestionDraft} */ (this.drafts.read(name(node), draftOf(node.question)));
  }

  /** Keep what is written. @param {number} number of the node @param {Partial<QuestionDraft>} change */
  #write(number, change) {
    const node = this.page.nodes.get(number);
    if (!node) return;
    this.drafts.write(name(node), { ...this.#draft(node), ...change }, draftOf(node.question));
  }

  /** @param {TreeNode} node */
  #show(node) {
    const { element, page } = this;
    const isAsked = node.question || this.drafts.kept.has(name(node)) || this.begun.has(node.node);
    if (isAsked) {
      show(element, this.#form(node));
      this.refresh();
      return;
    }
    const canAsk = page.shown.position?.decision;
    const begin = () => {
      this.begun.add(node.node);
      this.#show(node);
      element.querySelector("textarea")?.focus();
    };
    show(
      element,
      h("p", { class: "soft" }, t(`ui.studies.${canAsk ? "about_question" : "nobody"}`)),
      canAsk ? h("div", { class: "buttons" }, button(t("ui.studies.new_question"), "new-question", begin)) : null,
    );
  }

  /** @param {TreeNode} node */
  #form(node) {
    const { drafts } = this;
    const draft = this.#draft(node);
    const hints = draft.hints.map((hint, at) => {
      const all = () => this.#draft(node).hints.map((one, other) => (other === at ? area.value : one));
      const area = this.#area(`hint-${at}`, hint, 2, () => this.#write(node.node, { hints: all() }));
      const before = draft.hints.slice(0, at).filter((one) => one.trim()).length;
      return field(area, t("ui.studies.hint_of", { n: at + 1 }), `/question/hints/${before}`);
    });
    const asked = this.#area("ask", draft.ask, 2, (value) => this.#write(node.node, { ask: value }));
    const other = this.#area("otherwise", draft.otherwise, 2, (value) => this.#write(node.node, { otherwise: value }));
    const work = h("div", {});
    const form = h(
      "div",
      { class: "study-form" },
      field(asked, t("ui.studies.ask"), "/question/ask"),
      this.#answers(node, "right", work),
      this.#answers(node, "wrong", work),
      work,
      field(other, t("ui.studies.otherwise"), "/question/otherwise"),
      hints,
      faultPlace("/question"),
      this.state,
      h(
        "div",
        { class: "buttons" },
        node.question ? button(t("ui.studies.remove_question"), "remove-question", () => this.#remove(node)) : null,
        drafts.kept.has(name(node)) || this.begun.has(node.node)
          ? button(t("ui.studies.discard"), "discard-question", () => this.#discard(node), "plain")
          : null,
        button(t("ui.studies.try"), "try-question", () => this.#try(form, node)),
        button(t("ui.studies.save_question"), "save-question", () => this.#save(form, node), "confirm"),
      ),
    );
    return form;
  }

  /** @param {string} key @param {string} value @param {number} rows @param {(value: string) => void} write */
  #area(key, value, rows, write) {
    const area = h("textarea", { rows, maxlength: LONGEST, "data-key": key });
    area.value = value;
    area.addEventListener("input", () => write(area.value));
    return area;
  }

  /** The answers of a kind, each as a sentence. @param {TreeNode} node @param {"right" | "wrong"} kind @param {HTMLElement} work */
  #answers(node, kind, work) {
    const { node: number } = node;
    const remove = (/** @type {number} */ at) => {
      /** @type {any[]} */
      const all = this.#draft(node)[kind];
      this.#write(number, { [kind]: all.filter((_, other) => other !== at) });
      this.#show(node);
    };
    const entry = (/** @type {any} */ answer, /** @type {number} */ at) => {
      const moves = kind === "right" ? answer : answer.moves;
      const label = h("span", {});
      const drop = h(
        "button",
        { class: "plain round", "data-key": `drop-${kind}-${at}`, onclick: () => remove(at) },
        "×",
      );
      this.words.say(number, moves).then((said) => {
        label.textContent = said;
        drop.setAttribute("aria-label", t("ui.studies.remove_of", { name: said }));
      }, explain);
      const text = kind === "wrong" ? this.#said(node, at, answer.text) : null;
      const place = kind === "wrong" ? `/question/wrong/${at}` : `/question/right/${at}`;
      return h("li", {}, label, drop, text, faultPlace(place));
    };
    const draft = this.#draft(node);
    return h(
      "fieldset",
      { class: "study-answers" },
      h("legend", {}, t(`ui.studies.${kind}_answers`)),
      draft[kind].length ? h("ul", { class: "study-list" }, draft[kind].map(entry)) : null,
      faultPlace(`/question/${kind}`),
      h(
        "div",
        { class: "buttons" },
        button(t(`ui.studies.play_${kind}`), `play-${kind}`, () => this.#record(node, kind, work)),
      ),
    );
  }

  /** What is said to a wrong answer. @param {TreeNode} node @param {number} at @param {string} value */
  #said(node, at, value) {
    const write = (/** @type {string} */ text) => {
      const { wrong } = this.#draft(node);
      this.#write(node.node, { wrong: wrong.map((one, other) => (other === at ? { ...one, text } : one)) });
    };
    const area = this.#area(`wrong-${at}`, value, 2, write);
    return field(area, t("ui.studies.said_to_it"), `/question/wrong/${at}/text`);
  }

  /** Let the author play an answer. @param {TreeNode} node @param {"right" | "wrong"} kind @param {HTMLElement} work */
  async #record(node, kind, work) {
    const { page } = this;
    const { chapter } = page;
    if (!chapter || this.recorder) return;
    page.clear();
    const recorder = new AnswerRecorder(page.shown, node, chapter.start);
    this.recorder = recorder;
    show(work, recorder.element);
    const moves = await recorder.play();
    if (this.recorder !== recorder) return; // the page shows another position
    this.recorder = null;
    if (moves) {
      const draft = this.#draft(node);
      if (kind === "right") this.#write(node.node, { right: [...draft.right, moves] });
      else this.#write(node.node, { wrong: [...draft.wrong, { moves, text: "" }] });
    }
    await page.render();
    const next = moves && kind === "wrong" ? `wrong-${this.#draft(node).wrong.length - 1}` : `play-${kind}`;
    const first = /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-key="${next}"]`));
    first?.focus();
  }

  /** @param {HTMLElement} form @param {TreeNode} node */
  async #try(form, node) {
    const draft = this.#draft(node);
    if (draft.right.length) await this.page.try(questionOf(draft));
    else pointOut(form, { pointer: "/question/right", reason: "question" });
  }

  /** @param {HTMLElement} form @param {TreeNode} node */
  async #save(form, node) {
    const draft = this.#draft(node);
    await submit(form, async () => {
      await this.page.store([{ type: "question_set", node: node.node, question: questionOf(draft) }]);
      if (this.#draft(node) === draft || !this.drafts.kept.has(name(node))) this.#forget(node);
      await this.page.render();
    });
  }

  /** @param {TreeNode} node */
  async #remove(node) {
    if (!(await ask(t("ui.studies.remove_question"), t("ui.studies.remove_asked"), t("ui.studies.remove_question"))))
      return;
    await this.page.store([{ type: "question_set", node: node.node, question: null }]);
    this.#forget(node);
    await this.page.render();
  }

  /** @param {TreeNode} node */
  async #discard(node) {
    this.#forget(node);
    await this.page.render();
  }

  /** @param {TreeNode} node */
  #forget(node) {
    this.drafts.drop(name(node));
    this.begun.delete(node.node);
  }
}

/** @param {TreeNode} node */
const name = ({ node }) => `question ${node}`;
