/** A table that still waits for players: who sits there, take a seat, invite, leave, arrange. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { explain } from "../explain.js";
import { t } from "../i18n.js";
import { me } from "../identity.js";
import { withPlayer } from "../pages/name.js";
import { paceLine, readyBadge, readyButton, startNow } from "./ready.js";
import { requestPlace } from "./requests.js";
import { badge, botName, seal, seatName } from "./seats.js";
import { invitation } from "./share.js";

/** @typedef {import("./model.js").Table} Table */
/** @typedef {any} Seat */

/** @param {Table} table */
export function waitingRoom(table) {
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
      game.seats.map((/** @type {Seat} */ seat) =>
        h(
          "li",
          { "data-seat": seat.seat },
          seal(seat.seat),
          h("span", { class: "name" }, seat.offer ? seat.offer.player.name : seatName(game, seat.seat)),
          badge(seat),
          game.host && seat.player?.id === game.host
            ? h("span", { class: "badge" }, t("ui.badges.host"))
            : null,
          isOpen ? readyBadge(table, seat) : null,
          isOpen ? own(table, seat) : null,
          isOpen && table.isHost ? host(table, seat) : null,
        ),
      ),
    ),
    isOpen ? requestPlace(table) : null,
    isOpen ? paceLine(game) : null,
    isOpen && open.length ? h("p", {}, t(waitsKey(game), { n: open.length })) : null,
    isOpen ? readyButton(table) : null,
    isOpen ? starter(table) : null,
    isOpen && mayInvite(table) ? invitation() : null,
    isOpen ? null : h("p", {}, h("a", { class: "button confirm", href: "/" }, t("ui.lobby.title"))),
  );
}

/** Does the game start by itself? @param {any} game */
function waitsKey({ start }) {
  return start === "host" ? "ui.waiting.open_host" : "ui.waiting.open";
}

/** May somebody with the link sit down, and does this person sit here already? @param {Table} table */
function mayInvite({ game, mine }) {
  return mine.length > 0 && game.seats.some((/** @type {Seat} */ seat) => isFree(seat) && !seat.offer);
}

/** @param {Seat} seat */
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
      type: "button",
      class: style,
      "data-act": name,
      onclick: () => table.act(act).catch(explain),
    },
    t(`ui.waiting.${name}`, values),
  );
}

/** What somebody may do with a seat for oneself: sit down, accept or decline, leave. @param {Table} table @param {Seat} seat */
function own(table, seat) {
  const sit = () => withPlayer(() => api.join(table.id, seat.seat));
  const leave = () => api.leave(table.id, seat.seat);
  if (table.mine.includes(seat.seat)) return [button(table, "leave", leave)];
  if (table.mine.length || !isFree(seat)) return [];
  if (!seat.offer) return [button(table, "join", sit, {}, "confirm")];
  if (seat.offer.player.id !== me()?.id) return [];
  return [button(table, "accept", sit, {}, "confirm"), button(table, "decline", leave)];
}

/** What the host may do with a seat of others: a bot, nobody, or another host. @param {Table} table @param {Seat} seat */
function host(table, seat) {
  if (table.mine.includes(seat.seat)) return [];
  const arrange = (/** @type {any} */ wish) => () => api.arrange(table.id, seat.seat, wish);
  const bot = table.game.stand_in ?? "medium";
  const invite = async () => (await import("../home/known.js")).inviteTo(table, seat.seat);
  return [
    isFree(seat) && !seat.offer
      ? h(
          "button",
          { type: "button", class: "plain", "data-act": "invite", "data-key": `invite-${seat.seat}`, onclick: () => invite().catch(explain) },
          t("ui.home.invite.open"),
        )
      : null,
    isFree(seat)
      ? button(table, "bot", arrange({ kind: "bot", bot }), { bot: botName(bot) })
      : null,
    isFree(seat) && !seat.offer ? null : button(table, "free", arrange({ kind: "open" })),
    seat.player
      ? button(table, "hand_over", () => api.handOver(table.id, seat.player.id))
      : null,
  ];
}

/** Start with those who are there. @param {Table} table */
function starter(table) {
  const { seats } = table.game;
  const taken = seats.filter((/** @type {Seat} */ seat) => !isFree(seat)).length;
  if (!table.isHost || taken < 2) return null;
  const name = taken < seats.length ? "start_with" : "start";
  return h("p", {}, button(table, name, () => startNow(table), { n: taken }, "confirm"));
}
