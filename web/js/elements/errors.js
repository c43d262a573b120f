/** Saying why something was refused, in the words of the reader where there are some. */

import { Problem, Unreachable } from "../platform/api.js";
import { has, t } from "../platform/i18n.js";
import { forget, me } from "../platform/identity.js";
import { authorizationOf } from "../platform/request_headers.js";
import { note } from "./announce.js";

/** @param {unknown} error @returns {error is Problem} */
export function isForgotten(error) {
  return error instanceof Problem && error.code === "token_unknown";
}

/**
 * Whether a part of the client that is loaded when it is opened did not come: there is no network, or another
 * release has other files. Browsers say it in different words.
 * @param {unknown} error
 */
export function isMissingPart(error) {
  return error instanceof TypeError && /import(ed|ing a) module/.test(error.message);
}

/** What a missing part means for the person. */
export function partMissing() {
  return t(navigator.onLine ? "ui.errors.part_missing" : "ui.errors.unreachable");
}

/** The words of a refusal: those of its reason, where it has one. @param {Problem} problem */
function sayRefusal({ code, body, message }) {
  const reason = body.errors?.find((/** @type {{reason?: string}} */ one) => one.reason)?.reason;
  const key = reason ? `ui.errors.reasons.${reason}` : `ui.errors.${code}`;
  const text = has(key) ? t(key) : message;
  return code === "illegal_move" ? `${text} ${message}` : text;
}

/**
 * Why something did not work, in words.
 * @param {unknown} error anything but a refusal, a lost connection or a missing part is a fault: thrown again
 * @returns {string}
 */
export function sayWhy(error) {
  if (error instanceof Unreachable) return t("ui.errors.unreachable");
  if (error instanceof Problem) return sayRefusal(error);
  if (isMissingPart(error)) return partMissing();
  throw error;
}

/** Whether a request was sent with the token of the player of now. @param {Problem} problem */
function isOfNow({ authorization }) {
  const player = me();
  return player !== null && authorization === authorizationOf(player);
}

/** @param {unknown} error as `sayWhy` has it */
export function explain(error) {
  if (isForgotten(error)) {
    if (!isOfNow(error)) return; // what fails for the former player is no trouble of this one
    forget({ keepName: true }); // the server has new data: continue with a new token
  }
  note(sayWhy(error), "trouble");
}
