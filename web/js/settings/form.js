/** Pieces that the sections of the settings are made of. */

import { button } from "../elements/button.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { t } from "../platform/i18n.js";

/** @param {string} name the key of its words in `ui.settings` @param {...Child} content */
export function section(name, ...content) {
  const id = `settings-${name}`;
  const note = t(`ui.settings.${name}.note`);
  return h(
    "section",
    { class: "setting", "aria-labelledby": id, "data-section": name },
    h("h2", { id }, t(`ui.settings.${name}.title`)),
    note.startsWith("ui.") ? null : h("p", { class: "soft" }, note),
    content,
  );
}

/**
 * A place whose content comes from the server, and can be asked for again; where it did not come, by a button.
 * @param {(again: () => Promise<void>) => Promise<Child>} load
 */
export function loaded(load) {
  const place = h("div", { class: "loaded" });
  let turn = 0;
  const again = async () => {
    turn += 1;
    const own = turn;
    try {
      const content = await load(again);
      if (own === turn) show(place, content); // else a newer answer is there, or on its way
    } catch (error) {
      explain(error);
      if (own === turn) show(place, button(t("ui.errors.again"), "load-again", again));
    }
  };
  again();
  return place;
}

/**
 * Do what a form is for when it is sent, and say why it failed. A second press waits for nothing: the first is on its way.
 * @param {HTMLFormElement} form @param {() => any} act
 */
export function onSubmit(form, act) {
  let isBusy = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      await act();
    } catch (error) {
      explain(error);
    } finally {
      isBusy = false;
    }
  });
}

/**
 * @param {string} id @param {string} text @param {boolean} checked @param {(checked: boolean) => any} changed
 */
export function check(id, text, checked, changed) {
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "checkbox", id, checked, onchange: () => changed(input.checked) });
  return h("label", { class: "check", for: id }, input, text);
}

/**
 * @param {string} id @param {string} label @param {string} value @param {string[][]} options
 * @param {(value: string) => any} changed
 */
export function choice(id, label, value, options, changed) {
  /** @type {HTMLSelectElement} */
  const select = h(
    "select",
    { id, "data-key": id, onchange: () => changed(select.value) },
    options.map(([name, words]) => h("option", { value: name, selected: name === value }, words)),
  );
  return h("div", { class: "row" }, h("label", { for: id }, label), select);
}

/**
 * A form with one line of text.
 * @param {{id: string, label: string, yes: string, value?: string, props?: Record<string, any>}} words
 * @param {(value: string) => any} act
 */
export function line({ id, label, yes, value = "", props = {} }, act) {
  /** @type {HTMLInputElement} */
  const input = h("input", { id, value, required: true, ...props });
  const form = h(
    "form",
    { class: "line" },
    h("label", { for: id }, label),
    input,
    h("button", { type: "submit", class: "plain", "data-key": `${id}-go` }, yes),
  );
  onSubmit(form, () => act(input.value.trim()));
  return form;
}
