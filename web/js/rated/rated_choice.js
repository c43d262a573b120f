/** Whether a new game counts for ratings; what is missing for that, each with the touch that changes it. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { accountNeeded } from "./account_needed.js";

/** @typedef {{text: string, fix: () => void}} Fault a condition that is not met, and what meets it */

/** The choice. Its element is built again with the form; what was chosen stays. */
export class RatedChoice {
  constructor() {
    this.isChosen = false;
    /** Made once: codes that it shows are shown once. @type {HTMLElement | null} */
    this.account = null;
  }

  /** @param {Fault[]} faults @param {() => void} changed */
  fields(faults, changed) {
    const choose = (/** @type {Event} */ { target }) => {
      this.isChosen = /** @type {HTMLInputElement} */ (target).checked;
      changed();
    };
    const box = { type: "checkbox", id: "rated", "data-key": "rated", checked: this.isChosen, onchange: choose };
    return h(
      "fieldset",
      { class: "rated-choice" },
      h("legend", {}, t("ui.rated.title")),
      h("label", { class: "check", for: "rated" }, h("input", box), t("ui.rated.label")),
      this.isChosen ? this.#conditions(faults, changed) : null,
    );
  }

  /** @param {Fault[]} faults @param {() => void} changed */
  #conditions(faults, changed) {
    this.account ??= accountNeeded();
    return [
      h("p", { class: "soft" }, t("ui.rated.note")),
      ...faults.map(({ text, fix }, at) => {
        const onclick = () => {
          fix();
          changed();
        };
        return h(
          "p",
          { class: "trouble" },
          text,
          " ",
          h("button", { class: "second", "data-key": `rated-fix-${at}`, onclick }, t("ui.rated.fix")),
        );
      }),
      this.account,
    ];
  }
}
