/** A reported study: what the report keeps of it, whether it is hidden now, and the button that changes it. */

import { note } from "../elements/announce.js";
import { button } from "../elements/button.js";
import { fillIn } from "../elements/dialog.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { Problem } from "../platform/api.js";
import { isolate, t } from "../platform/i18n.js";
import { desk } from "./calls.js";

const LONGEST = 500;

/** @param {NonNullable<import("./calls.js").Report["study"]>} kept @param {string} report its id */
export function studyCard({ id, title, text }, report) {
  const place = h("div", { "data-study": id });
  const load = async () => {
    try {
      const { hidden } = await desk.study(id);
      show(place, state(id, title, hidden, report, load));
    } catch (error) {
      if (!(error instanceof Problem && error.code === "not_found")) throw error;
      show(place, h("p", { class: "soft" }, t("ui.admin.study_gone")));
    }
  };
  load().catch(explain);
  const words = h("p", { dir: "auto", class: "reported-words" }, text);
  return h("div", { class: "what" }, h("b", { dir: "auto" }, title), words, place);
}

/**
 * @param {string} id @param {string} title @param {{reason: string} | null} hidden
 * @param {string} report @param {() => Promise<void>} again
 */
function state(id, title, hidden, report, again) {
  const command = hidden ? "show" : "hide";
  const act = async () => {
    if (await decide(id, title, command, report)) await again();
  };
  return [
    hidden ? h("span", { class: "badge" }, t("ui.admin.study_hidden")) : null,
    hidden ? h("p", { class: "soft", dir: "auto" }, hidden.reason) : null,
    h(
      "div",
      { class: "buttons" },
      hidden ? null : h("a", { class: "button", href: `/studies/${id}` }, t("ui.admin.study")),
      button(t(`ui.admin.${command}_study`), `${command}-study-${id}`, act),
    ),
  ];
}

/** @param {string} id @param {string} title @param {"hide" | "show"} command @param {string} report @returns {Promise<boolean>} whether it was ordered */
async function decide(id, title, command, report) {
  /** @type {HTMLTextAreaElement} */
  const reason = h("textarea", { id: "order-reason", rows: 2, maxlength: LONGEST, required: true });
  const content = [
    h("p", {}, t(`ui.admin.means.study_${command}`)),
    h("label", { for: "order-reason" }, t("ui.admin.reason")),
    reason,
  ];
  const what = t(`ui.admin.${command}_study`);
  if (!(await fillIn(`${what} · ${isolate(title)}`, content, what))) return false;
  await desk.orderStudy(id, { command, reason: reason.value.trim(), report });
  note(t("ui.admin.done"));
  return true;
}
