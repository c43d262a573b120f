/** Requests for a seat: how a person asks the host, and how the host answers with an offer of the seat. */

import { note } from "../elements/announce.js";
import { h, show } from "../elements/dom.js";
import { explain } from "../elements/errors.js";
import { inbox } from "../inbox/inbox.js";
import { api } from "../platform/api.js";
import { isolate, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { withPlayer } from "./guest_name.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {{id: string, player: {id: string, name: string}, seat: number | null}} Request */

const PAGE = 100;
const DISMISSED = "cartulary.dismissed";
const MOST = 50; // dismissed requests that are remembered

/** By game. @type {Map<string, Request[]>} */
const requests = new Map();

/** @param {any} item of the inbox */
function take({ id, type, data }) {
  if (type !== "seat_requested" || !data?.player) return;
  const others = (requests.get(data.game) ?? []).filter(({ player }) => player.id !== data.player.id);
  requests.set(data.game, [...others, { id, player: data.player, seat: data.seat ?? null }]);
}

/** The table that is shown. @type {Table | null} */
let watched = null;

inbox.addEventListener("item", (event) => {
  take(/** @type {CustomEvent} */ (event).detail);
  watched?.dispatchEvent(new Event("talk"));
});

/** Tell a table from now on when a seat is asked for (its event `talk`). @param {Table} table */
export async function watchRequests(table) {
  watched = table;
  await loadRequests(table);
  table.dispatchEvent(new Event("talk"));
}

/** Read the requests that came before the page was opened. @param {Table} table */
async function loadRequests(table) {
  if (!table.isHost || !list(table, isAskable).length) return;
  for (let after = ""; ; ) {
    const page = await api.inbox(after, PAGE);
    page.items.forEach(take);
    after = page.next_after ?? after;
    if (page.items.length < PAGE) return;
  }
}

/** @returns {string[]} */
function dismissed() {
  try {
    return JSON.parse(localStorage.getItem(DISMISSED) ?? "[]");
  } catch {
    return []; // a value written by hand or by another program
  }
}

/** @param {Table} table @param {(seat: any) => boolean} fits */
function list(table, fits) {
  return table.game.seats.filter(fits);
}

/** May the host give this seat away? @param {any} seat */
function isAskable({ state }) {
  return ["open", "offered", "vacant"].includes(state);
}

/** By table, so that what is built again with the room stays. @type {WeakMap<Table, HTMLElement>} */
const places = new WeakMap();

/** The requests of a table that waits, for its room. @param {Table} table */
export function requestPlace(table) {
  const place = places.get(table) ?? h("div", { class: "talk", role: "status" });
  const render = () => {
    const lines = table.game.status === "open" ? [...requestLines(table), ...askingLines(table)] : [];
    place.hidden = lines.length === 0;
    show(place, lines);
  };
  if (!places.has(table)) table.addEventListener("talk", render);
  places.set(table, place);
  render();
  return place;
}

/** What the host has to answer. @param {Table} table @returns {Node[]} */
export function requestLines(table) {
  if (!table.isHost) return [];
  const seats = list(table, isAskable);
  const gone = dismissed();
  return (requests.get(table.id) ?? [])
    .filter(({ id, player }) => !gone.includes(id) && !isAnswered(table, player))
    .flatMap((request) => (seats.length ? [requestLine(table, request, seats)] : []));
}

/** Has the player a seat, or the offer of a seat? @param {Table} table @param {{id: string}} player */
function isAnswered({ game }, { id }) {
  return game.seats.some(({ player, offer }) => player?.id === id || offer?.player.id === id);
}

/** @param {Table} table @param {Request} request @param {any[]} seats */
function requestLine(table, { id, player, seat: wanted }, seats) {
  const free = seats.find(({ seat }) => seat === wanted) ?? seats.find(({ offer }) => !offer) ?? seats[0];
  const give = () => api.arrange(table.id, free.seat, { kind: "invite", player: player.id });
  const dismiss = () => {
    localStorage.setItem(DISMISSED, JSON.stringify([...dismissed(), id].slice(-MOST)));
    table.dispatchEvent(new Event("talk"));
  };
  return h(
    "p",
    { class: "request" },
    h("span", {}, t("ui.home.asking.request", { name: isolate(player.name) })),
    " ",
    h(
      "button",
      { class: "confirm", "data-key": `give-${player.id}`, onclick: () => table.act(give).catch(explain) },
      t("ui.home.asking.give"),
    ),
    " ",
    h("button", { class: "plain", "data-key": `dismiss-${player.id}`, onclick: dismiss }, t("ui.home.asking.dismiss")),
  );
}

/** Asking for a seat that is kept for others, where no other seat is free. @param {Table} table @returns {Node[]} */
export function askingLines(table) {
  const { seats } = table.game;
  const isOffered = (/** @type {Seat} */ { offer }) => offer && offer.player.id !== me()?.id;
  const isFree = (/** @type {Seat} */ { state, offer }) => ["open", "vacant"].includes(state) && !offer;
  const mayAsk = seats.some(isOffered) && !seats.some(isFree);
  if (table.mine.length || !mayAsk || seats.some(({ offer }) => offer?.player.id === me()?.id)) return [];
  return [
    h(
      "p",
      { class: "request" },
      h("span", {}, t("ui.home.asking.kept")),
      " ",
      h(
        "button",
        { class: "confirm", "data-act": "ask", "data-key": "ask-seat", onclick: () => askForSeat(table) },
        t("ui.home.asking.ask"),
      ),
    ),
  ];
}

/** @param {Table} table */
function askForSeat(table) {
  return withPlayer(async () => {
    await api.askForSeat(table.id);
    note(t("ui.home.asking.sent"));
  });
}
