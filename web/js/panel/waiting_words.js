/** The words of the action bar other than the question: where it comes from, whose turn it is. */

import { h } from "../elements/dom.js";
import { seal, seatName } from "../people/seats.js";
import { has, t } from "../platform/i18n.js";

/**
 * Who is to move and what for, or how the game stands. The question itself addresses its reader, so no
 * other person gets it.
 * @param {Game} game
 */
export function describeWaiting(game) {
  const decision = game.decision;
  if (game.status !== "running" || !decision) {
    return h("p", { class: "waiting" }, t(`ui.status.${game.status}`));
  }
  const name = seatName(game, decision.seat);
  const reason = sayOrigin(game.game, decision) || sayPhase(game);
  return h(
    "p",
    { class: "waiting" },
    seal(decision.seat),
    reason
      ? h("span", {}, t("ui.play.thinking", { name }), " ", h("em", {}, reason))
      : h("span", {}, t("ui.lobby.turn_of", { name })),
  );
}

/** @param {Game} game */
function sayPhase({ game, view }) {
  return view?.phase && has(`terms.${game}.phases.${view.phase}`) ? t(`terms.${game}.phases.${view.phase}`) : "";
}

/**
 * Where a question comes from: the building that asks, whose gift it is; "" where the question says it.
 * @param {string} game @param {Decision} decision
 */
function sayOrigin(game, { context, kind }) {
  if (context.building && has(`terms.${game}.buildings.${context.building}`)) {
    const number = /\d+$/.exec(context.space ?? "")?.[0];
    return `${t(`terms.${game}.buildings.${context.building}`)}${number ? ` (${number})` : ""}`;
  }
  if (kind.startsWith("favour") && context.source && has(`terms.${game}.sources.${context.source}`))
    return t(`terms.${game}.sources.${context.source}`);
  return "";
}

/** The same as a line under the question. @param {string} game @param {Decision} decision */
export function describeOrigin(game, decision) {
  const origin = sayOrigin(game, decision);
  return origin ? h("p", { class: "whose" }, origin) : null;
}
