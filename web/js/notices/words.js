/** Notices in words. */

import { has, t, titleOf } from "../platform/i18n.js";

const OF_A_TURN = ["your_turn", "turn_reminder"];
export const MOVE = "move"; // a question to a bot

/** What a type is about. @param {string} type */
export function typeWords(type) {
  if (type === "your_turn") return t("ui.play.your_turn").replace(/\.$/, ""); // there it is a sentence
  const own = `ui.notices.types.${type}`;
  if (has(own)) return t(own);
  const key = `ui.inbox.types.${type}`;
  return t(has(key) ? key : "ui.inbox.types.other", { name: "…" }); // of whom it is, the notice itself says
}

/** What became of a notice, and of which game it was. @param {import("./calls.js").NoticeLine} line */
export function lineWords({ type, data, outcome, channel, status }) {
  const game = data.title ? titleOf(data.title) : "";
  const answer = status && outcome !== "sent" ? `${channel === "email" ? "SMTP" : "HTTP"} ${status}` : "";
  return {
    head: [typeWords(type), game].filter(Boolean).join(" · "),
    outcome: [outcomeWords(type, outcome), answer].filter(Boolean).join(" · "),
  };
}

/** @param {string} type @param {string} outcome */
function outcomeWords(type, outcome) {
  if (outcome === "taken" && OF_A_TURN.includes(type)) return t("ui.notices.outcomes.turn_taken");
  const ofMove = `ui.notices.outcomes.of_move.${outcome}`;
  return t(type === MOVE && has(ofMove) ? ofMove : `ui.notices.outcomes.${outcome}`);
}

/** @param {string} time RFC 3339 @param {string} language */
export function moment(time, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time));
}
