/** The notice that the client itself shows while it is open and out of sight. */

import { iconAt } from "../elements/dom.js";
import { t, titleOf } from "../platform/i18n.js";
import { go } from "../platform/router.js";
import { callAlone } from "../platform/service_worker.js";

const TOPIC_LETTERS = 32; // as in the messages of the service

/** Say that a game waits; a later notice of the same game replaces an earlier one. @param {import("./inbox.js").WaitingTurn} turn */
export async function showNotice({ game, title }) {
  const head = t("ui.play.your_turn");
  const how = { body: title ? titleOf(title) : "", icon: iconAt("icon-192.png"), tag: await topicOf(game) };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!worker?.active) return showHere(head, how, game);
  // Of the worker, so that a message of the service replaces it and is replaced, and Android shows it at all.
  const shown = { ...how, data: { type: "your_turn", game, navigate: `/games/${game}` } };
  await callAlone(() => worker.showNotification(head, shown));
}

/** @param {string} head @param {NotificationOptions} how @param {string} game */
function showHere(head, how, game) {
  const notice = new Notification(head, how);
  notice.onclick = () => {
    focus();
    notice.close();
    go(`/games/${game}`);
  };
}

/** The tag that the service gives to notices of a game. @param {string} game */
async function topicOf(game) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(game));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return text.replaceAll("+", "-").replaceAll("/", "_").slice(0, TOPIC_LETTERS);
}
