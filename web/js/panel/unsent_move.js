/**
 * The line that says that a move waits for the server, with the way to withdraw it; and what became of
 * a move that waited and was not made.
 */

import { note } from "../elements/announce.js";
import { h, show } from "../elements/dom.js";
import { seal, seatName } from "../people/seats.js";
import { labelled, t } from "../platform/i18n.js";

export class UnsentMove {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.element = h("p", { class: "talk unsent", role: "status", hidden: true });
    table.addEventListener("unsent", () => this.render());
    table.addEventListener("refused", (event) => this.#explain(/** @type {CustomEvent} */ (event).detail));
    table.addEventListener("partly", (event) => {
      const { title, ...part } = /** @type {CustomEvent} */ (event).detail;
      note(labelled(title, t("ui.unsent.partly", part)), "trouble");
    });
    this.render();
  }

  render() {
    const { unsent, mine, game } = this.table;
    this.element.hidden = !unsent;
    if (!unsent) return show(this.element);
    show(
      this.element,
      seal(unsent.seat),
      h(
        "span",
        {},
        mine.length > 1 ? `${seatName(game, unsent.seat)}: ` : null,
        h("b", {}, unsent.title),
        " ",
        t("ui.unsent.waits"),
      ),
      h("button", { class: "plain", "data-key": "withdraw", onclick: () => this.#withdraw() }, t("ui.unsent.withdraw")),
    );
  }

  #withdraw() {
    this.table.withdraw();
    note(t("ui.unsent.withdrawn"));
  }

  /** @param {{error: import("../platform/api.js").Problem, entry: import("../table/move_queue.js").QueuedMove, made: boolean}} what */
  #explain({ error, entry, made }) {
    if (made) return;
    const reason = error.code === "stale_version" ? t("ui.unsent.moved_on") : error.message;
    const before = /** @type {any} */ (error).made;
    const of = before + 1 + entry.after.length;
    const part = before ? ` ${t("ui.unsent.partly", { made: before, of })}` : "";
    note(t("ui.unsent.refused", { move: entry.title, reason }) + part, "trouble");
  }
}
