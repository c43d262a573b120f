/**
 * The page of a study: the board, the text of the position with its question, the moves. Authors find their tools
 * below; everybody reads first.
 */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { explorerLink } from "../explorer/explorer_link.js";
import { share } from "../people/share.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { rewrite } from "../platform/router.js";
import { followLines } from "../streams/follow_lines.js";
import { StudyEditor } from "./editor/study_editor.js";
import { AskedQuestion, isSame, praise } from "./reading/asked_question.js";
import { StudyBoard } from "./reading/study_board.js";
import { studies } from "./reading/study_calls.js";
import { paragraphs } from "./reading/study_text.js";
import { drawTree, readTree } from "./reading/study_tree.js";
import { copyStudyButton, hiddenNote, reportStudyButton } from "./study_standing.js";

/** @typedef {import("./reading/study_tree.js").TreeNode} TreeNode */

class StudyPage {
  /** @param {import("./reading/study_calls.js").Study} study */
  constructor(study) {
    this.id = study.id;
    this.shown = new StudyBoard(study.id);
    this.title = h("h1", {});
    this.invitation = h("div", { class: "study-invitation" });
    /** Ends the stream. */
    this.over = new AbortController();
    this.chapters = h("nav", { class: "study-chapters", "aria-label": t("ui.studies.chapters") });
    this.text = h("div", { class: "study-text" });
    this.asked = h("div", { class: "study-question" });
    this.steps = h("div", { class: "buttons study-steps" });
    this.tree = h("div", { class: "study-tree" });
    this.tools = h("div", { class: "study-tools" });
    /** The question that is asked. @type {AskedQuestion | null} */
    this.asking = null;
    this.current = 0;
    /** The moves of the chapter as sentences, by node. @type {Record<string, string>} */
    this.words = {};
    /** Of which version and chapter they are. */
    this.said = "";
    this.study = study;
    /** The study file. @type {any} */
    this.document = study.document;
    this.nodes = readTree(this.document);
    this.take(study);
    this.editor = new StudyEditor(this);
    const panel = h(
      "section",
      { class: "study-panel", tabindex: "0", "aria-label": t("ui.studies.text") },
      ...[this.invitation, this.text, this.asked, this.steps, this.tools, this.tree],
      h("div", { class: "buttons" }, copyStudyButton(study)),
    );
    const head = h(
      "header",
      { class: "study-head" },
      h("a", { class: "button plain", href: "/studies", "aria-label": t("ui.studies.title"), "data-key": "back" }, "‹"),
      this.title,
      button(t("ui.studies.share"), "study-share", () => share(), "plain"),
      reportStudyButton(study),
    );
    const board = h("div", { class: "study-board" }, this.shown.board.element);
    this.element = h("div", { class: "study" }, head, this.chapters, board, panel);
  }

  /** The study as the service has it now. @param {import("./reading/study_calls.js").Study} study */
  take(study) {
    this.study = study;
    this.document = study.document;
    this.nodes = readTree(this.document);
    this.title.textContent = this.document.title;
    this.title.lang = this.document.language;
    this.text.lang = this.document.language;
    show(this.invitation, study.is_invited ? this.#drawInvitation() : hiddenNote(study));
  }

  #drawInvitation() {
    const answer = async (/** @type {"PUT" | "DELETE"} */ word) => {
      this.take((await studies.author(this.id, me()?.id ?? "", word)).study);
      await this.go(this.current);
    };
    const yes = button(t("ui.studies.accept"), "study-accept", () => answer("PUT"), "confirm");
    const no = button(t("ui.studies.decline"), "study-decline", () => answer("DELETE"));
    return [h("p", {}, t("ui.studies.invited")), h("div", { class: "buttons" }, yes, no)];
  }

  /** Show what others change, at once. */
  follow() {
    if (!this.study.authors.length) return; // a lesson of the house: no player changes it
    const open = (/** @type {AbortSignal} */ signal) => studies.stream(this.id, this.study.version, signal);
    followLines(open, this.over.signal, ({ version }) => {
      if (version > this.study.version) this.#read().catch(explain);
    });
  }

