/** A moment of the past: its address, and the line over it with the way back and what may begin there. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { explorerLink, positionOf } from "../explorer/explorer_link.js";
import { branch, canBranch } from "../people/continuations.js";
import { t } from "../platform/i18n.js";
import { go } from "../platform/router.js";

/** The version that an address names. @param {URL} url */
export function momentOf(url) {
  const asked = Number(url.searchParams.get("v"));
  return Number.isInteger(asked) && asked > 0 ? asked : null;
}

/**
 * @param {import("../table/table.js").Table} table @param {number} moment
 * @param {() => void} leave show the present again
 */
export function drawMomentLine(table, moment, leave) {
  const hasBegun = moment >= table.started;
  return [
    table.question
      ? h("strong", { class: "turn" }, t("ui.replay.turn"))
      : h("span", { class: "past" }, t("ui.replay.past")),
    " ",
    h("button", { class: "plain", "data-key": "present", onclick: () => leave() }, t("ui.replay.present")),
    canBranch(table) && hasBegun ? branch(table, moment) : null,
    table.finished && hasBegun ? tryButton(table.id, moment) : null,
    explorerLink(table.game.game, positionOf(table.game, table.events, moment)),
  ];
}

/** A board of this device that begins here: all seats are this person's. @param {string} id @param {number} moment */
function tryButton(id, moment) {
  const open = async () => {
    const { tryFrom } = await import("../local/desk.js");
    await go(`/games/${await tryFrom(id, moment)}`);
  };
  const element = button(t("ui.local.try"), "try", open);
  element.title = t("ui.local.try_note");
  return element;
}
