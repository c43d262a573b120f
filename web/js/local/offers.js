/** What the pages of local games and of analysis boards choose from. */

import { h } from "../elements/dom.js";
import { api, Unreachable } from "../platform/api.js";
import { language } from "../platform/i18n.js";
import { theEngine } from "./engine.js";

/** @param {string} id @param {string} label @param {[string, string][]} options @param {string} value */
export function choice(id, label, options, value) {
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id, "data-key": id },
    options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
  );
  return { select, element: h("div", { class: "row" }, h("label", { for: id }, label), select) };
}

/** @param {number} from @param {number} to @returns {[string, string][]} */
export function numbers(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => [String(from + at), String(from + at)]);
}

/** The games on offer: the service has them at once; without a network the engine says it. */
export async function findOffers() {
  if (navigator.onLine) {
    try {
      return (await api.catalogue()).games;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return (await (await theEngine()).ask({ type: "catalogue", language: language() })).games;
}
