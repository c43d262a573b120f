/** Where the rules about a moment of a game stand. */

import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
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
 * The link "?" of a table; `helpAddress` says where it leads at the moment. A plain touch opens the rules over the table.
 * @param {string} game @param {import("../elements/sheet.js").Sheet} sheet
 */
export function helpLink(game, sheet) {
  const name = t("ui.learn.title", { game: titleOf(game) });
  const link = h("a", { class: "help button plain", href: `/learn/${game}`, "aria-label": name, title: name }, "?");
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return; // a tab of its own
    event.preventDefault();
    open(game, link.getAttribute("href") ?? "", sheet).catch(explain);
  });
  return link;
}

/** @param {string} game @param {string} address @param {import("../elements/sheet.js").Sheet} sheet */
async function open(game, address, sheet) {
  const { showRules } = await import("./rules_sheet.js");
  await showRules(game, address, sheet);
}
