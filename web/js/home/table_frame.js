/**
 * The frame of a table that is being set up: its title, its seats and what happens, from the first touch on. A slow line
 * brings the table itself many seconds later.
 */

import { announce } from "../elements/announce.js";
import { h } from "../elements/dom.js";
import { paint } from "../people/seat_colours.js";
import { botName, seal } from "../people/seats.js";
import { t, titleOf } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { meanwhile } from "../platform/router.js";

/** @param {{kind: string, bot?: string | null}} seat */
function nameOf({ kind, bot }) {
  if (kind === "me") return me()?.name ?? "";
  return bot ? botName(bot) : t("ui.seats.open");
}

/** @param {string} game @param {{kind: string, bot?: string | null}[]} seats */
function draw(game, seats) {
  const home = { class: "button plain home-link", href: "/", "aria-label": t("ui.lobby.title") };
  const names = seats.map((seat, at) =>
    h("li", { class: "seat" }, h("div", { class: "who" }, seal(at), h("span", { class: "name" }, nameOf(seat)))),
  );
  const bar = h("div", { class: "bar" }, h("a", home, "‹"), h("div", { class: "what" }, h("h1", {}, titleOf(game))));
  const frame = h(
    "div",
    { class: `table frame game-${game}` },
    h("div", { class: "left" }, bar, h("div", { class: "rail" }, h("ol", { class: "seats" }, names))),
    h("div", { class: "middle" }),
    h(
      "div",
      { class: "right" },
      h("section", { class: "panel" }, h("p", { class: "waiting" }, t("ui.home.setting_up"))),
    ),
  );
  const own = seats.findIndex(({ kind }) => kind === "me");
  paint(frame, own < 0 ? undefined : own);
  return frame;
}

/**
 * Show the frame in place of the page until the table comes.
 * @param {string} game @param {{kind: string, bot?: string | null}[]} seats as they are asked for
 * @returns {() => void} show the page again, unless another page came
 */
export function showFrame(game, seats) {
  announce(t("ui.home.setting_up"));
  return meanwhile(draw(game, seats));
}
