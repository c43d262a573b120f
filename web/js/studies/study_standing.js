/** How a study stands with the operators: hidden, and why, for its authors; a button to report it for other players. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { report } from "../order/report_button.js";
import { isolate, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

/** @param {import("./study_calls.js").Study} study */
export function hiddenNote({ hidden }) {
  return hidden
    ? h("p", { class: "badge", "data-hidden": "" }, t("ui.report.hidden", { text: isolate(hidden.reason) }))
    : null;
}

/** @param {import("./study_calls.js").Study} study */
export function reportStudyButton({ id, may_write: isMine, authors }) {
  if (!me() || isMine || !authors.length) return null;
  return button(t("ui.report.study"), "study-report", () => report({ study: id }), "plain");
}
