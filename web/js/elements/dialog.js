/** Windows of their own: questions with yes or no or one of several answers, and what is shown until it is closed. */

import { t } from "../platform/i18n.js";
import { h } from "./dom.js";

let count = 0;

/**
 * Show a window with what the person fills in; false when it is dismissed.
 * @param {string} title @param {(Node | null)[]} content @param {string} yes the words of the button that agrees
 * @returns {Promise<boolean>}
 */
export function fillIn(title, content, yes) {
  return new Promise((resolve) => {
    count += 1;
    const id = `asking-${count}`;
    const close = (/** @type {string} */ answer) => () => dialog.close(answer);
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      { class: "asking", "aria-labelledby": id },
      h("h2", { id }, title),
      content,
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "plain", onclick: close("no") }, t("ui.cancel")),
        h("button", { class: "confirm", onclick: close("yes") }, yes),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Show something in a window of its own, until the person closes it.
 * @param {string} title @param {(Node | null)[]} content @param {string} done the words of the button that closes it
 * @param {string} [name] a class of the window
 */
export function tell(title, content, done, name = "") {
  count += 1;
  const id = `told-${count}`;
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: `asking ${name}`.trim(), "aria-labelledby": id },
    h("h2", { id }, title),
    content,
    h("div", { class: "buttons" }, h("button", { class: "confirm", onclick: () => dialog.close() }, done)),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Ask before something that cannot be undone.
 * @param {string} title what is to be done @param {string} text what it means @param {string} yes
 * @returns {Promise<boolean>}
 */
export function ask(title, text, yes) {
  return fillIn(title, [h("p", {}, text)], yes);
}

/**
 * Ask for one of several answers; the first one is chosen already.
 * @param {string} title @param {string} text @param {string[][]} options value and words of each
 * @param {string} yes
 * @returns {Promise<string | null>} the value, or null
 */
export async function choose(title, text, options, yes) {
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { "aria-label": title },
    options.map(([value, words]) => h("option", { value }, words)),
  );
  return (await fillIn(title, [h("p", {}, text), select], yes)) ? select.value : null;
}

/**
 * Ask for a line of text.
 * @param {string} title @param {string} label @param {string} yes @param {Record<string, any>} [props] of the field
 * @returns {Promise<string | null>} the text, or null
 */
export async function prompt(title, label, yes, props = {}) {
  /** @type {HTMLInputElement} */
  const input = h("input", { id: "asked-text", ...props });
  const content = [h("label", { for: "asked-text" }, label), input];
  return (await fillIn(title, content, yes)) ? input.value.trim() : null;
}
