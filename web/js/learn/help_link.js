/** Where the rules about a moment of a game stand. */

import { h } from "../elements/dom.js";
import { t, titleOf } from "../platform/i18n.js";

/**
 * The section of the rules about a decision, or about the phase.
 * @param {string} game @param {{kind: string} | null} decision @param {View | null} view
 */
export function helpAddress(game, decision, view) {
  const wanted = [decision?.kind, view?.phase].filter(Boolean);
  return `/learn/${game}${wanted.length ? `#${wanted.join("/")}` : ""}`;
}

/**
 * The link "?" of a table; `helpAddress` says where it leads at the moment.
 * @param {string} game
 */
export function helpLink(game) {
  const name = t("ui.learn.title", { game: titleOf(game) });
  return h("a", { class: "help button plain", href: `/learn/${game}`, "aria-label": name, title: name }, "?");
}
