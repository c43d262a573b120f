/** Why invited bots do not come to a table that waits: below its seats, until the seat has another guest. */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { isolate, t } from "../platform/i18n.js";

/** @typedef {EventTarget & {game: Game, events: GameEvent[], version: number, loadEvents: () => Promise<void>}} Waiting */

/** By table, so that what is built again with the room stays. @type {WeakMap<Waiting, HTMLElement>} */
const places = new WeakMap();

/** The last event about an open seat, when it says why a bot declines. @param {Waiting} table */
function findDeclines({ game, events }) {
  return game.seats.flatMap(({ seat, state }) => {
    const last = state === "open" ? events.findLast((one) => one.seat === seat) : null;
    return last?.type === "seat_declined" && last.reason ? [last] : [];
  });
}

/** The declined invitations of a table, for its host. @param {Waiting} table */
export function declinePlace(table) {
  const place = places.get(table) ?? h("div", { class: "declines", role: "status" });
  places.set(table, place);
  const render = () =>
    show(
      place,
      findDeclines(table).map(({ player, reason }) =>
        h("p", {}, t(`story.cases.seat_declined_${reason}`, { name: isolate(player?.name ?? "") }), "."),
      ),
    );
  render();
  if (table.game.seats.some(({ state }) => state === "open")) table.loadEvents().then(render, explain);
  return place;
}
