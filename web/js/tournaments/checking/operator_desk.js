/** What operators order in a tournament, with a reason: in place of a host who is gone, or against one. */

import { button } from "../../elements/button.js";
import { h } from "../../elements/dom.js";
import { isolate, t } from "../../platform/i18n.js";
import { operatorToken } from "../../platform/operator_token.js";
import { choice } from "../../settings/form.js";
import { present } from "../facts/shown.js";
import { tournaments } from "../facts/tournament_calls.js";
import { askWithReason } from "./reason.js";

/** @typedef {import("../facts/shown.js").Shown} Shown */
/** @typedef {import("../facts/shown.js").Act} Act */
/** @typedef {Sent<"order_tournament">["command"]} Command */
/** @typedef {{player: {id: string, name: string}}} Named */

/** Seen on the devices of operators, until the tournament ends. @param {Shown} shown @param {Act} act */
export function drawDesk(shown, act) {
  const { id, status } = shown.tournament;
  if (!operatorToken() || (status !== "open" && status !== "running")) return null;
  const order = (/** @type {Command} */ command, /** @type {Named[] | null} */ whom = null) =>
    whom?.length === 0 ? null : button(words(command), `order-${command}`, () => askOrder(id, command, whom, act));
  return [
    h("h2", {}, t("ui.tournaments.desk.title")),
    h("p", { class: "soft" }, t("ui.tournaments.desk.note")),
    h(
      "div",
      { class: "tour-buttons" },
      status === "open" ? order("start") : null,
      order("remove", present(shown)),
      order("reinstate", goneOf(shown)),
      order("cancel"),
    ),
  ];
}

/** Those who can come back: after the start who has played. @param {Shown} shown @returns {Named[]} */
function goneOf({ tournament, entrants, standings }) {
  const all = tournament.status === "open" ? entrants : standings;
  return all.filter(({ gone }) => gone);
}

/** @param {Command} command */
function words(command) {
  return t(command === "reinstate" ? "ui.tournaments.desk.reinstate" : `ui.tournaments.${command}`);
}

/** @param {string} id @param {Command} command @param {Named[] | null} whom null: the order is about no entrant @param {Act} act */
async function askOrder(id, command, whom, act) {
  let player = whom?.[0].player.id ?? "";
  const options = whom?.map((one) => [one.player.id, isolate(one.player.name)]);
  const content = [
    h("p", {}, t(`ui.tournaments.desk.means.${command}`)),
    options
      ? choice("order-player", t("ui.tournaments.desk.entrant"), player, options, (chosen) => {
          player = chosen;
        })
      : null,
  ];
  const reason = await askWithReason(words(command), content);
  if (reason !== null) await act(() => tournaments.order(id, { command, reason, ...(player ? { player } : {}) }));
}
