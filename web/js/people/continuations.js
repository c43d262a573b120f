/** After the end: the next game of the same people, and a new game from any moment of this one. */

import { button } from "../elements/button.js";
import { h } from "../elements/dom.js";
import { api } from "../platform/api.js";
import { list, t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";
import { go } from "../platform/router.js";
import { withPlayer } from "./guest_name.js";
import { seatName, USUAL_BOT } from "./seats.js";

/** @typedef {import("../table/table.js").Table} Table */

/**
 * A button that opens a game and goes there.
 * @param {string} text @param {string} key @param {() => Promise<{id: string}>} open
 */
function opener(text, key, open, style = "confirm") {
  const press = async () => {
    const { id } = await open();
    if (id) await go(`/games/${id}`);
  };
  return button(text, key, press, style);
}

/** "Play on with …": one tap, also when several people tap. @param {Table} table */
export function rematch(table) {
  const { game } = table;
  if (game.tournament) {
    const address = { href: `/tournaments/${game.tournament.id}`, "data-key": "tournament" };
    return h("a", { class: "button confirm", ...address }, t("ui.tournaments.back"));
  }
  if (!table.mine.length) {
    return h("a", { class: "button", href: `/new?game=${game.game}` }, t("ui.lobby.again"));
  }
  const names = game.seats.filter(({ seat }) => !table.mine.includes(seat)).map(({ seat }) => seatName(game, seat));
  const text = names.length ? t("ui.again.with", { names: list(names) }) : t("ui.lobby.again");
  return opener(text, "rematch", () => api.rematch(table.id));
}

/** May this person play on from a moment: of a game that is over, or one against bots alone. @param {Table} table */
export function canBranch(table) {
  if (table.game.status === "over") return true;
  const { mine, game } = table;
  return (
    game.status === "running" &&
    mine.length > 0 &&
    game.seats.every(({ seat, player }) => !player || mine.includes(seat))
  );
}

/** On which seat one plays on: one's own; of several the one that moved next. @param {Table} table @param {number} version */
function seatToPlayOn({ mine, events }, version) {
  const next = events.find((event) => event.version > version && event.type === "move_made")?.seat;
  return mine.find((seat) => seat === next) ?? mine[0] ?? 0;
}

/**
 * "Play on from here": against bots, on the seat that one had, with hints as in every such game.
 * @param {Table} table @param {number} version
 */
export function branch(table, version) {
  const wish = () => {
    const own = seatToPlayOn(table, version);
    const seats = table.game.seats.map(({ seat, bot }) =>
      seat === own ? { kind: "me" } : { kind: "bot", bot: bot ?? USUAL_BOT },
    );
    return api.branch(table.id, { version, seats, hints: true });
  };
  const open = async () => {
    if (isLocal(table.id)) return wish(); // no account, no network: this device opens it
    let opened = { id: "" };
    await withPlayer(async () => {
      opened = await wish();
    });
    return opened;
  };
  return opener(t("ui.again.branch"), "branch", open, "plain");
}
