/** Who has made a bot. Seats and events name its owner by the id alone. */

import { h } from "../elements/dom.js";
import { call, Problem, Unreachable } from "../platform/api.js";
import { isolate, t } from "../platform/i18n.js";
import { isBot } from "./bot_sign.js";

/** The names of owners, by id. @type {Map<string, Promise<string>>} */
const names = new Map();

/** @param {string} owner @returns {Promise<string>} "" when the owner cannot be found now: the next look asks again */
function nameOf(owner) {
  const known =
    names.get(owner) ??
    call(`/players/${owner}`).then(
      ({ name }) => name,
      (error) => {
        names.delete(owner);
        if (error instanceof Problem || error instanceof Unreachable) return "";
        throw error;
      },
    );
  names.set(owner, known);
  return known;
}

/** "by Ada", in words; "" without a name. @param {string} name */
export function sayAuthor(name) {
  return name && t("ui.bots.by", { name: isolate(name) });
}

/**
 * "by Ada" as an element that fills itself; nothing for a person.
 * @param {import("./bot_sign.js").Named | null | undefined} player
 */
export function authorTag(player) {
  if (!isBot(player) || !player?.owner) return null;
  const tag = h("span", { class: "author soft" });
  nameOf(player.owner).then((name) => {
    tag.textContent = sayAuthor(name);
  });
  return tag;
}