  /** Read the study again. A person who writes or answers just now keeps what is begun. */
  async #read() {
    const study = await studies.show(this.id);
    if (study.version <= this.study.version) return;
    this.take(study);
    const isWriting = study.may_write && (this.editor.isAtWork || this.tools.contains(document.activeElement));
    const isBusy = isWriting || (this.asking?.played.length ?? 0) > 0;
    if (!isBusy || !this.node) return this.go(this.current);
    await this.refresh();
  }

  /** Show what has changed around the position that is shown, and leave this as it stands. */
  async refresh() {
    this.#drawChapters();
    this.editor.refresh();
    await this.#drawTree();
  }

  /** @returns {TreeNode | undefined} */
  get node() {
    return this.nodes.get(this.current);
  }

  /** @returns {import("./reading/study_tree.js").StudyChapter | undefined} */
  get chapter() {
    return this.document.chapters.find((/** @type {any} */ { chapter }) => chapter === this.node?.chapter);
  }

  /** Show a node; where it is gone, the first. A page that was left shows nothing. @param {number} number */
  async go(number) {
    if (this.over.signal.aborted) return; // the address is that of the next page
    const { chapters } = this.document;
    this.current = this.nodes.has(number) ? number : (chapters[0]?.node ?? 0);
    if (this.current) rewrite(`${location.pathname}#${this.current}`);
    await this.render();
  }

  async render() {
    const { node, chapter } = this;
    this.#drawChapters();
    show(this.text, node ? paragraphs(node.text) : h("p", {}, t("ui.studies.no_chapter")));
    this.clear();
    for (const part of [this.steps, this.tools, this.tree]) part.hidden = false;
    show(this.steps, node ? this.#steps(node) : null);
    this.#drawTree().catch(explain);
    const isNow = !node || !chapter || (await this.shown.show(node.node, node.marks, chapter.start));
    if (!isNow) return;
    if (node && chapter) {
      const asked = node.question ? null : this.shown.position?.explorer;
      this.steps.append(explorerLink(chapter.start.game, asked) ?? "");
    }
    if (node?.question) this.#ask(node.question);
    this.editor.open();
  }

  /** End what the position asks: the board is free for another use. */
  clear() {
    const { board } = this.shown;
    this.asking = null;
    show(this.asked);
    board.touch([]);
    board.focusOn(null);
    board.overview();
  }

  #drawChapters() {
    const { chapters } = this.document;
    const entry = (/** @type {import("./reading/study_tree.js").StudyChapter} */ { chapter, node, title }) => {
      const made = button(title, `chapter-${chapter}`, () => this.go(node), "plain");
      if (chapter === this.node?.chapter) made.setAttribute("aria-current", "true");
      return made;
    };
    show(this.chapters, chapters.length > 1 ? chapters.map(entry) : null);
  }

  /** A question hides what follows: its answer is there. */
  async #drawTree() {
    const { chapter, node, study } = this;
    const isHidden = !chapter || (node?.question && !study.may_write);
    const key = `${study.version} ${chapter?.chapter}`;
    if (!isHidden && chapter && key !== this.said) {
      this.words = (await studies.words(this.id, chapter.chapter)).words;
      this.said = key;
    }
    if (node !== this.node) return;
    const name = (/** @type {TreeNode} */ one) => this.words[one.node] ?? "";
    const choose = (/** @type {number} */ number) => this.go(number).catch(explain);
    show(this.tree, isHidden || !chapter ? null : drawTree(this.nodes, chapter.node, this.current, name, choose));
  }

  /** @param {TreeNode} node */
  #steps(node) {
    const step = (/** @type {"previous" | "next"} */ name, /** @type {number | undefined} */ to) => {
      const made = button(t(`ui.studies.${name}`), `study-${name}`, () => this.go(to ?? 0));
      made.disabled = !to;
      return made;
    };
    const next = node.question ? undefined : (node.children[0] ?? this.#nextChapter());
    return [step("previous", node.parent || undefined), step("next", next)];
  }

  #nextChapter() {
    const { chapters } = this.document;
    const at = chapters.findIndex((/** @type {any} */ { chapter }) => chapter === this.node?.chapter);
    return chapters[at + 1]?.node;
  }

  /** @param {import("./reading/study_tree.js").StudyQuestion} question */
  #ask(question) {
    const { chapter, node, shown } = this;
    if (!chapter || !node) return;
    this.asking = new AskedQuestion(shown, node, chapter.start, question, (moves) => this.#lead(moves));
    show(this.asked, this.asking.element);
    this.asking.open();
    shown.remark();
  }

  /** Ask a question as a reader meets it, while nothing of it is stored. @param {import("./reading/study_tree.js").StudyQuestion} question */
  async try(question) {
    const { chapter, node, shown } = this;
    if (!chapter || !node) return;
    const again = button(t("ui.studies.back_to_editor"), "end-trial", () => this.render(), "plain");
    const place = h("div", {});
    const done = () => show(place, praise());
    const trial = new AskedQuestion(shown, node, chapter.start, question, done);
    show(place, trial.element);
    this.asking = trial;
    for (const part of [this.steps, this.tools, this.tree]) part.hidden = true;
    show(this.asked, h("p", { class: "study-trial" }, t("ui.studies.trial")), place, again);
    if (!(await shown.show(node.node, node.marks, chapter.start))) return;
    trial.open();
    shown.remark();
    this.asked.scrollIntoView({ block: "start" });
  }

  /** Go where the moves of an answer lead in the tree; where they lead to no node, on in the main line. @param {Move[]} moves */
  async #lead(moves) {
    const { node } = this;
    let at = node;
    for (const move of moves) {
      const children = (at?.children ?? []).map((number) => this.nodes.get(number));
      const next = children.find((child) => child?.move && isSame(child.move, move));
      if (!next) break;
      at = next;
    }
    const to = at === node ? (node?.children[0] ?? this.#nextChapter()) : at?.node;
    if (to) await this.go(to);
    if (to) this.text.prepend(praise());
    else show(this.asked, praise());
  }

  /** Make changes, and show what the study is then. @param {import("./reading/study_calls.js").Change[]} changes @param {(page: StudyPage) => number} [to] */
  async change(changes, to = (page) => page.current) {
    await this.store(changes);
    await this.go(to(this));
  }

  /** Make changes, and leave what is shown. @param {import("./reading/study_calls.js").Change[]} changes */
  async store(changes) {
    this.take((await studies.change(this.id, ...changes)).study);
  }
}

/**
 * @param {string} id @param {number} node
 * @returns {Promise<import("../platform/router.js").Page>}
 */
export async function studyPage(id, node) {
  const page = new StudyPage(await studies.show(id));
  return {
    title: page.title.textContent ?? "",
    element: page.element,
    shown: () => {
      page.follow();
      requestAnimationFrame(() => page.go(node).catch(explain));
    },
    close: () => page.over.abort(),
  };
}
