/** A question with two answers, in a window of its own. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Ask before something that cannot be undone.
 * @param {string} title what is to be done @param {string} text what it means @param {string} yes
 * @returns {Promise<boolean>}
 */
export function ask(title, text, yes) {
  return new Promise((resolve) => {
    const close = (/** @type {string} */ answer) => () => dialog.close(answer);
    const dialog = /** @type {HTMLDialogElement} */ (
      h(
        "dialog",
        { class: "asking", "aria-labelledby": "asking-title" },
        h("h2", { id: "asking-title" }, title),
        h("p", {}, text),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "plain", onclick: close("no") }, t("ui.cancel")),
          h("button", { type: "button", class: "confirm", onclick: close("yes") }, yes),
        ),
      )
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
