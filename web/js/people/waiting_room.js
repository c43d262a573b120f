/** A table that still waits for players: who sits there, take a seat, invite, leave, arrange. */

import { authorTag } from "../bots/author.js";
import { isBot, playerLink } from "../bots/bot_sign.js";
import { declinePlace } from "../bots/declines.js";
import { note } from "../elements/announce.js";
import { h } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { go } from "../platform/router.js";
import { withPlayer } from "./guest_name.js";
import { paceLine, readyBadge, readyButton, startNow } from "./readiness.js";
import { requestPlace } from "./seat_requests.js";
import { badge, botName, nameTag, seal, USUAL_BOT } from "./seats.js";
import { invitation } from "./share.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {any} WaitingSeat */

/** @param {Table} table */
export function drawWaitingRoom(table) {
  const { game } = table;
  const isOpen = game.status === "open";
  const open = game.seats.filter(isFree);
  return h(
    "div",
    { class: "lounge" },
    h("h2", {}, t(isOpen ? "ui.waiting.title" : `ui.status.${game.status}`)),
    h(
      "ul",
      { class: "sitting" },
      game.seats.map((/** @type {WaitingSeat} */ seat) =>
        h(
          "li",
          { "data-seat": seat.seat },
          seal(seat.seat),
          seat.offer ? playerLink(seat.offer.player) : sitter(game, seat),
          authorTag(seat.player ?? seat.offer?.player),
          badge(seat),
          game.host && seat.player?.id === game.host ? h("span", { class: "badge" }, t("ui.badges.host")) : null,
          isOpen ? readyBadge(table, seat) : null,
          isOpen ? own(table, seat) : null,
          isOpen && table.isHost ? host(table, seat) : null,
        ),
      ),
    ),
    isOpen && table.isHost ? declinePlace(table) : null,
    isOpen ? requestPlace(table) : null,
    isOpen ? paceLine(game) : null,
    isOpen && open.length ? h("p", {}, t(waitsKey(game), { n: open.length })) : null,
    isOpen ? readyButton(table) : null,
    isOpen ? starter(table) : null,
    isOpen && mayInvite(table) ? invitation() : null,
    isOpen ? null : h("p", {}, h("a", { class: "button confirm", href: "/" }, t("ui.lobby.title"))),
  );
}

/** Go home from a table that this person may not see any more. */
export function leaveRoom() {
  note(t("ui.waiting.gone"));
  return go("/", { replace: true });
}

/** Who sits there: a player has a page of their own. @param {Game} game @param {WaitingSeat} seat */
function sitter(game, seat) {
  return seat.player && !seat.name ? playerLink(seat.player) : nameTag(game, seat.seat);
}

/** Does the game start by itself? @param {Game} game */
function waitsKey({ start }) {
  return start === "host" ? "ui.waiting.open_host" : "ui.waiting.open";
}

/** May a person with the link sit down, and does this person sit here already? @param {Table} table */
function mayInvite({ game, mine }) {
  return mine.length > 0 && game.seats.some((/** @type {WaitingSeat} */ seat) => isFree(seat) && !seat.offer);
}

/** @param {WaitingSeat} seat */
function isFree({ player, bot }) {
  return !player && !bot;
}

/**
 * A button for the table: what it does is done when the table is up to date again.
 * @param {Table} table @param {string} name @param {() => Promise<any>} act
 */
function button(table, name, act, values = {}, style = "plain") {
  return h(
    "button",
    {
      class: style,
      "data-act": name,
      onclick: () => table.act(act).catch(explain),
    },
    t(`ui.waiting.${name}`, values),
  );
}

/** What a person may do with a seat of their own: sit down, accept or decline, leave. @param {Table} table @param {WaitingSeat} seat */
function own(table, seat) {
  const sit = () => withPlayer(() => api.join(table.id, seat.seat));
  const leave = () => api.leave(table.id, seat.seat);
  if (table.mine.includes(seat.seat)) return [button(table, "leave", leave)];
  if (table.mine.length || !isFree(seat)) return [];
  if (!seat.offer) return [button(table, "join", sit, {}, "confirm")];
  if (seat.offer.player.id !== me()?.id) return [];
  return [button(table, "accept", sit, {}, "confirm"), button(table, "decline", leave)];
}

/** What the host may do with a seat of others: a bot, an open seat, or another host. @param {Table} table @param {WaitingSeat} seat */
function host(table, seat) {
  if (table.mine.includes(seat.seat)) return [];
  const arrange = (/** @type {Sent<"change_seat">} */ wish) => () => api.arrange(table.id, seat.seat, wish);
  const bot = USUAL_BOT;
  const invite = async () => (await import("./known_people.js")).inviteTo(table, seat.seat);
  const isKept = !isFree(seat) || seat.offer;
  return [
    isKept ? null : inviter("invite", seat, t("ui.home.invite.open"), invite),
    isKept ? null : inviter("invite_bot", seat, t("ui.bots.invite"), () => inviteBot(table, seat.seat)),
    isFree(seat) ? button(table, "bot", arrange({ kind: "bot", bot }), { bot: botName(bot) }) : null,
    isKept ? button(table, "free", arrange({ kind: "open" })) : null,
    seat.player && !isBot(seat.player)
      ? button(table, "hand_over", () => api.handOver(table.id, seat.player.id))
      : null,
  ];
}

/** A button that opens a list of those who may be invited. @param {string} name @param {WaitingSeat} seat @param {string} text @param {() => Promise<void>} open */
function inviter(name, { seat }, text, open) {
  const onclick = () => open().catch(explain);
  return h("button", { class: "plain", "data-act": name, "data-key": `${name}-${seat}`, onclick }, text);
}

/** Let the host choose a connected bot for a seat. @param {Table} table @param {number} seat */
async function inviteBot(table, seat) {
  const { chooseBotFor } = await import("../bots/bot_list.js");
  const bot = await chooseBotFor(table.game, botName(USUAL_BOT));
  if (bot) await table.act(() => api.arrange(table.id, seat, { kind: "invite", player: bot.id }));
}

/** Start with those who are there. @param {Table} table */
function starter(table) {
  const { seats } = table.game;
  const taken = seats.filter((/** @type {WaitingSeat} */ seat) => !isFree(seat)).length;
  if (!table.isHost || taken < 2) return null;
  const name = taken < seats.length ? "start_with" : "start";
  return h(
    "p",
    {},
    button(table, name, () => startNow(table), { n: taken }, "confirm"),
  );
}
