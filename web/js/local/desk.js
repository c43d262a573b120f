/**
 * The desk: it answers what the API would answer about local games, from the engine. So the table, its
 * board and its controls are those of every game.
 */

import { api, call, Problem } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { answerHere, newLocalId } from "../platform/local_games.js";
import { StorageTrouble } from "./base.js";
import { EngineFailed, theEngine, theWorkingEngine } from "./engine.js";
import { keepGame, readGame } from "./game_store.js";
import { lineOf } from "./lines.js";
import { LocalTable, newSeed, personHere } from "./local_table.js";
import { readWishes } from "./wishes.js";

/** Tables that are open in this tab. @type {Map<string, Promise<LocalTable>>} */
const tables = new Map();

/** What ends when the last table of a game is closed in this tab. @type {Map<string, Promise<void>>} */
const closing = new Map();

/** @typedef {{table: LocalTable, n: string, query: URLSearchParams, body: any, signal?: AbortSignal | null}} Asked */

/** The answers, by method and the path after the game. @type {Record<string, (asked: Asked) => Promise<any>>} */
const ANSWERS = {
  "GET ": async ({ table }) => ({ ...(await table.tell("game")), is_board: Boolean(table.record.lines) }),
  "GET moves": ({ table }) => table.tell("moves"),
  "POST moves": play,
  "POST preview": ({ table, body }) => table.tell("preview", body),
  "GET features": ({ table, query }) => table.tell("features", { version: numberOf(query, "version") }),
  "GET states/n": ({ table, n }) => table.tell("view", { version: Number(n) }),
  "GET events": ({ table, query }) =>
    table.tell("events", { after: numberOf(query, "after") ?? 0, limit: numberOf(query, "limit") ?? undefined }),
  "GET events/stream": ({ table, query, signal }) => table.follow(numberOf(query, "after") ?? 0, signal),
  "GET board.svg": async ({ table, query }) => svg(await draw(table, query, numberOf(query, "version"))),
  "GET proposals": ({ table }) => table.tell("proposals"),
  "POST proposals": ({ table, body }) => table.write("take_back", { to_version: body.to_version ?? null }),
  "GET transcript": ({ table }) => table.tell("transcript"),
  "GET hint": ({ table }) => table.tell("hint", { language: language() }),
  "GET why": ({ table, query }) =>
    table.tell("why", { move: JSON.parse(query.get("move") ?? "{}"), language: language() }),
  "POST analysis": async () => ({ status: "queued" }),
  "GET analysis": ({ table, query }) => table.tell("analyse", { after: numberOf(query, "after") ?? 0 }),
  "GET values": ({ table }) => table.tell("consider"),
  "GET draw": ({ table }) => table.tell("draw"),
  "POST draw": ({ table, body }) => table.redraw(body.outcome),
  "GET lines": async ({ table }) => table.tellLines(),
  "POST lines": ({ table, body }) => table.goTo(body),
  "POST rematch": ({ table }) => again(table),
  "POST branches": branch,
  "GET messages": async () => ({ messages: [], next_after: "0" }),
  "GET presence": async () => ({ players: [] }),
  "GET standing_answers": async () => ({ answers: [] }),
};

/** @param {URLSearchParams} query @param {string} name */
function numberOf(query, name) {
  const text = query.get(name);
  return text === null ? null : Number(text);
}

/** @param {Asked} asked */
async function play({ table, body, query }) {
  const done = await table.write("play", body);
  if (!query.has("board")) return done;
  query.set("layout", query.get("board") ?? "");
  const [board, { moves }] = await Promise.all([draw(table, query, null), table.tell("moves")]);
  return { ...done, board, moves };
}

/** @param {LocalTable} table @param {URLSearchParams} query @param {number | null} version */
function draw(table, query, version) {
  return table.tell("board_svg", { version, language: language(), wishes: readWishes(query) });
}

/** @param {string} picture */
function svg(picture) {
  return new Response(picture, { headers: { "Content-Type": "image/svg+xml" } });
}

/**
 * Begin a local game; returns its id. Raises `Problem`, `StorageTrouble`.
 * @param {string} game @param {import("./game_store.js").LocalRecord["seats"]} seats
 * @param {Record<string, any>} [options]
 */
export async function beginGame(game, seats, options = {}) {
  const [engine, id] = [await theEngine(), newLocalId()];
  const about = { game_id: id, now: Date.now() };
  await engine.ask({ type: "new_game", game, seats, options, person: personHere(), seed: newSeed(), ...about });
  return keepNew(engine, id, game, seats);
}

/** An analysis board at the beginning of a game; returns its id. @param {string} game @param {number} count of seats @param {Record<string, any>} options */
export async function beginBoard(game, count, options) {
  const id = await beginGame(game, ownSeats(count), options);
  await makeBoard(id);
  return id;
}

/** An analysis board of a transcript; returns its id. Raises `Problem` for one that is not valid. @param {any} transcript */
export async function openBoard(transcript) {
  const [engine, id] = [await theEngine(), newLocalId()];
  const seats = ownSeats(transcript.seats);
  const about = { game_id: id, now: Date.now(), person: personHere(), seed: newSeed() };
  await engine.ask({ type: "load", transcript: { ...transcript, local_seats: seats }, ...about });
  await keepNew(engine, id, transcript.game, seats);
  await makeBoard(id);
  return id;
}

