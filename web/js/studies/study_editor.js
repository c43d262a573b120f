/** The tools of an author: a move from here, the text, marks, the order of the moves, who reads the study. */

import { button } from "../elements/button.js";
import { ask, prompt } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { findPiece } from "../play/pieces.js";
import { MoveChooser } from "./move_chooser.js";
import { studies } from "./study_calls.js";
import { placeOf } from "./study_marks.js";

const KINDS = /** @type {const} */ (["look", "good", "bad"]);
const VISIBILITIES = ["private", "link", "public"];

/**
 * @typedef {import("./study_tree.js").TreeNode} TreeNode
 * @typedef {object} EditedStudy the page, as its tools see it
 * @property {string} id
 * @property {import("./study_calls.js").Study} study
 * @property {any} document the study file
 * @property {Map<number, TreeNode>} nodes
 * @property {TreeNode | undefined} node
 * @property {number} current
 * @property {import("./study_tree.js").StudyChapter | undefined} chapter
 * @property {import("./study_board.js").StudyBoard} shown
 * @property {HTMLElement} tools
 * @property {(changes: import("./study_calls.js").Change[], to?: (page: any) => number) => Promise<void>} change
 */

export class StudyEditor {
  /** @param {EditedStudy} page */
  constructor(page) {
    this.page = page;
    /** What a touch on the board marks; "": nothing. @type {"" | (typeof KINDS)[number]} */
    this.marking = "";
    this.work = h("div", { class: "study-work" });
    page.shown.board.host.addEventListener("inspect", (event) => this.#mark(event));
  }

  /** Show the tools for the position that is shown. */
  open() {
    const { page } = this;
    this.marking = "";
    show(this.work);
    const tools = page.node ? this.#ofNode(page.node) : [];
    show(page.tools, h("details", {}, h("summary", {}, t("ui.studies.edit")), tools, this.#ofStudy(), this.work));
    const details = /** @type {HTMLDetailsElement} */ (page.tools.firstElementChild);
    details.open = this.isOpen ?? false;
    details.addEventListener("toggle", () => (this.isOpen = details.open));
  }

  /** @param {import("./study_tree.js").TreeNode} node */
  #ofNode({ node, parent, text, marks }) {
    const { page } = this;
    const area = h("textarea", { rows: 5, maxlength: 4000, "aria-label": t("ui.studies.text"), "data-key": "text" });
    area.value = text;
    const save = () => page.change([{ type: "text_set", node, text: area.value }]);
    const clear = () => page.change([{ type: "marks_set", node, marks: [] }]);
    const up = () => page.change([{ type: "node_promoted", node }]);
    const kinds = KINDS.map((kind) => {
      const made = button(t(`ui.studies.${kind}`), `mark-${kind}`, () => this.#startMarking(kind));
      made.setAttribute("aria-pressed", String(kind === this.marking));
      return made;
    });
    return [
      h(
        "div",
        { class: "buttons" },
        button(t("ui.studies.add_move"), "add-move", () => this.#addMove(), "confirm"),
      ),
      area,
      h("div", { class: "buttons" }, button(t("ui.studies.save"), "save-text", save)),
      h("div", { class: "buttons", role: "group", "aria-label": t("ui.studies.marks") }, kinds),
      marks.length ? h("div", { class: "buttons" }, button(t("ui.studies.clear"), "clear-marks", clear)) : null,
      parent
        ? h(
            "div",
            { class: "buttons" },
            button(t("ui.studies.promote"), "promote", up),
            button(t("ui.studies.remove"), "remove", () => this.#remove(node, parent)),
          )
        : null,
    ];
  }

  /** @param {number} node @param {number} parent */
  async #remove(node, parent) {
    const { page } = this;
    if (!(await ask(t("ui.studies.remove"), t("ui.studies.remove_all"), t("ui.studies.remove")))) return;
    await page.change([{ type: "node_removed", node }], () => parent);
  }

  #ofStudy() {
    const { page } = this;
    const { study } = page;
    const choose = () => page.change([{ type: "visibility_set", visibility: select.value }]);
    /** @type {HTMLSelectElement} */
    const select = h(
      "select",
      { "data-key": "visibility", onchange: () => choose() },
      VISIBILITIES.map((one) =>
        h("option", { value: one, selected: one === study.visibility }, t(`ui.studies.${one}`)),
      ),
    );
    return [
      h("label", { class: "field" }, h("span", {}, t("ui.studies.readers")), select),
      h(
        "div",
        { class: "buttons" },
        button(t("ui.studies.new_chapter"), "new-chapter", () => this.#addChapter()),
        button(t("ui.studies.delete"), "delete-study", () => this.#delete()),
      ),
    ];
  }

  async #delete() {
    if (!(await ask(t("ui.studies.delete"), t("ui.studies.delete_all"), t("ui.studies.delete")))) return;
    await studies.remove(this.page.id);
    await go("/studies");
  }

  /** A chapter from a game that is over. */
  async #addChapter() {
    const address = await prompt(t("ui.studies.new_chapter"), t("ui.studies.game"), t("ui.studies.begin"));
    if (!address) return;
    const { page } = this;
    const title = t("ui.studies.chapter", { n: page.document.chapters.length + 1 });
    const game = address
      .trim()
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1);
    await page.change([{ type: "chapter_added", title, game }], ({ document }) => document.chapters.at(-1).node);
  }

  // -- a move from here ---------------------------------------------------------------------------------

  async #addMove() {
    const { page } = this;
    const { chapter, node } = page;
    if (!chapter || !node) return;
    await page.shown.show(node.node, node.marks, chapter.start);
    const chooser = new MoveChooser(chapter.start.game, page.shown, (move) => this.#store(move));
    show(this.work, chooser.element);
    chooser.open();
    this.work.scrollIntoView({ block: "nearest" });
  }

  /** Store a move; where it leads to a draw, the author says what is drawn. @param {Move} move */
  async #store(move) {
    const { page } = this;
    const { node } = page;
    if (!node) return;
    const { draw } = await studies.position(page.id, node.node, [move]);
    const add = (/** @type {string[]} */ draws) => {
      const change = { type: "line_added", parent: node.node, moves: [{ move, draws }] };
      return page.change([change], ({ nodes }) => nodes.get(node.node)?.children.at(-1) ?? 0);
    };
    if (!draw.length) {
      await add([]);
      return;
    }
    const chips = draw.map((one) => button(findPiece(one)?.name ?? one, `draw-${one}`, () => add([one])));
    const open = button(t("ui.studies.draw_open"), "draw-open", () => add([]));
    show(this.work, h("p", {}, t("ui.studies.draw")), h("div", { class: "buttons draws" }, chips, open));
  }

  // -- marks --------------------------------------------------------------------------------------------

  /** @param {(typeof KINDS)[number]} kind */
  #startMarking(kind) {
    this.marking = this.marking === kind ? "" : kind;
    show(this.work, this.marking ? h("p", { role: "status" }, t("ui.studies.touch")) : null);
  }

  /** @param {Event} event */
  #mark(event) {
    const { page, marking } = this;
    const place = placeOf(/** @type {CustomEvent} */ (event).detail);
    if (!marking || !place || !page.node) return;
    const { node, marks } = page.node;
    page.change([{ type: "marks_set", node, marks: [...marks, { kind: marking, at: place }] }]).then(() => {
      this.#startMarking(marking);
    });
  }
}
