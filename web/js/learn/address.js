/** Where the rules about a moment of a game stand, and which tables have a guide. */

import { titleOf, t } from "../i18n.js";
import { h } from "../dom.js";

const KEPT = "cartulary.guide.";

/**
 * The section of the rules about a decision, or about the phase.
 * @param {string} game @param {{kind: string} | null} decision @param {any} view
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
  return /** @type {HTMLAnchorElement} */ (
    h("a", { class: "help button plain", href: `/learn/${game}`, "aria-label": name, title: name }, "?")
  );
}

/**
 * How far the guide of a table is: for each seat how many entries of the script are behind it; null for
 * a table without a guide.
 * @param {string} id @returns {number[] | null}
 */
export function guideAt(id) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + id) ?? "null");
  } catch {
    return null; // a value written by hand or by another program
  }
}

/** Keep how far the guide is; null: it is over. @param {string} id @param {number[] | null} at */
export function keepGuide(id, at) {
  if (at === null) localStorage.removeItem(KEPT + id);
  else localStorage.setItem(KEPT + id, JSON.stringify(at));
}
