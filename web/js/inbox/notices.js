/**
 * Notices of the browser while the client is open, and the offer to turn them on. A browser asks
 * for its permission only when the offer was accepted.
 */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { prefer, prefs } from "../platform/prefs.js";

export function canNotify() {
  return "Notification" in window && isSecureContext;
}

/** Do notices work: wanted here, and allowed by the browser? */
export function notifies() {
  return canNotify() && prefs().notices && Notification.permission === "granted";
}

/** @returns {Promise<boolean>} whether they work now */
export async function allow() {
  const answer = canNotify() ? await Notification.requestPermission() : "denied";
  prefer({ notices: answer === "granted", asked: true });
  return answer === "granted";
}

/** Should notices be offered? Once, and only where a game may wait for days. @param {Game} game */
export function shouldOffer({ pace, status }) {
  if (pace?.mode !== "correspondence" || status !== "running" || !canNotify()) return false;
  return !prefs().asked && !prefs().notices && Notification.permission === "default";
}

/**
 * The offer: a line with two buttons, which waits for an answer.
 * @param {() => void} done is called with the answer
 */
export function offer(done) {
  const answer = (/** @type {() => any} */ act) => async () => {
    await act();
    done();
  };
  return h(
    "p",
    { class: "talk notice-offer" },
    h("span", {}, t("ui.notices.offer")),
    " ",
    h("button", { class: "confirm", "data-key": "notices-yes", onclick: answer(allow) }, t("ui.notices.yes")),
    h(
      "button",
      { class: "plain", "data-key": "notices-no", onclick: answer(() => prefer({ asked: true })) },
      t("ui.notices.no"),
    ),
  );
}
