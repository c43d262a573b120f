/** Fields of an author: what the service refuses is said at its field. */

import { h } from "../../elements/dom.js";
import { explain } from "../../elements/errors.js";
import { Problem } from "../../platform/api.js";
import { has, t } from "../../platform/i18n.js";

/**
 * @typedef {import("../reading/study_tree.js").TreeNode} TreeNode
 * @typedef {import("../reading/study_calls.js").Change} Change
 *
 * @typedef {object} EditedStudy the page, as its tools see it
 * @property {string} id
 * @property {import("../reading/study_calls.js").Study} study
 * @property {any} document the study file
 * @property {Map<number, TreeNode>} nodes
 * @property {TreeNode | undefined} node
 * @property {number} current
 * @property {import("../reading/study_tree.js").StudyChapter | undefined} chapter
 * @property {import("../reading/study_board.js").StudyBoard} shown
 * @property {HTMLElement} tools
 * @property {() => void} clear end what the position asks
 * @property {() => Promise<void>} render show the position again
 * @property {() => Promise<void>} refresh show what has changed around the position
 * @property {(node: number) => Promise<void>} go
 * @property {(study: import("../reading/study_calls.js").Study) => void} take
 * @property {(question: import("../reading/study_tree.js").StudyQuestion) => Promise<void>} try
 * @property {(changes: Change[]) => Promise<void>} store make changes, and leave what is shown
 * @property {(changes: Change[], to?: (page: any) => number) => Promise<void>} change
 *
 * @typedef {object} EditorPart
 * @property {boolean} isAtWork whether the board is in use, so that nothing may be drawn again
 * @property {() => Child[] | null} draw null: there is nothing to change here
 * @property {() => void} refresh show what others have changed; fields stay
 */

/** @param {HTMLTextAreaElement | HTMLInputElement | HTMLSelectElement} control @param {string} label @param {string} at a pointer below the change */
export function field(control, label, at) {
  const fault = h("span", { class: "fault", role: "alert" });
  return h("label", { class: "field", "data-at": at }, h("span", {}, label), control, fault);
}

/** A place where a fault is said that belongs to no field. @param {string} at */
export function faultPlace(at) {
  return h("div", { "data-at": at, tabindex: "-1" }, h("span", { class: "fault", role: "alert" }));
}

/** @param {HTMLElement} form */
function clear(form) {
  for (const fault of form.querySelectorAll(".fault")) fault.textContent = "";
  for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
}

/** @param {{detail?: string, reason?: string}} fault */
function sayFault({ detail = "", reason = "" }) {
  const key = `ui.studies.faults.${reason}`;
  return has(key) ? t(key) : detail;
}

/** Say a fault at the field that its pointer names, or at one around it; false: no field fits. @param {HTMLElement} form @param {any} fault */
export function pointOut(form, fault) {
  const pointer = String(fault.pointer ?? "").replace(/^\/changes\/\d+/, "");
  const around = (/** @type {Element} */ one) => {
    const at = one.getAttribute("data-at") ?? "";
    return pointer === at || pointer.startsWith(`${at}/`) ? at.length : -1;
  };
  const places = [...form.querySelectorAll("[data-at]")].filter((one) => around(one) >= 0);
  const [best] = places.sort((one, other) => around(other) - around(one));
  const said = best?.querySelector(":scope > .fault");
  if (!said) return false;
  said.textContent = sayFault(fault);
  const control = best.querySelector(":scope > :is(input, textarea, select)") ?? best;
  if (control !== best) control.setAttribute("aria-invalid", "true");
  /** @type {HTMLElement} */ (control).focus();
  return true;
}

/**
 * Do what a form asks for; a fault is said at its field. True: it is done.
 * @param {HTMLElement} form @param {() => Promise<void>} act
 */
export async function submit(form, act) {
  clear(form);
  try {
    await act();
    return true;
  } catch (error) {
    const faults = error instanceof Problem && error.status === 422 ? (error.body.errors ?? []) : [];
    const said = faults.filter((/** @type {any} */ fault) => pointOut(form, fault));
    if (!said.length) explain(error);
    return false;
  }
}
