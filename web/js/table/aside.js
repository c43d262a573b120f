/**
 * Beside the board: the story and the scores. On a desktop in the right column; on a phone a drawer
 * over the board, which a button of the bar opens.
 */

import { h, show } from "../dom.js";
import { t } from "../i18n.js";

const TABS = /** @type {const} */ (["story", "scores"]);

/** @typedef {typeof TABS[number]} Tab */

/** Events: `tab` when another tab is shown, or the drawer opens. */
export class Aside extends EventTarget {
  /** @param {HTMLElement} story */
  constructor(story) {
    super();
    this.scores = h("div", { class: "scores" });
    this.buttons = TABS.map((name) => this.#button(name));
    this.cross = h(
      "button",
      { type: "button", class: "plain round aside-close", "aria-label": t("ui.sheet.close"), onclick: () => this.hide() },
      "×",
    );
    const nav = h("nav", { class: "tabs", "aria-label": t("ui.tabs.title") }, this.buttons, this.cross);
    const sections = [
      h("section", { class: "tab-story", tabindex: "0", "aria-label": t("ui.tabs.story") }, story),
      h("section", { class: "tab-scores", tabindex: "0", "aria-label": t("ui.tabs.scores") }, this.scores),
    ];
    this.element = h("div", { class: "aside", "data-shows": "story" }, nav, sections);
    /** Opens and closes the drawer of a phone. */
    this.toggle = h(
      "button",
      {
        type: "button",
        class: "plain open-aside",
        "aria-expanded": "false",
        "aria-label": t("ui.sheet.log"),
        title: t("ui.sheet.log"),
        "data-key": "aside",
        onclick: () => (this.isOpen ? this.hide() : this.show(this.tab)),
      },
      h("span", { class: "log-sign", "aria-hidden": "true" }),
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  /** @param {Tab} name */
  #button(name) {
    return h(
      "button",
      {
        type: "button",
        "aria-pressed": String(name === "story"),
        "data-tab": name,
        onclick: () => this.show(name),
      },
      t(`ui.tabs.${name}`),
    );
  }

  get isOpen() {
    return this.element.classList.contains("is-open");
  }

  /** @returns {Tab} */
  get tab() {
    return /** @type {Tab} */ (this.element.dataset.shows);
  }

  /** Show a tab, and the drawer when it is closed. @param {Tab} name */
  show(name) {
    this.element.dataset.shows = name;
    for (const button of this.buttons)
      button.setAttribute("aria-pressed", String(button.dataset.tab === name));
    this.element.classList.add("is-open");
    this.toggle.setAttribute("aria-expanded", "true");
    this.dispatchEvent(new Event("tab"));
  }

  hide() {
    this.element.classList.remove("is-open");
    this.toggle.setAttribute("aria-expanded", "false");
  }

  /** @param {...(Node | null)} parts */
  showScores(...parts) {
    show(this.scores, ...parts);
  }
}