/** Every seat is this person's. @param {number} count @returns {import("./game_store.js").LocalRecord["seats"]} */
function ownSeats(count) {
  return Array.from({ length: count }, () => ({ kind: "me" }));
}

/** From now on the game keeps its lines. @param {string} id */
async function makeBoard(id) {
  const record = await readGame(id);
  if (record) await keepGame({ ...record, lines: [lineOf(record.transcript)] });
}

/** @param {import("./engine.js").Engine} engine @param {string} id @param {string} game @param {any} seats */
async function keepNew(engine, id, game, seats) {
  const transcript = await engine.ask({ type: "transcript", game_id: id });
  await engine.ask({ type: "close", game_id: id });
  const kept = { sent: "", stored_at: "", updated_at: new Date().toISOString() };
  await keepGame({ id, game, seats, transcript, over: false, ...kept });
  return id;
}

/** The next game of the same seats. @param {LocalTable} table */
async function again({ record }) {
  return { id: await beginGame(record.game, record.seats, record.transcript.options) };
}

/** Play on from a moment: in a game of its own. @param {Asked} asked */
async function branch({ table, body }) {
  const { events } = await table.tell("events", { after: 0, limit: body.version });
  return { id: await branchFrom(table.record.transcript, events, body.seats) };
}

/**
 * A local game that begins with the first moves of another; returns its id.
 * @param {any} transcript of the other game @param {any[]} events of the other game, up to the moment
 * @param {import("./game_store.js").LocalRecord["seats"]} seats
 */
export async function branchFrom(transcript, events, seats) {
  const back = events.filter(({ type }) => type === "moves_taken_back");
  const stands = (/** @type {any} */ { version }) => !back.some(({ moves }) => moves.includes(version));
  const made = events.filter((event) => event.type === "move_made" && stands(event));
  const moves = made.map(({ seat, move }) => ({ seat, move }));
  const { result, ending, players, ...rest } = transcript;
  const whole = { ...rest, moves, local_seats: seats };
  const [engine, id] = [await theEngine(), newLocalId()];
  const about = { game_id: id, now: Date.now() };
  await engine.ask({ type: "load", transcript: whole, person: personHere(), seed: newSeed(), ...about });
  return keepNew(engine, id, transcript.game, seats);
}

/**
 * A board to try moves on, from a moment of a game of the service or of this device: every seat is this person's.
 * @param {string} game its id @param {number} version
 */
export async function tryFrom(game, version) {
  const [transcript, { events }] = await Promise.all([
    call(`/games/${game}/transcript`),
    api.events(game, 0, { limit: version }),
  ]);
  const id = await branchFrom(transcript, events, ownSeats(transcript.seats));
  await makeBoard(id);
  return id;
}

/** @param {string} id @returns {Promise<LocalTable>} */
function tableOf(id) {
  const found = tables.get(id) ?? openTable(id);
  tables.set(id, found);
  found.catch(() => tables.delete(id));
  return found;
}

/** @param {string} id */
async function openTable(id) {
  await closing.get(id); // until then the table of before holds the game
  return LocalTable.open(await theEngine(), id);
}

/** The page of a local game is left: another tab may play it. @param {string} id */
export function leaveGame(id) {
  const left = tables.get(id);
  if (!left) return;
  tables.delete(id);
  const closed = left.then(
    (table) => table.close().catch(reportError),
    () => {}, // it was not opened: the question that should open it has the error
  );
  closing.set(id, closed);
}

/** @param {string} path @param {RequestInit} request @returns {Promise<any>} */
async function find(path, { method = "GET", body, signal }) {
  const { pathname, searchParams: query } = new URL(path, location.origin);
  const [, room, id, ...rest] = pathname.split("/");
  if (room === "catalogue") {
    const about = { game: id, options: Object.fromEntries(query), language: language() };
    return (await theWorkingEngine()).ask({ type: "pieces", ...about });
  }
  const [, n] = rest;
  const known = rest[0] === "states" ? "states/n" : rest.join("/");
  const answer = ANSWERS[`${method} ${known}`];
  if (!answer) throw new Problem({ status: 404, code: "not_found" });
  const table = await tableOf(id);
  return table.during(answer({ table, n, query, body: body ? JSON.parse(String(body)) : {}, signal }));
}

/** A failure in the form of a problem, in words. @param {unknown} error @returns {Record<string, any>} */
function bodyOf(error) {
  if (error instanceof Problem) return error.body;
  if (error instanceof EngineFailed) return { code: "engine_failed", detail: t("ui.local.broken") };
  if (error instanceof StorageTrouble) return { code: "storage", detail: t(`ui.local.${error.kind}`) };
  throw error;
}

/** @param {string} path @param {RequestInit} request */
async function answer(path, request) {
  try {
    const found = await find(path, request);
    return found instanceof Response ? found : Response.json(found);
  } catch (error) {
    // What pieces are, the service says as well: an online table needs no engine.
    if (error instanceof EngineFailed && path.startsWith("/catalogue/")) return null;
    return Response.json(bodyOf(error), { status: error instanceof Problem ? error.status || 422 : 500 });
  }
}

/** From now on questions about local games are answered here. */
export function openDesk() {
  answerHere(answer);
}
