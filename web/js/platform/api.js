/**
 * The public API, call by call. Nothing else in the client speaks to the server.
 *
 * Every refusal is a `Problem` with the stable `code` of the API. A write that the network lost is
 * sent again with the same `Idempotency-Key`, so it happens once however often it is sent.
 */

import { language } from "./i18n.js";
import { deskFor } from "./local_games.js";
import { foreseen, handOn, isForeseen } from "./prefetch.js";
import { headersFor, ROOT, SVG } from "./request_headers.js";

const NDJSON = "application/x-ndjson";

/** An answer that says no: `code` as in the API's list of errors, `body` the whole problem. */
export class Problem extends Error {
  /** @param {Record<string, any>} body @param {string} [authorization] that the request was sent with */
  constructor(body, authorization = "") {
    super(body.detail ?? body.title ?? body.code);
    this.body = body;
    this.authorization = authorization;
    /** @type {string} */
    this.code = body.code ?? "unknown";
    /** @type {number} */
    this.status = body.status ?? 0;
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {}

/** The server was reached, perhaps, and did not answer in time. */
export class Late extends Unreachable {}

/** So long an answer may take, in ms. A slow line needs a while for a long list of events. */
const IN_TIME = 30_000;
/** An own move is on its way: after this the client says that the move is kept. */
const MOVE_IN_TIME = 8000;
/** A picture may be late: the choices stand in a list as well. */
const PICTURE_IN_TIME = 15_000;

/** @param {string} method @param {Record<string, string>} extra */
const headers = (method, extra) => headersFor(method, language(), extra);

/** Ask the service, or this device about its own games. @param {string} address @param {RequestInit} request */
async function reach(address, request) {
  const path = address.startsWith(ROOT) ? address.slice(ROOT.length) : "";
  return (await deskFor(path)?.(path, request)) ?? fetch(address, request);
}

/**
 * Fetch an answer and read its body to the end. Raises `Late` when that takes too long: a line may be cut
 * without a word, and in the middle of an answer, too.
 * @param {string} address @param {RequestInit} request @param {number} within ms
 * @returns {Promise<{answer: Response, text: string}>}
 */
async function fetchWithin(address, { signal, ...request }, within) {
  const control = new AbortController();
  let isLate = false;
  const stop = () => control.abort();
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, within);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  try {
    const answer = await reach(address, { ...request, signal: control.signal });
    return { answer, text: await answer.text() };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw isLate ? new Late(`no answer in ${within} ms`) : new Unreachable(String(error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * @param {string} method
 * @param {string} path below the root
 * @param {{body?: any, headers?: Record<string, string>, signal?: AbortSignal, within?: number, cache?: RequestCache}}
 *   [options] within: so many ms for the answer
 * @returns {Promise<string>} the body of the answer, read to its end
 */
async function send(method, path, { body, headers: extra = {}, signal, within = IN_TIME, cache } = {}) {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const request = { method, headers: headers(method, extra), body: content, signal, cache };
  const { answer, text } = await fetchWithin(ROOT + path, request, within);
  if (answer.ok) return text;
  throw refusal(answer, text, request.headers);
}

/** @param {Response} answer @param {string} text @param {Record<string, string>} sent the headers of the request */
function refusal(answer, text, { Authorization }) {
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  const body = isJson ? JSON.parse(text) : { title: answer.statusText };
  if ([502, 503, 504].includes(answer.status)) return new Unreachable(body.title);
  return new Problem({ status: answer.status, code: "unknown", ...body }, Authorization);
}

/**
 * Ask for what the next page will ask for. @param {string} path @param {{version?: number, headers?: Record<string, string>}} [how]
 */
function ahead(path, { version, headers: extra } = {}) {
  if (!isForeseen(path)) handOn(path, send("GET", path, { headers: extra }), version);
}

/** @param {string} path @param {AbortSignal} [signal] @param {number} [within] ms @param {Record<string, string>} [extra] headers */
async function get(path, signal, within, extra) {
  return JSON.parse((await foreseen(path)) ?? (await send("GET", path, { signal, within, headers: extra })));
}

export function newKey() {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

/** What this player adds to the seed of the draws: 22 random characters, 128 bits and more. */
export function newEntropy() {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const bytes = crypto.getRandomValues(new Uint8Array(22));
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
}

const PATIENCE = [400, 800, 1600, 3200, 6400];
/** A move is kept and sent again by `table/move_queue.js`, which tells the person so. */
const SOON = [400];

/**
 * Write once, whatever the network does: the same key and body are sent again until an answer
 * comes or the patience ends (about 12 s; three answers that do not come in time).
 * @param {string} method @param {string} path @param {any} body @param {string} key
 * @param {{patience?: number[], within?: number, lateTries?: number, extra?: Record<string, string>}} [how]
 *   patience: waits between the tries in ms; within: ms for an answer; lateTries: so many answers may be late;
 *   extra: headers
 */
async function write(method, path, body, key, { patience = PATIENCE, within, lateTries = 3, extra } = {}) {
  let late = 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const text = await send(method, path, { body, headers: { "Idempotency-Key": key, ...extra }, within });
      return text ? JSON.parse(text) : null;
    } catch (error) {
      if (!(error instanceof Unreachable) || attempt >= patience.length) throw error;
      if (error instanceof Late && ++late >= lateTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, patience[attempt]));
    }
  }
}

/** @param {Record<string, any>} values */
function query(values) {
  const known = Object.entries(values).filter(([, v]) => v !== undefined && v !== null && v !== "");
  return known.length ? `?${new URLSearchParams(known.map(([k, v]) => [k, String(v)]))}` : "";
}

/**
 * A call of a part that has its own list of calls.
 * @param {string} path @param {string} [method] @param {any} [body] @param {string} [token] in place of that of the player
 */
export function call(path, method = "GET", body = undefined, token = undefined) {
  /** @type {Record<string, string>} */
  const extra = token ? { Authorization: `Bearer ${token}` } : {};
  if (method === "GET") return get(path, undefined, undefined, extra);
  return write(method, path, body, newKey(), { extra });
}

/** A write that was kept, with the key of its first sending. @param {string} path @param {any} body @param {string} key */
export function sendWithKey(path, body, key) {
  return write("POST", path, body, key);
}

/** A resource as text, for example an export. @param {string} path @param {string} accept */
export function text(path, accept) {
  return send("GET", path, { headers: { Accept: accept } });
}

export const api = {
  /** @param {string} name @param {boolean} [commit] with a commitment to the draws of a game @returns {Promise<Answer<"register_player">>} */
  signUp: (name, commit) => write("POST", "/players", { name, ...(commit && { commit }) }, newKey()),
  /** @returns {Promise<Answer<"show_catalogue">>} */
  catalogue: () => get("/catalogue"),
  /** @param {string} id @param {Record<string, any>} move @returns {Promise<Answer<"explain_move">>} */
  why: (id, move) => get(`/games/${id}/why${query({ move: JSON.stringify(move) })}`),
  /** What the pieces are. @param {string} game @param {Record<string, string | number>} options @returns {Promise<Answer<"show_pieces">>} */
  pieces: (game, options) => get(`/catalogue/${game}${query(options)}`),
  /** A commitment beforehand. @returns {Promise<Answer<"make_commitment">>} */
  commit: () => write("POST", "/fair/commitments", undefined, newKey()),
  /** @param {Record<string, any>} filter `status`, `game`, `player`, `turn`, `sort`, `seat`, `pace`, `rated`, `limit`, `cursor` @returns {Promise<Answer<"list_games">>} */
  games: (filter = {}) => get(`/games${query(filter)}`),
  /** @param {Sent<"open_game">} wish @param {string} key @returns {Promise<Answer<"open_game">>} */
  create: (wish, key) => write("POST", "/games", wish, key),
  /** @param {any} transcript @param {string} [key] @returns {Promise<Answer<"import_transcript">>} */
  importGame: (transcript, key = newKey()) => write("POST", "/games/import", transcript, key),
  /** @param {string} id @returns {Promise<Answer<"show_game">>} */
  game: (id) => get(`/games/${id}`),
  /** Open the page of this game without asking for the game again. @param {Game} game as an answer has shown it */
  handOnGame: (game) => handOn(`/games/${game.id}`, Promise.resolve(JSON.stringify(game))),
  /** Ask for the pieces before the page of a table does. @param {string} game @param {Record<string, string | number>} options */
  piecesAhead: (game, options) => ahead(`/catalogue/${game}${query(options)}`),
  /** Ask for a picture before the page knows its size. @param {string} id @param {Record<string, any>} wish as for `board` */
  boardAhead: (id, wish) =>
    ahead(`/games/${id}/board.svg${query(wish)}`, { version: wish.version, headers: { Accept: SVG } }),
  /** @param {string} id @param {number | null} seat any open seat when null @returns {Promise<Answer<"take_seat">>} */
  join: (id, seat) =>
    write("POST", `/games/${id}/seats`, { entropy: newEntropy(), ...(seat === null ? {} : { seat }) }, newKey()),
  /** @param {string} id @returns {Promise<void>} */
  askForSeat: (id) => write("POST", `/games/${id}/seat_requests`, {}, newKey()),
  /** @param {string} id @param {number} seat @returns {Promise<Answer<"leave_seat">>} */
  leave: (id, seat) => write("DELETE", `/games/${id}/seats/${seat}`, undefined, newKey()),
  /** @param {string} id @returns {Promise<Answer<"list_moves">>} */
  moves: (id) => get(`/games/${id}/moves`),
  /**
   * The answer brings the new picture in this layout, and the moves that are legal then.
   * @param {string} id @param {Move} move @param {number} version @param {string} key
   * @param {Record<string, any>} wish the arrangement of the picture
   * @returns {Promise<Answer<"make_move">>}
   */
  move: (id, move, version, key, { layout, ...wish }) =>
    write("POST", `/games/${id}/moves${query({ board: layout, ...wish })}`, { move, expected_version: version }, key, {
      patience: SOON,
      within: MOVE_IN_TIME,
      lateTries: 1,
    }),
  /**
   * What a move would lead to, up to the first draw; nothing is stored.
   * @param {string} id @param {Move} move @param {number} version @param {AbortSignal} signal
   * @param {boolean} [next] with `moves`, legal then, and `features`, which the move makes or changes
   * `facts`, `view`, `decision`, `chance`
   * @returns {Promise<Answer<"preview_move">>}
   */
  preview: async (id, move, version, signal, next = false) => {
    const body = { move, version, ...(next && { next }) };
    return JSON.parse(await send("POST", `/games/${id}/preview`, { body, signal }));
  },
  /** What lies on several places of the board together. @param {string} id @param {number} version @returns {Promise<Answer<"list_features">>} */
  features: (id, version) => get(`/games/${id}/features${query({ version })}`),
  /** @param {string} id @param {number} version @returns {Promise<Answer<"show_state">>} */
  state: (id, version) => get(`/games/${id}/states/${version}`),
  /** @param {string} id @param {number} after @param {{limit?: number, wait?: number}} [more] @param {AbortSignal} [signal] @returns {Promise<Answer<"list_events">>} */
  events: (id, after, more = {}, signal) =>
    get(`/games/${id}/events${query({ after, ...more })}`, signal, IN_TIME + 1000 * (more.wait ?? 0)),
  /** How long the seat that is asked has. @param {string} id @returns {Promise<Answer<"show_clock">>} */
  clock: (id) => get(`/games/${id}/clock`),
  /** How this player answers without being asked. @param {string} id @returns {Promise<Answer<"show_standing_answers">>} */
  standing: (id) => get(`/games/${id}/standing_answers`),
  /** @param {string} id @param {{kind: string, move: {type: string}, until: "game" | "round"}[]} answers in place of those from before @returns {Promise<Answer<"change_standing_answers">>} */
  answerAlways: (id, answers) => write("PUT", `/games/${id}/standing_answers`, { answers }, newKey()),
  /** Who has the table open. @param {string} id @returns {Promise<Answer<"show_presence">>} */
  presence: (id) => get(`/games/${id}/presence`),
  /** @param {string} after the cursor of the last page, "" for the first @param {number} limit @returns {Promise<Answer<"show_inbox">>} */
  inbox: (after, limit) => get(`/players/me/inbox${query({ after, limit })}`),
  /** @param {string} until all items up to this one are read @returns {Promise<void>} */
  readInbox: (until) => write("PUT", "/players/me/inbox/read", { until }, newKey()),
  /** Say at a live table that one is ready, or not yet. @param {string} id @param {number} seat @param {boolean} ready @returns {Promise<Answer<"ready_seat">>} */
  ready: (id, seat, ready) => write("PUT", `/games/${id}/seats/${seat}/ready`, { ready }, newKey()),
  /** @param {string} id @param {number} seat @param {number} seconds @returns {Promise<Answer<"give_time">>} */
  giveTime: (id, seat, seconds) => write("POST", `/games/${id}/time`, { seat, seconds }, newKey()),
  /** What may be proposed, and the open proposal. @param {string} id @returns {Promise<Answer<"show_proposals">>} */
  proposals: (id) => get(`/games/${id}/proposals`),
  /** @param {string} id @param {Record<string, any>} proposal `kind` and, for a takeback, `to_version` @returns {Promise<Answer<"propose">>} */
  propose: (id, proposal) => write("POST", `/games/${id}/proposals`, proposal, newKey()),
  /** @param {string} id @param {number} proposal @param {"accept" | "decline"} answer @returns {Promise<Answer<"answer_proposal">>} */
  answer: (id, proposal, answer) => write("POST", `/games/${id}/proposals/${proposal}/answers`, { answer }, newKey()),
  /** @param {string} id @param {number} proposal @returns {Promise<Answer<"withdraw_proposal">>} */
  withdraw: (id, proposal) => write("DELETE", `/games/${id}/proposals/${proposal}`, undefined, newKey()),
  /** @param {string} id @param {number} seat @returns {Promise<Answer<"resign">>} */
  resign: (id, seat) => write("POST", `/games/${id}/resignation`, { seat }, newKey()),
  /** @param {string} id @returns {Promise<Answer<"abort_game">>} */
  abort: (id) => write("POST", `/games/${id}/abort`, {}, newKey()),
  /** A bot answers for this seat until its owner is back. @param {string} id @param {number} seat @returns {Promise<Answer<"seat_stand_in">>} */
  goAway: (id, seat) => write("POST", `/games/${id}/seats/${seat}/stand_in`, {}, newKey()),
  /** @param {string} id @param {number} seat @returns {Promise<Answer<"return_to_seat">>} */
  comeBack: (id, seat) => write("POST", `/games/${id}/seats/${seat}/return`, {}, newKey()),
  /** @param {string} id @param {number} seat @param {string} remedy `stand_in`, `forfeit` or `abort` @returns {Promise<Answer<"claim_seat">>} */
  claim: (id, seat, remedy) => write("POST", `/games/${id}/seats/${seat}/claim`, { remedy }, newKey()),
  /** Change a seat of a table that waits. @param {string} id @param {number} seat @param {Sent<"change_seat">} wish @returns {Promise<Answer<"change_seat">>} */
  arrange: (id, seat, wish) => write("PUT", `/games/${id}/seats/${seat}`, wish, newKey()),
  /** @param {string} id @returns {Promise<Answer<"start_game">>} */
  start: (id) => write("POST", `/games/${id}/start`, { drop_open_seats: true }, newKey()),
  /** @param {string} id @param {string} player @returns {Promise<Answer<"change_host">>} */
  handOver: (id, player) => write("PUT", `/games/${id}/host`, { player }, newKey()),
  /** The next game of the same people; the same one for all who ask. @param {string} id @returns {Promise<Answer<"open_rematch">>} */
  rematch: (id) => write("POST", `/games/${id}/rematch`, {}, newKey()),
  /** A new game from a moment of this one. @param {string} id @param {Record<string, any>} wish @returns {Promise<Answer<"open_branch">>} */
  branch: (id, wish) => write("POST", `/games/${id}/branches`, wish, newKey()),
  /** What a game does to ratings. @param {string} id @param {boolean} [preview] with what each rank would do @returns {Promise<Answer<"show_game_ratings">>} */
  ratingsOf: (id, preview) => get(`/games/${id}/ratings${query({ preview })}`),
  /** From now on the game has hints, and counts for no rating. @param {string} id @returns {Promise<Answer<"take_hints">>} */
  takeHints: (id) => write("POST", `/games/${id}/hints`, {}, newKey()),
  /** @param {string} id @returns {Promise<Answer<"verify_game">>} */
  verification: (id) => get(`/games/${id}/verification`),
  /**
   * The picture of the table as SVG text.
   * @param {string} id @param {Record<string, any>} wish `version`, `seat`, `layout`
   * @param {RequestCache} [cache] `reload`: what the browser keeps is void
   */
  board: async (id, wish, cache) => {
    const path = `/games/${id}/board.svg${query(wish)}`;
    const how = { headers: { Accept: SVG }, within: PICTURE_IN_TIME, cache };
    return (await foreseen(path)) ?? (await send("GET", path, how));
  },
};

/**
 * The picture of the table as PNG. Raises a `Problem` with the code `not_installed` where the service has none.
 * @param {string} id @param {Record<string, any>} wish `version`, `width`, `layout`
 */
export async function boardPng(id, wish) {
  const signal = AbortSignal.timeout(PICTURE_IN_TIME);
  const request = { headers: headers("GET", { Accept: "image/png" }), signal };
  const answer = await fetch(`${ROOT}/games/${id}/board.png${query(wish)}`, request).catch((error) => {
    throw new Unreachable(String(error));
  });
  if (answer.ok) return answer.blob();
  throw refusal(answer, await answer.text(), request.headers);
}

/**
 * A file of the client itself.
 * @param {string} address
 */
export async function file(address) {
  const { answer, text } = await fetchWithin(address, {}, IN_TIME);
  if (answer.ok) return text;
  throw new Unreachable(answer.statusText);
}

/** @param {string} path @param {AbortSignal} signal */
export async function openLines(path, signal, extra = {}) {
  const request = { headers: headers("GET", { Accept: NDJSON, ...extra }), signal };
  const answer = await reach(ROOT + path, request);
  if (answer.ok) return answer;
  throw refusal(answer, await answer.text(), request.headers);
}

/** Open the stream of a game of this device: each line is an event. @param {string} id @param {number} after @param {AbortSignal} signal */
export function openStream(id, after, signal) {
  return openLines(`/games/${id}/events/stream${query({ after })}`, signal);
}

/** What a stream brings of a game apart from its events. */
const SIGNALS = "messages,presence,clock";

/**
 * Open one stream of many games, each after a version, and of the inbox.
 * @param {Map<string, number>} games @param {string | null} place null: without the inbox; the id of the last
 *   item that is known, "" for none: then the inbox begins with a snapshot @param {AbortSignal} signal
 */
export function openStreams(games, place, signal) {
  const ids = [...games.keys()].join(",");
  const wish = { games: ids, after: [...games.values()].join(","), present: ids, include: SIGNALS };
  return openLines(`/streams${query({ ...wish, inbox: place !== null, inbox_after: place })}`, signal);
}

/** Open the stream of the lobby: a snapshot, then changes. @param {AbortSignal} signal */
export function openLobby(signal) {
  return openLines("/lobby/stream", signal);
}
