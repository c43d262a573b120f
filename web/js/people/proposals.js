/**
 * What the people at the table have to settle: who asks for what and who has answered, who is away
 * or has left, whose seat may be taken over, who has been silent for too long.
 */

import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { api } from "../platform/api.js";
import { list, t } from "../platform/i18n.js";
import { until } from "../platform/time_words.js";
import { withPlayer } from "./guest_name.js";
import { askingLines, requestLines, watchRequests } from "./seat_requests.js";
import { botName, seatName } from "./seats.js";

/** @typedef {import("../table/table.js").Table} Table */

export class Proposals {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.element = h("div", { class: "talk", role: "status" });
    this.timer = 0;
    for (const news of ["talk", "change"]) table.addEventListener(news, () => this.render());
    this.render();
    watchRequests(table).catch(explain);
  }

  render() {
    const { status } = this.table.game;
    const parts = status === "running" ? PARTS.flatMap((part) => part(this.table)) : [];
    this.element.hidden = parts.length === 0;
    show(this.element, parts);
    this.#later();
  }

  /** A silent player may be claimed from a moment on that lies ahead. */
  #later() {
    clearTimeout(this.timer);
    const wait = Date.parse(this.table.talk?.may.claim?.from ?? "") - Date.now();
    if (wait > 0 && wait < LONGEST) this.timer = setTimeout(() => this.render(), wait + 1000);
  }
}

const LONGEST = 86_400_000; // ms; a page that is open for longer has asked again by then

/** @param {string} text @param {...(Node | null)} buttons */
function line(text, ...buttons) {
  return h("p", {}, h("span", {}, text), " ", ...buttons);
}

/** @param {Table} table @param {string} name @param {Record<string, any>} values @param {() => Promise<any>} act */
function button(table, name, values, act, style = "plain") {
  return h(
    "button",
    {
      class: style,
      "data-key": `talk-${name}`,
      onclick: () => table.act(act).catch(explain),
    },
    t(`ui.talk.${name}`, values),
  );
}

/** The open proposal: who asks, who has agreed, and the buttons for those who are asked. @param {Table} table */
function proposal(table) {
  const { game } = table;
  const open = game.proposal;
  if (!open) return [];
  const names = (/** @type {number[]} */ seats) => list(seats.map((seat) => seatName(game, seat)));
  const agreed = (open.answers ?? []).map((one) => one.seat);
  const waits = open.needs.filter((/** @type {number} */ seat) => !agreed.includes(seat));
  const mine = table.playing.map(({ seat }) => seat);
  const { id } = open;
  const answer = (/** @type {"accept" | "decline"} */ word) => () => api.answer(table.id, id, word);
  return [
    line(
      t(`ui.talk.asks.${open.kind}`, {
        name: seatName(game, open.seat),
        n: open.moves?.length ?? 0,
        until: open.until ? until(open.until) : "",
        target: open.target === null || open.target === undefined ? "" : seatName(game, open.target),
      }),
      ...(waits.some((/** @type {number} */ seat) => mine.includes(seat))
        ? [button(table, "accept", {}, answer("accept"), "confirm"), button(table, "decline", {}, answer("decline"))]
        : []),
      mine.includes(open.seat) ? button(table, "withdraw", {}, () => api.withdraw(table.id, id)) : null,
    ),
    agreed.length ? line(t("ui.talk.agreed", { names: names(agreed) })) : null,
    waits.length ? line(t("ui.talk.waits", { names: names(waits) })) : null,
  ];
}

/** A player has been silent for too long. @param {Table} table */
function silence(table) {
  const claim = table.talk?.may.claim;
  if (!claim || table.game.proposal || Date.parse(claim.from) > Date.now()) return [];
  const name = seatName(table.game, claim.seat);
  return [
    line(
      t("ui.talk.silent", { name }),
      ...claim.remedies.map((/** @type {string} */ remedy) =>
        button(table, `claim_${remedy}`, { name }, () => api.claim(table.id, claim.seat, remedy)),
      ),
    ),
  ];
}

/** A bot answers for this person. @param {Table} table */
function away(table) {
  return table.playing
    .filter(({ stand_in: bot }) => bot)
    .map(({ seat, stand_in: bot }) =>
      line(
        t("ui.talk.away", { bot: botName(bot ?? "") }),
        button(table, "back", {}, () => api.comeBack(table.id, seat), "confirm"),
      ),
    );
}

/** No player is at the table. @param {Table} table */
function rest(table) {
  return table.game.resting ? [line(t("ui.talk.resting"))] : [];
}

/** A vacant seat can be taken over by a person without a seat. @param {Table} table */
function vacancy(table) {
  if (table.mine.length) return [];
  return table.game.seats
    .filter((/** @type {Seat} */ { state }) => state === "vacant")
    .map((/** @type {Seat} */ { seat }) =>
      line(
        t("ui.talk.vacant", { name: seatName(table.game, seat) }),
        button(table, "take", {}, () => withPlayer(() => api.join(table.id, seat)), "confirm"),
      ),
    );
}

const PARTS = [proposal, silence, away, rest, vacancy, requestLines, askingLines];
