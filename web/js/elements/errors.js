/** Saying why something was refused, in the words of the reader where there are some. */

import { Problem, Unreachable } from "../platform/api.js";
import { has, t } from "../platform/i18n.js";
import { forget } from "../platform/identity.js";
import { note } from "./announce.js";

/** @param {unknown} error */
export function isForgotten(error) {
  return error instanceof Problem && error.code === "token_unknown";
}

/** @param {unknown} error anything but a refusal or a lost connection is a fault: thrown again */
export function explain(error) {
  if (error instanceof Unreachable) {
    note(t("ui.errors.unreachable"), "trouble");
  } else if (error instanceof Problem) {
    if (isForgotten(error)) forget({ keepName: true }); // the server has new data: continue with a new token
    const key = `ui.errors.${error.code}`;
    const text = has(key) ? t(key) : error.message;
    note(error.code === "illegal_move" ? `${text} ${error.message}` : text, "trouble");
  } else {
    throw error;
  }
}
