/** The words of the action bar other than the question: where it comes from, whose turn it is. */

import { h } from "../elements/dom.js";
import { seal, seatName } from "../people/seats.js";
import { has, t } from "../platform/i18n.js";
import { sayQuestion } from "../play/controls.js";

/** Who is thinking about what, or how the game stands. @param {Game} game */
export function describeWaiting(game) {
  const decision = game.decision;
  if (game.status !== "running" || !decision) {
    return h("p", { class: "waiting" }, t(`ui.status.${game.status}`));
  }
  const name = seatName(game, decision.seat);
  return h(
    "p",
    { class: "waiting" },
    seal(decision.seat),
    h("span", {}, t("ui.play.thinking", { name }), " ", h("em", {}, sayQuestion(game.game, decision))),
  );
}

/**
 * Where a question comes from: the building that asks, whose gift it is.
 * @param {string} game @param {Decision} decision
 */
export function describeOrigin(game, { context, kind }) {
  if (context.building && has(`terms.${game}.buildings.${context.building}`)) {
    const number = /\d+$/.exec(context.space ?? "")?.[0];
    return h(
      "p",
      { class: "whose" },
      `${t(`terms.${game}.buildings.${context.building}`)}${number ? ` (${number})` : ""}`,
    );
  }
  if (kind.startsWith("favour") && context.source && has(`terms.${game}.sources.${context.source}`)) {
    return h("p", { class: "whose" }, t(`terms.${game}.sources.${context.source}`));
  }
  return null;
}
