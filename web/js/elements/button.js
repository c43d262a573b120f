/** A button for what takes its time. */

import { h } from "./dom.js";
import { explain } from "./errors.js";

/**
 * A button that waits for what it does, and says why it failed.
 * @param {string} text @param {string} key @param {() => any} act
 */
export function button(text, key, act, style = "plain") {
  /** @param {Event} event of the button that stands there: a morph hands the listener to the one from before */
  async function run({ currentTarget }) {
    const element = /** @type {HTMLButtonElement} */ (currentTarget);
    element.disabled = true;
    try {
      await act();
    } catch (error) {
      explain(error);
    } finally {
      element.disabled = false;
    }
  }
  return h("button", { class: style, "data-key": key, onclick: run }, text);
}
