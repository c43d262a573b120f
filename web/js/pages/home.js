/** The lobby: games that wait for me, by deadline; my other games, open tables, tables to watch. */

import { api } from "../api.js";
import { h, iconAt, show } from "../dom.js";
import { explain } from "../explain.js";
import { ago, has, list, t, titleOf } from "../i18n.js";
import { me } from "../identity.js";
import { inbox } from "../inbox/inbox.js";
import { seatName } from "../table/seats.js";
import { by } from "../time/words.js";

const AGAIN = 8000; // ms between two looks at the lists
const MANY = 30;

/** @param {{id: string} | null | undefined} player nobody is me before I have a name */
function isMe(player) {
  return Boolean(player) && player?.id === me()?.id;
}

/** Is it for this player to decide? @param {any} game */
function waitsForMe(game) {
  const seat = game.status === "running" && game.decision ? game.seats[game.decision.seat] : null;
  return isMe(seat?.player);
}

/** Is a seat of a table that waits kept for this player? @param {any} game */
function isInvited(game) {
  return game.seats.some((/** @type {any} */ { offer }) => isMe(offer?.player));
}

/** @param {any} game */
function isMine(game) {
  return isInvited(game) || game.seats.some((/** @type {any} */ seat) => isMe(seat.player));
}

/** @param {any} game */
function state(game) {
  if (waitsForMe(game)) {
    const deadline = deadlineOf(game);
    return deadline ? `${t("ui.lobby.your_turn")}, ${by(deadline)}` : t("ui.lobby.your_turn");
  }
  if (game.status === "over") {
    return t("ui.lobby.won", {
      names: list(game.result.winners.map((/** @type {number} */ seat) => seatName(game, seat))),
    });
  }
  if (game.status === "running" && game.decision)
    return t("ui.lobby.turn_of", { name: seatName(game, game.decision.seat) });
  return t(isInvited(game) ? "ui.lobby.invited" : `ui.status.${game.status}`);
}

/** @param {any} game */
function card(game) {
  const names = game.seats.map((/** @type {any} */ seat) => seatName(game, seat.seat));
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
      h("span", { class: "title" }, titleOf(game.game)),
      h("span", { class: "players" }, list(names)),
      h("span", { class: "state" }, state(game), " · ", ago(game.updated_at)),
    ),
  );
}

/** @param {string} title @param {any[]} games @param {string} [empty] */
function shelf(title, games, empty) {
  if (!games.length && !empty) return null;
  return h(
    "section",
    { class: "shelf" },
    h("h2", {}, title),
    games.length ? h("ul", { class: "cards" }, games.map(card)) : h("p", { class: "soft" }, empty),
  );
}

/** A game on offer. @param {any} offer of the catalogue */
function offerOf({ name, title }) {
  const line = `terms.${name}.line`;
  return h(
    "a",
    { class: `offer game-${name}`, href: `/new?game=${name}` },
    h("img", { src: iconAt(`${name}.svg`), alt: "", width: 96, height: 96 }),
    h("span", { class: "title" }, title),
    has(line) ? h("span", {}, t(line)) : null,
    h("span", { class: "button" }, t("ui.lobby.new")),
  );
}

async function load() {
  const ask = (/** @type {Record<string, any>} */ filter) =>
    api.games({ limit: MANY, ...filter }).then((page) => page.games);
  return Promise.all([
    me() ? ask({ turn: "me", sort: "deadline" }) : [],
    me() ? ask({ player: "me" }) : [],
    ask({ status: "open" }),
    ask({ status: "running" }),
  ]);
}

/** Until when a game waits for me, as the inbox knows it. @param {any} game */
function deadlineOf({ id }) {
  return inbox.state.turns.find(({ game }) => game === id)?.deadline_at ?? null;
}

/** @param {any[][]} games */
function shelves([turns, mine, open, running]) {
  const waiting = new Set(turns.map(({ id }) => id));
  const playing = mine.filter(
    ({ id, status }) => !waiting.has(id) && !["over", "aborted"].includes(status),
  );
  playing.sort((a, b) => b.updated_at.localeCompare(a.updated_at));
  const past = mine.filter((game) => game.status === "over");
  return [
    [
      shelf(t("ui.lobby.my_turn"), turns),
      shelf(t("ui.lobby.mine"), playing),
    ],
    shelf(
      t("ui.lobby.open"),
      open.filter((game) => !isMine(game)),
      t("ui.lobby.none_open"),
    ),
    shelf(
      t("ui.lobby.running"),
      running.filter((game) => !isMine(game)),
    ),
    shelf(t("ui.lobby.past"), past),
  ];
}

/** @returns {Promise<import("../router.js").Page>} */
export async function homePage() {
  const own = h("div", { class: "shelves" });
  const games = h("div", { class: "shelves" });
  const offers = h("div", { class: "offers" });
  const element = h(
    "div",
    { class: "home" },
    h("h1", {}, t("ui.lobby.title")),
    h("p", { class: "soft lead" }, t("ui.lobby.lead")),
    own,
    offers,
    games,
  );
  let timer = 0;
  let closed = false;
  const refresh = async () => {
    clearTimeout(timer);
    try {
      if (document.visibilityState === "visible") {
        if (!offers.childElementCount) show(offers, (await api.catalogue()).games.map(offerOf));
        const [mine, ...others] = shelves(await load());
        show(own, mine);
        show(games, others);
      }
    } catch (error) {
      explain(error);
    }
    if (!closed) timer = setTimeout(refresh, AGAIN);
  };
  document.addEventListener("visibilitychange", refresh);
  await refresh();
  return {
    element,
    title: t("ui.lobby.title"),
    close: () => {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", refresh);
    },
  };
}
