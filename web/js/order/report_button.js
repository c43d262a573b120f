/**
 * Reports to the operators: about a message, a player, a table or a study. Each place that shows one of these has the same
 * button and the same window. Without a player the operators could answer no one: there is no button.
 */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { fillIn } from "../elements/dialog.js";
import { h } from "../elements/dom.js";
import { call } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

const REASONS = ["insult", "spam", "cheating", "name", "other"];
const LONGEST = 2000;

/** @typedef {{message: string} | {player: string} | {game: string} | {study: string}} Reported one id */

/** A button for a player, where there is room for it. @param {string} player @param {string} name */
export function reportButton(player, name) {
  if (!me() || me()?.id === player) return null;
  return button(t("ui.report.player", { name }), `report-${player}`, () => report({ player }));
}

/** Ask what is wrong, and report it. @param {Reported} what */
export async function report(what) {
  /** @type {HTMLSelectElement} */
  const reason = h(
    "select",
    { id: "report-reason" },
    REASONS.map((value) => h("option", { value }, t(`ui.chat.reasons.${value}`))),
  );
  /** @type {HTMLTextAreaElement} */
  const text = h("textarea", { id: "report-text", rows: 3, maxlength: LONGEST });
  const content = [
    h("p", {}, t("message" in what ? "ui.chat.report_note" : "ui.report.note")),
    h("label", { for: "report-reason" }, t("ui.report.reason")),
    reason,
    h("label", { for: "report-text" }, t("ui.report.text")),
    text,
  ];
  if (!(await fillIn(t("ui.chat.report"), content, t("ui.report.send")))) return;
  await call("/reports", "POST", { ...what, reason: reason.value, text: text.value.trim() });
  note(t("ui.chat.reported"));
}
