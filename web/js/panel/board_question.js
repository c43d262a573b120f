/** A question outside of a running game in a sheet: the person chooses a move on the board; nothing is sent. */

import { h, show } from "../elements/dom.js";
import { MoveChooser } from "./move_chooser.js";

/**
 * @typedef {import("./move_chooser.js").AskedPosition} AskedPosition
 * @typedef {import("./move_chooser.js").Ask} Ask
 */

export class BoardQuestion {
  /**
   * @param {import("../board/board.js").Board} board @param {import("../elements/sheet.js").Sheet} sheet
   * @param {AskedPosition} position @param {(move: Move, ask: Ask) => Promise<void> | void} answer
   */
  constructor(board, sheet, position, answer) {
    this.sheet = sheet;
    this.chooser = new MoveChooser(board, position, answer, { key: "moment-answer", sheet });
    this.ask = this.chooser.ask;
  }

  /**
   * Ask.
   * @param {string} label in the head of the sheet
   * @param {{before?: Child, buttons?: Child}} [more] before: what stands above the choices; buttons: next to that of the answer
   * @param {import("../elements/sheet.js").SheetOptions} [how] how the sheet opens
   */
  open(label, { before = null, buttons = null } = {}, how = { at: "half", closes: true }) {
    const { chooser, sheet } = this;
    const { asked, control } = chooser.draw();
    sheet.open(h("div", { class: "control" }, before ?? asked, control), how);
    sheet.say(label);
    show(sheet.foot, chooser.would, h("div", { class: "buttons" }, chooser.confirm, buttons));
    chooser.seek();
  }
}
