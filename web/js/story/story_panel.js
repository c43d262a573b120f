/**
 * The story and the scores. On a desktop in the right column; on a phone a drawer
 * over the board, which a button of the bar opens, or a swipe to the left on what stands around the board.
 */

import { h, show, spoken } from "../elements/dom.js";
import { listenForSwipes } from "../elements/swipe.js";
import { seal, seatName } from "../people/seats.js";
import { t } from "../platform/i18n.js";

const TABS = /** @type {const} */ (["story", "scores"]);

/** @typedef {typeof TABS[number]} Tab */

/** Events: `tab` when another tab is shown, or the drawer opens. */
export class StoryPanel extends EventTarget {
  /** @param {HTMLElement} story @param {Game} game */
  constructor(story, game) {
    super();
    /** Whose lines of the story are shown: of all seats, or of one. */
    this.filters = [null, ...game.seats.map(({ seat }) => seat)].map((seat) => this.#filter(game, seat));
    this.scores = h("div", { class: "scores" });
    this.buttons = TABS.map((name) => this.#button(name));
    this.cross = h(
      "button",
      { class: "plain round aside-close", "aria-label": t("ui.sheet.close"), onclick: () => this.hide() },
      "×",
    );
    const nav = h("nav", { class: "tabs", "aria-label": t("ui.tabs.title") }, this.buttons, this.cross);
    const filters = h("div", { class: "log-of", role: "group", "aria-label": t("ui.sheet.log_of") }, this.filters);
    const sections = [
      h("section", { class: "tab-story", tabindex: "0", "aria-label": t("ui.tabs.story") }, filters, story),
      h("section", { class: "tab-scores", tabindex: "0", "aria-label": t("ui.tabs.scores") }, this.scores),
    ];
    this.element = h("div", { class: "aside", "data-shows": "story" }, nav, sections);
    this.toggle = h(
      "button",
      {
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
        "aria-pressed": String(name === "story"),
        "data-tab": name,
        onclick: () => this.show(name),
      },
      t(`ui.tabs.${name}`),
    );
  }

  /** @param {Game} game @param {number | null} seat null: all seats */
  #filter(game, seat) {
    const name = seat === null ? t("ui.sheet.everybody") : seatName(game, seat);
    return h(
      "button",
      {
        class: "plain",
        title: name,
        "aria-pressed": String(seat === null),
        "data-of": seat ?? "all",
        onclick: () => this.#only(seat),
      },
      seat === null ? name : [seal(seat), spoken(name)],
    );
  }

  /** @param {number | null} seat */
  #only(seat) {
    if (seat === null) this.element.removeAttribute("data-only");
    else this.element.setAttribute("data-only", String(seat));
    for (const button of this.filters)
      button.setAttribute("aria-pressed", String(button.dataset.of === String(seat ?? "all")));
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
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
    this.element.classList.add("is-open");
    this.toggle.setAttribute("aria-expanded", "true");
    this.dispatchEvent(new Event("tab"));
  }

  hide() {
    this.element.classList.remove("is-open");
    this.toggle.setAttribute("aria-expanded", "false");
  }

  /** A swipe to the left opens the drawer, to the right closes it. @param {HTMLElement[]} zones where it opens */
  swipeFrom(...zones) {
    for (const zone of zones)
      listenForSwipes(zone, (way) => {
        if (way !== "left" || !this.toggle.checkVisibility() || this.isOpen) return false;
        this.show(this.tab);
        return true;
      });
    listenForSwipes(this.element, (way) => {
      if (way !== "right" || !this.toggle.checkVisibility()) return false;
      this.hide();
      return true;
    });
  }

  /** @param {...(Node | null)} parts */
  showScores(...parts) {
    show(this.scores, ...parts);
  }
}
