/** What operators decide has a reason, which all read: a window asks for it until it is there. */

import { fillIn } from "../../elements/dialog.js";
import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";

const LONGEST_REASON = 500;

/**
 * Ask what is to be decided, and why; null when the window is dismissed.
 * @param {string} title @param {(Node | null)[]} content @returns {Promise<string | null>} the reason
 */
export async function askWithReason(title, content) {
  /** @type {HTMLInputElement} */
  const reason = h("input", { id: "decide-reason", maxlength: String(LONGEST_REASON), "aria-required": "true" });
  const label = h("label", { for: reason.id }, t("ui.tournaments.decide_reason"));
  const row = h("div", { class: "row" }, label, reason);
  for (;;) {
    if (!(await fillIn(title, [...content, row], title))) return null;
    if (reason.value.trim()) return reason.value.trim();
    reason.setAttribute("aria-invalid", "true"); // the reason is missing: ask again, with what was filled in
    reason.autofocus = true;
  }
}
