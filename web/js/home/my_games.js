/** Whom a game concerns, from the list of games: is it my turn, am I invited, who else sits there. */

import { isBot, nameOf } from "../bots/bot_sign.js";
import { botName } from "../people/seats.js";
import { isolate, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";

/** @typedef {Summary & {view?: View | null}} Game a summary of `GET /games` */
/** @typedef {Seat} ListedSeat */

/** @param {{id: string} | null | undefined} player never me before I have a name */
function isMe(player) {
  return Boolean(player) && player?.id === me()?.id;
}

/** Is it for this player to decide? @param {Game} game */
export function waitsForMe(game) {
  const seat = game.status === "running" && game.decision ? game.seats[game.decision.seat] : null;
  return isMe(seat?.player) && !seat?.stand_in;
}

/** Is a seat kept for this player? @param {Game} game */
export function isInvited(game) {
  return game.seats.some((/** @type {ListedSeat} */ { offer }) => isMe(offer?.player));
}

/** @param {Game} game */
export function isMine(game) {
  return isInvited(game) || game.seats.some((/** @type {ListedSeat} */ seat) => isMe(seat.player));
}

/** How many people play, or may still sit down. @param {Game} game */
export function peopleOf({ seats }) {
  const ids = seats.flatMap((/** @type {ListedSeat} */ { bot, name, player, seat }) =>
    bot || isBot(player) ? [] : [name || player?.id || `open ${seat}`],
  );
  return new Set(ids).size;
}

/** @param {Game} game */
function nameOthers({ seats }) {
  const others = seats.filter((/** @type {ListedSeat} */ seat) => seat.name || !isMe(seat.player));
  const names = others.map((/** @type {ListedSeat} */ { name, player, offer }) => {
    const sitter = player ?? offer?.player;
    return name ? isolate(name) : sitter && nameOf(sitter);
  });
  return [...new Set(names.flatMap((name) => name ?? []))];
}

/** @param {Game} game */
function nameBots({ seats }) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { bot, name } of seats) if (bot && !name) counts.set(bot, (counts.get(bot) ?? 0) + 1);
  return [...counts].map(([bot, n]) => t("ui.home.bots", { n, bot: botName(bot) }));
}

/**
 * Who else sits at a table, bots counted: "Bert, 2 bots (Medium)". At a table without others: who
 * plays there.
 * @param {Game} game
 */
export function describeCompany(game) {
  const open = game.seats.filter(
    (/** @type {ListedSeat} */ { player, bot, offer }) => !player && !bot && !offer,
  ).length;
  const parts = [...nameOthers(game), ...nameBots(game), ...(open ? [t("ui.home.open_seats", { n: open })] : [])];
  return parts.length ? parts.join(", ") : (me()?.name ?? "");
}
