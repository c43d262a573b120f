/** What an author changes at a position: a move from here, the text, the order of the moves, removal. */

import { button } from "../../elements/button.js";
import { ask } from "../../elements/dialog.js";
import { h, show } from "../../elements/dom.js";
import { MoveChooser } from "../../panel/move_chooser.js";
import { t } from "../../platform/i18n.js";
import { findPiece } from "../../play/pieces.js";
import { studies } from "../reading/study_calls.js";
import { field, submit } from "./fields.js";

export class PositionTools {
  /** @param {import("./fields.js").EditedStudy} page @param {import("./drafts.js").Drafts} drafts */
  constructor(page, drafts) {
    this.page = page;
    this.drafts = drafts;
    this.isAtWork = false;
    this.work = h("div", { class: "study-work" });
    this.state = h("p", { class: "soft", role: "status" });
  }

  draw() {
    const { node } = this.page;
    if (!node) return null;
    this.isAtWork = false;
    show(this.work);
    const { parent } = node;
    const add = button(t("ui.studies.add_move"), "add-move", () => this.#addMove(), "confirm");
    const up = () => this.page.change([{ type: "node_promoted", node: node.node }]);
    const moves = [
      button(t("ui.studies.promote"), "promote", up),
      button(t("ui.studies.remove"), "remove", () => this.#remove(node.node, parent)),
    ];
    return [h("div", { class: "buttons" }, add, parent ? moves : null), this.work, this.#text(node)];
  }

  refresh() {
    const { node } = this.page;
    const isOvertaken = node && this.drafts.isOvertaken(`text ${node.node}`, node.text);
    this.state.textContent = isOvertaken ? t("ui.studies.overtaken") : "";
  }

  /** @param {import("../reading/study_tree.js").TreeNode} at */
  #text(at) {
    const { drafts, page } = this;
    const name = `text ${at.node}`;
    const stored = () => page.nodes.get(at.node)?.text ?? "";
    const area = h("textarea", { rows: 5, maxlength: 4000, "data-key": "text" });
    area.value = drafts.read(name, at.text);
    area.addEventListener("input", () => drafts.write(name, area.value, stored()));
    const save = () =>
      submit(form, async () => {
        const text = area.value;
        await page.store([{ type: "text_set", node: at.node, text }]);
        if (area.value === text) drafts.drop(name);
        await page.render();
      });
    const discard = async () => {
      drafts.drop(name);
      await page.render();
    };
    const buttons = h(
      "div",
      { class: "buttons" },
      drafts.kept.has(name) ? button(t("ui.studies.discard"), "discard-text", discard, "plain") : null,
      button(t("ui.studies.save"), "save-text", save),
    );
    const form = h("div", {}, field(area, t("ui.studies.text"), "/text"), this.state, buttons);
    this.refresh();
    return form;
  }

  /** @param {number} node @param {number} parent */
  async #remove(node, parent) {
    if (!(await ask(t("ui.studies.remove"), t("ui.studies.remove_all"), t("ui.studies.remove")))) return;
    await this.page.change([{ type: "node_removed", node }], () => parent);
  }

  // -- a move from here ---------------------------------------------------------------------------------

  async #addMove() {
    const { page } = this;
    const { chapter, node } = page;
    if (!chapter || !node) return;
    this.isAtWork = true;
    page.clear();
    if (!(await page.shown.show(node.node, node.marks, chapter.start))) return;
    const position = page.shown.question(chapter.start.game);
    const end = button(t("ui.cancel"), "end-move", () => page.render(), "plain");
    if (!position) {
      show(this.work, h("p", { role: "status" }, t("ui.studies.nobody")), h("div", { class: "buttons" }, end));
      return;
    }
    const chooser = new MoveChooser(page.shown.board, position, (move) => this.#store(move), {
      key: "store-move",
      isTest: false,
    });
    const { asked, control } = chooser.draw();
    show(this.work, asked, control, chooser.would, h("div", { class: "buttons" }, end, chooser.confirm));
    chooser.seek();
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
}
