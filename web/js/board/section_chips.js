/**
 * The sections of a picture (castle, special buildings, road …) and the chips above the board that
 * lead to them. A picture without sections has no chips.
 */

import { h, show } from "../elements/dom.js";
import { has, t } from "../platform/i18n.js";

/** @typedef {{name: string, element: SVGGraphicsElement}} Section */

/**
 * The sections of a picture, from top to bottom. Only names that have words are sections: parts of a
 * section may have names of their own.
 * @param {SVGSVGElement | null} picture @returns {Section[]}
 */
export function sectionsOf(picture) {
  const groups = /** @type {SVGGraphicsElement[]} */ ([...(picture?.querySelectorAll("g[data-section]") ?? [])]);
  const found = new Map();
  for (const element of groups) {
    const name = element.dataset.section ?? "";
    if (has(`ui.sheet.sections.${name}`) && !found.has(name)) found.set(name, { name, element });
  }
  return [...found.values()];
}

export class SectionChips {
  /** @param {import("./viewport.js").Viewport} viewport @param {(name: string) => void} go */
  constructor(viewport, go) {
    this.viewport = viewport;
    this.go = go;
    /** @type {Section[]} */
    this.sections = [];
    this.element = h("nav", { class: "chips", "aria-label": t("ui.sheet.parts"), hidden: true });
    this.waits = false;
    viewport.scroller.addEventListener("scroll", () => this.#later(), { passive: true });
  }

  /** @param {Section[]} sections */
  update(sections) {
    const names = sections.map(({ name }) => name).join(" ");
    const isNew = names !== this.sections.map(({ name }) => name).join(" ");
    this.sections = sections;
    this.element.hidden = sections.length < 2;
    if (isNew)
      show(
        this.element,
        sections.map(({ name }) => this.#chip(name)),
      );
    this.#mark();
  }

  /** @param {string} name */
  #chip(name) {
    const label = t(`ui.sheet.sections.${name}`);
    const data = { "data-chip": name, "data-key": `chip-${name}` };
    return h("button", { class: "chip", ...data, onclick: () => this.go(name) }, label);
  }

  #later() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.#mark();
    });
  }

  /** Mark the section of which most is seen: in full, or more than of others. */
  #mark() {
    const { box } = this.viewport;
    let [best, most] = ["", 0];
    for (const { name, element } of this.sections) {
      const { top, bottom } = element.getBoundingClientRect();
      const part = Math.min(bottom, box.bottom) - Math.max(top, box.top);
      const seen = part / Math.min(bottom - top, box.height);
      if (seen > most) [best, most] = [name, seen];
    }
    for (const chip of this.element.children) {
      if (chip.getAttribute("data-chip") === best) chip.setAttribute("aria-current", "true");
      else chip.removeAttribute("aria-current");
    }
  }

  /** Mark the section that asks. @param {string} name */
  ask(name) {
    for (const chip of this.element.children) chip.classList.toggle("asks", chip.getAttribute("data-chip") === name);
  }
}
