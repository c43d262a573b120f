/** The way to what others played in a position: from a table, a lesson, a puzzle, a study. */

import { h } from "../elements/dom.js";
import { t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";

/**
 * @param {string} game its name
 * @param {string | null | undefined} position `GAME@VERSION`, or a key; nothing: there is no explorer, or no question
 * @param {string} [words]
 */
export function explorerLink(game, position, words = t("ui.explorer.open")) {
  if (!position) return null;
  const href = `/explorer/${game}?${new URLSearchParams({ position })}`;
  return h("a", { class: "button plain", href, "data-key": "explorer" }, words);
}

/**
 * A position of a finished game in which a move was made. A game of a duplicate round may be over while other
 * tables still have its draws before them, and the explorer waits for these: it has none.
 * @param {Game} game @param {GameEvent[]} events @param {number} version after which the move came
 */
export function positionOf({ id, status }, events, version) {
  const isAsked = events.some((event) => event.version > version && event.type === "move_made");
  const { fair } = /** @type {any} */ (events[0] ?? {});
  return status === "over" && isAsked && !fair?.round && !isLocal(id) ? `${id}@${version}` : null;
}
