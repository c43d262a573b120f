/** Inviting others: the address of the table, shared or copied. */

import { note } from "../announce.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";

/** The address of the table as it is now, without a moment. */
export function tableAddress() {
  return location.origin + location.pathname;
}

/** A button that hands the address to another program, or to the clipboard. */
export function shareButton() {
  return h("button", { type: "button", class: "plain share", onclick: share }, t("ui.share"));
}

/** Hand the address over. */
export async function share() {
  const url = tableAddress();
  try {
    if (navigator.share) await navigator.share({ url, title: document.title });
    else {
      await navigator.clipboard.writeText(url);
      note(t("ui.shared"));
    }
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") note(url); // no clipboard: show the link itself
  }
}
