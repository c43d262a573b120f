/**
 * What a player does about a whole study: copies it, reports that of another. Where the operators hide it, its authors read
 * why.
 */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { report } from "../order/report_button.js";
import { isolate, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { go } from "../platform/router.js";
import { studies } from "./reading/study_calls.js";

/** @param {import("./reading/study_calls.js").Study} study */
export function hiddenNote({ hidden }) {
  return hidden
    ? h("p", { class: "badge", "data-hidden": "" }, t("ui.report.hidden", { text: isolate(hidden.reason) }))
    : null;
}

/** @param {import("./reading/study_calls.js").Study} study */
export function reportStudyButton({ id, may_write: isMine, authors }) {
  if (!me() || isMine || !authors.length) return null;
  return button(t("ui.report.study"), "study-report", () => report({ study: id }), "plain");
}

/** The copy is a private study of the reader. @param {import("./reading/study_calls.js").Study} study */
export function copyStudyButton({ id }) {
  if (!me()) return null;
  const copy = async () => {
    const { id: made } = await studies.begin({ copy_of: id });
    await go(`/studies/${made}`);
  };
  return button(t("ui.studies.copy"), "study-copy", copy, "plain");
}
