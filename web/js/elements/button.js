/** A button for what takes its time. */

import { h } from "./dom.js";
import { explain } from "./errors.js";

/**
 * A button that waits for what it does, and says why it failed.
 * @param {string} text @param {string} key @param {() => any} act
 */
export function button(text, key, act, style = "plain") {
  const element = h("button", { class: style, "data-key": key, onclick: () => run() }, text);
  async function run() {
    element.disabled = true;
    try {
      await act();
    } catch (error) {
      explain(error);
    } finally {
      element.disabled = false;
    }
  }
  return element;
}
