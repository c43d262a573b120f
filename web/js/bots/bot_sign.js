/**
 * How players are named: the sign after the name of a bot that a player has made, so that it is not taken for a person,
 * and the way to the page of a player.
 */

import { h, svg } from "../elements/dom.js";
import { isolate, t } from "../platform/i18n.js";

/** @typedef {{id: string, name: string, kind?: string, owner?: string}} Named a player as seats and events name it */

const SHAPE = "M12 2v4M5 8h14v11H5zM2 12v4M22 12v4M9 12v2M15 12v2";

/** Is this player a program that another player has made? @param {{kind?: string} | null | undefined} player */
export function isBot(player) {
  return player?.kind === "bot";
}

/** A sign for a bot, nothing for a person. @param {{kind?: string} | null | undefined} player */
export function botSign(player) {
  if (!isBot(player)) return null;
  const picture = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SHAPE }));
  const word = t("ui.bots.sign");
  return h("span", { class: "bot-sign", role: "img", "aria-label": word, title: word }, picture);
}

/** The name of a player in a list of names: of a bot with the word for it. @param {Named} player */
export function nameOf(player) {
  const name = isolate(player.name);
  return isBot(player) ? t("ui.bots.named", { name }) : name;
}

/** A name that leads to the page of its player. @param {Named} player */
export function playerLink(player) {
  const link = { class: "name player-link", href: `/players/${player.id}` };
  return h("a", link, h("bdi", {}, player.name), botSign(player));
}
