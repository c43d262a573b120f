/** The card of a seat: who sits there, what the seat has, how much time; and its last move, which may have to be loaded. */

import { authorTag } from "../bots/author.js";
import { isBot } from "../bots/bot_sign.js";
import { h } from "../elements/dom.js";
import { reportButton } from "../order/report_button.js";
import { badge, seal, seatName } from "../people/seats.js";
import { Problem, Unreachable } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { isLocal } from "../platform/local_games.js";
import { gameModule } from "../play/game_module.js";
import { tellAt } from "../story/teller.js";

/**
 * @typedef {import("../table/table.js").Table} Table
 *
 * @typedef {object} SeatCardParts what the card of a seat reads
 * @property {Table} table
 * @property {import("../board/board.js").Board} board
 * @property {import("../people/seat_rail.js").SeatRail} rail
 * @property {import("../people/seat_clocks.js").SeatClocks} clocks
 * @property {import("../people/presence.js").Presence} presence
 */

/**
 * @param {SeatCardParts} shown @param {number} seat
 * @param {number | null} moment the version of the past that is shown; null: the present
 * @param {() => void} compare opens the comparison of all seats
 * @returns {import("../play/game_module.js").Facts}
 */
export function seatFacts({ table, rail, clocks, presence }, seat, moment, compare) {
  const { game } = table;
  const left = moment ? "" : clocks.wordsOf(seat);
  const props = { class: "plain", "data-key": "card-compare", onclick: compare };
  const canCompare = rail.view && gameModule(game.game).compare;
  return {
    title: seatName(game, seat),
    lines: [
      h(
        "span",
        { class: "sign" },
        seal(seat),
        " ",
        t(`ui.card.seat.signs.${seat}`),
        ...states(table, presence, seat, moment),
      ),
      authorTag(game.seats[seat].player),
      rail.view ? holdings(table, rail.view, seat, moment) : null,
      (rail.view && gameModule(game.game).holdsWords?.(rail.view, seat)) ?? null,
      left ? t("ui.card.seat.left", { time: left }) : null,
    ],
    foot: footOf(
      canCompare ? h("button", props, t("ui.sheet.compare")) : null,
      profileOf(table, seat),
      isLocal(table.id) ? null : game.seats[seat].player,
    ),
  };
}

/** What can be done from here. @param {HTMLElement | null} compare @param {HTMLElement | null} profile @param {Seat["player"]} player */
function footOf(compare, profile, player) {
  const report = player ? reportButton(player.id, player.name) : null;
  return compare || profile || report ? h("div", { class: "buttons" }, compare, profile, report) : null;
}

/** The way to the page of a player. A game of this device has no players, an imported one only names. @param {Table} table @param {number} seat */
function profileOf({ id, game }, seat) {
  const { player, name } = game.seats[seat];
  if (!player || name || isLocal(id)) return null;
  return h(
    "a",
    { class: "button plain", href: `/players/${player.id}`, "data-key": "card-profile" },
    t("ui.profile.title"),
  );
}

/** What is true of the player: it is you, to move, at the table, away. @param {Table} table @param {import("../people/presence.js").Presence} presence @param {number} seat @param {number | null} moment */
function states(table, presence, seat, moment) {
  const { game, mine } = table;
  const { player } = game.seats[seat];
  const isNow = moment === null && game.status === "running";
  const comesAndGoes = player && !isBot(player) && !isLocal(table.id); // a game of this device has no list of who is there
  const words = [
    mine.includes(seat) ? t("ui.seats.you") : "",
    isNow && game.decision?.seat === seat ? t("ui.seats.playing") : "",
    isBot(player) ? t("ui.bots.sign") : "",
    isNow && comesAndGoes ? t(presence.isHere(seat) ? "ui.presence.here" : "ui.card.seat.away") : "",
  ];
  const said = words.filter(Boolean).map((word) => ` · ${word}`);
  const mark = badge(game.seats[seat]);
  return mark ? [...said, " · ", mark] : said;
}

/** Points and all that the seat holds. @param {Table} table @param {View} view @param {number} seat @param {number | null} moment */
function holdings({ game }, view, seat, moment) {
  const module = gameModule(game.game);
  const final = moment === null ? game.result?.scores : null;
  const score = (final ?? module.scores(view))[seat];
  const turn = module.seatOrder?.(view)?.indexOf(seat) ?? -1;
  return h(
    "span",
    { class: "holdings" },
    h("b", {}, score, " ", t("ui.points")),
    module.holds(view, seat),
    turn >= 0 ? h("span", { class: "soft" }, t("ui.sheet.turn", { n: turn + 1 })) : null,
  );
}

/** The last move of a seat up to a version, in words. @param {Table} table @param {number} seat @param {number} version */
export async function lastMove(table, seat, version) {
  try {
    await table.loadEvents();
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
    return null; // the card says the rest
  }
  const own = table.events.filter((one) => one.type === "move_made" && one.seat === seat && one.version <= version);
  const tell = (/** @type {GameEvent} */ event) => tellAt(table.game, table.events, event.version).join(" ");
  const last = own.findLast(tell); // of some moves there is nothing to tell
  return last ? t("ui.card.seat.last", { move: tell(last) }) : null;
}
