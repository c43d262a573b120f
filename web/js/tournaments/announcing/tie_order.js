/** What separates equal points, and in which order; the lot is always the last. */

import { h, show } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";
import { check } from "../../settings/form.js";

const LOT = "draw";

export class TieOrder {
  constructor() {
    this.order = ["opponents", "margin", "head_to_head"];
    /** Those that are left out. @type {Set<string>} */
    this.left = new Set();
    this.list = h("ol", { class: "tour-ties" });
    this.element = h("fieldset", {}, h("legend", {}, t("ui.tournaments.equal")), this.list);
    this.#draw();
  }

  /** The names in their order, the lot last. */
  get wish() {
    return [...this.order.filter((name) => !this.left.has(name)), LOT];
  }

  #draw() {
    const lot = h("li", {}, h("b", {}, title(LOT)), note(LOT));
    show(
      this.list,
      this.order.map((name, at) => this.#line(name, at)),
      lot,
    );
  }

  /** @param {string} name @param {number} at */
  #line(name, at) {
    const changed = (/** @type {boolean} */ wanted) => {
      if (wanted) this.left.delete(name);
      else this.left.add(name);
    };
    return h(
      "li",
      { "data-tie": name },
      check(`tie-${name}`, title(name), !this.left.has(name), changed),
      h("span", {}, this.#step(name, at, "up"), this.#step(name, at, "down")),
      note(name),
    );
  }

  /** @param {string} name @param {number} at @param {"up" | "down"} way */
  #step(name, at, way) {
    const to = way === "up" ? at - 1 : at + 1;
    const words = t(`ui.tournaments.tie_${way}`, { name: title(name) });
    const how = { class: "plain round", type: "button", "data-key": `${way}-${name}`, "aria-label": words };
    const disabled = to < 0 || to >= this.order.length;
    return h("button", { ...how, disabled, onclick: () => this.#swap(at, to) }, way === "up" ? "↑" : "↓");
  }

  /** Let a name change places with its neighbour, and stay with it. @param {number} at @param {number} to */
  #swap(at, to) {
    const name = this.order[at];
    [this.order[at], this.order[to]] = [this.order[to], name];
    this.#draw();
    const way = to < at ? "up" : "down";
    const buttons = /** @type {HTMLButtonElement[]} */ ([...this.list.querySelectorAll(`[data-tie=${name}] button`)]);
    const isSame = (/** @type {HTMLButtonElement} */ one) => one.dataset.key === `${way}-${name}`;
    const open = buttons.filter(({ disabled }) => !disabled);
    (open.find(isSame) ?? open[0]).focus();
  }
}

/** @param {string} name */
const title = (name) => t(`ui.tournaments.tiebreaks.${name}`);

/** @param {string} name */
const note = (name) => h("p", { class: "soft" }, t(`ui.tournaments.tie_notes.${name}`));
