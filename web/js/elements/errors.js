/** Saying why something was refused, in the words of the reader where there are some. */

import { Problem, Unreachable } from "../platform/api.js";
import { has, t } from "../platform/i18n.js";
import { forget } from "../platform/identity.js";
import { note } from "./announce.js";

/** @param {unknown} error */
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

/** @param {unknown} error anything but a refusal, a lost connection or a missing part is a fault: thrown again */
export function explain(error) {
  if (error instanceof Unreachable) {
    note(t("ui.errors.unreachable"), "trouble");
  } else if (error instanceof Problem) {
    if (isForgotten(error)) forget({ keepName: true }); // the server has new data: continue with a new token
    const key = `ui.errors.${error.code}`;
    const text = has(key) ? t(key) : error.message;
    note(error.code === "illegal_move" ? `${text} ${error.message}` : text, "trouble");
  } else if (isMissingPart(error)) {
    note(partMissing(), "trouble");
  } else {
    throw error;
  }
}
