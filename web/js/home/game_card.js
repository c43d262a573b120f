/** Tables in lists: cards with a picture, who plays, and how things stand. */

import { h, show } from "../elements/dom.js";
import { inbox } from "../inbox/inbox.js";
import { seatName } from "../people/seats.js";
import { ago, list, t, titleOf } from "../platform/i18n.js";
import { by } from "../platform/time_words.js";
import { describeCompany, isInvited, waitsForMe } from "./my_games.js";
import { thumbnail } from "./thumbnail.js";

/** @typedef {import("./my_games.js").Game} Game */

/** Until when a game waits for me, as the inbox knows it. @param {Game} game */
function deadlineOf({ id }) {
  return inbox.state.turns.find(({ game }) => game === id)?.deadline_at ?? null;
}

/** @param {Game} game */
function describeState(game) {
  if (waitsForMe(game)) {
    const deadline = deadlineOf(game);
    return deadline ? `${t("ui.lobby.your_turn")}, ${by(deadline)}` : t("ui.lobby.your_turn");
  }
  if (game.result && game.status === "over") {
    return t("ui.lobby.won", {
      names: list(game.result.winners.map((seat) => seatName(game, seat))),
    });
  }
  if (game.status === "running" && game.decision && !isInvited(game))
    return t("ui.lobby.turn_of", { name: seatName(game, game.decision.seat) });
  return t(isInvited(game) ? "ui.lobby.invited" : `ui.status.${game.status}`);
}

/** @param {Game} game */
export function card(game) {
  return h(
    "li",
    {},
    h(
      "a",
      {
        class: `card game-${game.game}${waitsForMe(game) ? " mine" : ""}`,
        href: `/games/${game.id}`,
        "data-key": game.id,
      },
      thumbnail(game),
      h(
        "span",
        { class: "title" },
        titleOf(game.game),
        game.rated ? h("span", { class: "badge rated" }, t("ui.rated.badge")) : null,
      ),
      h("span", { class: "players" }, describeCompany(game)),
      h("span", { class: "state" }, describeState(game), " · ", ago(game.updated_at)),
    ),
  );
}

/** A titled list of tables. It draws again only what has changed, so pictures stay. */
export class Shelf {
  /**
   * @param {string} name @param {(count: number) => string} title
   * @param {{empty?: string, after?: HTMLElement, draw?: (game: any) => HTMLElement}} [more] empty: what to say without
   *   tables (without it the shelf is hidden), after: what stands below the tables
   */
  constructor(name, title, { empty = "", after, draw = card } = {}) {
    this.title = title;
    this.empty = empty;
    this.draw = draw;
    this.head = h("h2", {});
    this.place = h("div", {});
    this.element = h("section", { class: `shelf shelf-${name}`, hidden: true }, this.head, this.place, after);
    this.shown = "";
  }

  /** @param {any[]} games @param {number} [count] of all tables, where these are some of them */
  update(games, count = games.length) {
    this.element.hidden = !games.length && !this.empty;
    const shown = JSON.stringify([games, count, inbox.state.turns]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.head.textContent = this.title(count);
    show(
      this.place,
      games.length ? h("ul", { class: "cards" }, games.map(this.draw)) : h("p", { class: "soft" }, this.empty),
    );
  }
}
