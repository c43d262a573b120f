/** The button that takes a move back: at once where that is free, else by asking the others. */

import { note } from "../elements/announce.js";
import { ask } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";

const FRESH = 5000; // ms

/**
 * Whether the last move goes back without having taught anything: no other seat has moved since, and nothing was drawn.
 * @param {import("../table/table.js").Table} table
 */
function isHarmless({ events, mine }) {
  const last = events.findLast(({ type }) => type === "move_made" || type === "moves_taken_back");
  return last?.type === "move_made" && mine.includes(last.seat) && !last.chance.length;
}

export class Takeback {
  /** @param {import("../table/table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.timer = 0;
    this.element = h("button", { class: "plain takeback", hidden: true, onclick: () => this.#ask() });
    table.addEventListener("talk", () => this.render());
    table.addEventListener("moved", () => this.#stress());
  }

  /** After an own move the button is easy to find for a moment. */
  #stress() {
    const { classList } = this.element;
    clearTimeout(this.timer);
    classList.add("fresh");
    this.timer = setTimeout(() => classList.remove("fresh"), FRESH);
  }

  /** Whether a move can be taken back without asking, by asking, or not at all. */
  get #way() {
    const { talk } = this.table;
    const may = talk && !talk.open ? talk.may.takeback : null;
    if (!may?.own) return ""; // a bot began: there is no last move of this person yet
    if (may.free_to !== null && may.free_to !== undefined) return "free";
    return may.ask ? "ask" : "";
  }

  /** Show the button as it works now. */
  render() {
    const way = this.#way;
    this.element.hidden = !way;
    if (!way) return;
    this.element.dataset.way = way;
    this.element.textContent = "↶";
    this.element.setAttribute("aria-label", t(`ui.takeback.${way}`));
    this.element.title = t(`ui.takeback.${way}_note`);
  }

  /** Whether the person goes on: a practice game counts no more after a takeback that taught something. */
  async #mayLeave() {
    const { table } = this;
    if (table.game.ladder !== "practice") return true;
    await table.loadEvents();
    if (isHarmless(table)) return true;
    return ask(t("ui.takeback.free"), t("ui.takeback.cost"), t("ui.takeback.free"));
  }

  async #ask() {
    const { table } = this;
    const isFree = this.#way === "free";
    this.element.disabled = true;
    try {
      if (!(await this.#mayLeave())) return;
      await table.act(() => api.propose(table.id, { kind: "takeback" }));
      note(t(isFree ? "ui.takeback.done" : "ui.takeback.asked"));
    } catch (error) {
      explain(error);
    } finally {
      this.element.disabled = false;
    }
  }
}
