/** A table that still waits for players: who sits there, take a seat, invite, leave. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { explain } from "../explain.js";
import { t } from "../i18n.js";
import { withPlayer } from "../pages/name.js";
import { seal, seatName } from "./seats.js";
import { shareButton, tableAddress } from "./share.js";

/** @param {import("./model.js").Table} table */
export function waitingRoom(table) {
  const { game } = table;
  const open = game.seats.filter((/** @type {any} */ seat) => !seat.player && !seat.bot);
  const join = async (/** @type {number} */ seat) => {
    await withPlayer(() => api.join(table.id, seat));
    await table.refresh().catch(explain);
  };
  const leave = async (/** @type {number} */ seat) => {
    await api.leave(table.id, seat).catch(explain);
    await table.refresh().catch(explain);
  };
  return h(
    "div",
    { class: "lounge" },
    h("h2", {}, t(game.status === "open" ? "ui.waiting.title" : `ui.status.${game.status}`)),
    h(
      "ul",
      { class: "sitting" },
      game.seats.map((/** @type {any} */ seat) =>
        h(
          "li",
          {},
          seal(seat.seat),
          h("span", { class: "name" }, seatName(game, seat.seat)),
          game.status === "open" && !seat.player && !seat.bot && !table.mine.length
            ? h(
                "button",
                { type: "button", class: "confirm", onclick: () => join(seat.seat) },
                t("ui.waiting.join"),
              )
            : null,
          game.status === "open" && table.mine.includes(seat.seat)
            ? h(
                "button",
                { type: "button", class: "plain", onclick: () => leave(seat.seat) },
                t("ui.waiting.leave"),
              )
            : null,
        ),
      ),
    ),
    open.length ? h("p", {}, t("ui.waiting.open", { n: open.length })) : null,
    game.status === "open"
      ? h(
          "p",
          { class: "link" },
          t("ui.waiting.invite"),
          " ",
          h("code", {}, tableAddress()),
          " ",
          shareButton(),
        )
      : null,
  );
}
