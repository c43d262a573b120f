/** The options of a game, as fields of a form. */

import { h } from "../elements/dom.js";
import { has, t } from "../platform/i18n.js";

/** One field for each option, with what is usual. @param {Offer} offer */
export function optionFields(offer) {
  return offer.options.map((option) => optionField(offer.name, option));
}

/** @param {string} game @param {any} option */
function optionField(game, option) {
  const key = `terms.${game}.options.${option.name}`;
  const id = `option-${option.name}`;
  return h(
    "div",
    { class: "row" },
    h("label", { for: id }, option.text),
    h(
      "select",
      { id, name: id },
      option.values.map((/** @type {string | number} */ value) =>
        h(
          "option",
          { value: JSON.stringify(value), selected: value === option.default },
          has(`${key}.values.${value}`) ? t(`${key}.values.${value}`) : String(value),
        ),
      ),
    ),
  );
}

/** What was chosen, by the names of the options. @param {Offer} offer @param {FormData} values of the form with the fields */
export function readOptions(offer, values) {
  return Object.fromEntries(offer.options.map(({ name }) => [name, JSON.parse(String(values.get(`option-${name}`)))]));
}
