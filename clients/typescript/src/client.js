// The client: what can be asked.

import { GameFollower, InboxFollower } from "./following.js";
import { ManyFollower } from "./following_many.js";
import { BrokenStream, readLines } from "./lines.js";
import { ApiProblem } from "./problems.js";
import { Requests } from "./requests.js";
import { backOff, findPause } from "./retries.js";

/** @typedef {import("./following.js").Line} Line */
/** @typedef {import("./following.js").Item} Item */
/** @typedef {import("./following_many.js").ManyLine} ManyLine */
/** @typedef {import("./following_many.js").ManyWish} ManyWish */
/** @typedef {import("../types/api.js").Written} Written */

/** Seconds after which a stream is opened again for games that were unavailable. */
const ASK_AGAIN = 10;

/**
 * A player's connection to a service, or a visitor's, who has no token. `game` is an id or the link to a
 * table. Writes to a game have a key each; pass `key` to repeat a write yourself, after `ConnectionLost`.
 * All methods throw `ApiProblem` for what the service refuses, `ConnectionLost` without an answer.
 */
export class Client {
  #requests;

  /**
   * @param {string} url the address of the service
   * @param {import("./requests.js").Options} [options]
   */
  constructor(url, options = {}) {
    this.#requests = new Requests(url, options);
  }

  /** The player's token, undefined for a visitor. */
  get token() {
    return this.#requests.token;
  }

  set token(token) {
    this.#requests.token = token;
  }

  /**
   * Registers, and uses the new token from now on; keep `token`, it is shown once.
   * @param {string} name
   * @returns {Promise<import("../types/api.js").NewPlayer>}
   */
  async createPlayer(name) {
    // Repeated blindly, it would register twice.
    const created = await this.#requests.send("POST", "/players", { body: { name }, repeatable: false });
    this.token = created.token;
    return created;
  }

  /**
   * Returns what `navigator.credentials.get` needs; what it answers is for `signIn`.
   * @returns {Promise<import("../types/api.js").PasskeyOptions>}
   */
  beginSignIn() {
    return this.#requests.send("POST", "/sessions/options", { body: {} });
  }

  /**
   * Recovers a player with a code or a passkey, each valid once, and uses the new token from now on. `passkey`
   * is what a device has answered to `beginSignIn`, as `toJSON()` writes it.
   * @param {{link_code?: string, recovery_code?: string, passkey?: object, label?: string}} codes
   * @returns {Promise<import("../types/api.js").Session>}
   */
  async signIn(codes) {
    const session = await this.#requests.send("POST", "/sessions", { body: codes, repeatable: false });
    this.token = session.token;
    return session;
  }

  /**
   * Returns ten new recovery codes; those of before become invalid.
   * @returns {Promise<import("../types/api.js").RecoveryCodes>}
   */
  makeRecoveryCodes() {
    return this.#requests.send("POST", "/players/me/recovery_codes", { body: {} });
  }

  /** @returns {Promise<import("../types/api.js").OwnPlayer>} */
  readMe() {
    return this.#requests.send("GET", "/players/me");
  }

  /** @param {string} name @returns {Promise<import("../types/api.js").OwnPlayer>} */
  rename(name) {
    return this.#requests.send("PATCH", "/players/me", { body: { name } });
  }

  /** @param {string} [after] @param {number} [limit] @returns {Promise<import("../types/api.js").InboxPage>} */
  readInbox(after, limit) {
    return this.#requests.send("GET", "/players/me/inbox", { query: { after, limit } });
  }

  /** @param {Record<string, unknown>} [asked] @returns {Promise<import("../types/api.js").GamesPage>} */
  listGames(asked = {}) {
    return this.#requests.send("GET", "/games", { query: asked });
  }

  /**
   * Opens a game; `more` are further members of `GameRequest`, as `options`.
   * @param {string} game
   * @param {object[]} seats
   * @param {object} [more]
   * @param {string} [key]
   * @returns {Promise<import("../types/api.js").Game>}
   */
  createGame(game, seats, more = {}, key) {
    return this.#write("POST", "/games", { game, seats, ...more }, key);
  }

  /** @param {string} game @returns {Promise<import("../types/api.js").Game>} */
  readGame(game) {
    return this.#requests.send("GET", pathOf(game));
  }

  /**
   * Takes a seat: the given one, the one that is offered, or any that is open.
   * @param {string} game
   * @param {number} [seat]
   * @param {number} [version] that the game must have
   * @param {string} [key]
   * @returns {Promise<import("../types/api.js").Game>}
   */
  joinGame(game, seat, version, key = this.#requests.makeKey()) {
    return this.#requests.send("POST", `${pathOf(game)}/seats`, { body: { seat }, version, key });
  }

  /**
   * Leaves a seat before the start, or declines an offer.
   * @param {string} game
   * @param {number} seat
   * @param {string} [key]
   * @returns {Promise<import("../types/api.js").Game>}
   */
  leaveGame(game, seat, key) {
    return this.#write("DELETE", `${pathOf(game)}/seats/${seat}`, undefined, key);
  }

  /**
   * Starts a game that waits for its host.
   * @param {string} game
   * @param {{drop_open_seats?: boolean}} [body]
   * @param {string} [key]
   * @returns {Promise<Written>}
   */
  startGame(game, body = {}, key) {
    return this.#write("POST", `${pathOf(game)}/start`, body, key);
  }

  /**
   * Gives a seat up for good; a player with several seats names it.
   * @param {string} game
   * @param {number} [seat]
   * @param {string} [key]
   * @returns {Promise<Written>}
   */
  resign(game, seat, key) {
    return this.#write("POST", `${pathOf(game)}/resignation`, { seat }, key);
  }

  /** Returns every legal move now. @param {string} game @returns {Promise<import("../types/api.js").MoveList>} */
  listMoves(game) {
    return this.#requests.send("GET", `${pathOf(game)}/moves`);
  }

  /**
   * Makes a move that was chosen for a version.
   * @param {string} game
   * @param {object} move
   * @param {number} [version]
   * @param {string} [key]
   * @returns {Promise<import("../types/api.js").MoveWritten>}
   */
  makeMove(game, move, version, key) {
    return this.#write("POST", `${pathOf(game)}/moves`, { move, expected_version: version }, key);
  }

  /**
   * @param {string} game
   * @param {number} [after]
   * @param {number} [limit]
   * @returns {Promise<import("../types/api.js").EventsPage>}
   */
  readEvents(game, after = 0, limit = 100) {
    return this.#requests.send("GET", `${pathOf(game)}/events`, { query: { after, limit } });
  }

  /**
   * Yields the events that there are, page by page.
   * @param {string} game
   * @returns {AsyncGenerator<import("../types/api.js").Event>}
   */
  async *readAllEvents(game) {
    for (let after = 0; ; ) {
      const page = await this.readEvents(game, after, 500);
      if (!page.events.length) return;
      yield* page.events;
      after = page.next_after;
    }
  }

  /** Returns the table after an event. @param {string} game @param {number} version @returns {Promise<import("../types/api.js").State>} */
  readState(game, version) {
    return this.#requests.send("GET", `${pathOf(game)}/states/${version}`);
  }

  /**
   * Returns what happened after a version, in words.
   * @param {string} game
   * @param {number} [after]
   * @param {number} [limit]
   * @returns {Promise<import("../types/api.js").Story>}
   */
  readStory(game, after = 0, limit = 1000) {
    return this.#requests.send("GET", `${pathOf(game)}/story`, { query: { after, limit } });
  }

  /**
   * Yields each event once and in order, until the game is over, across lost connections.
   * @param {string} game
   * @param {number} [after]
   * @param {string} [include] named lines as well: `messages`, `presence`, `clock`
   * @returns {AsyncGenerator<Line>}
   */
  followGame(game, after = 0, include = "") {
    return this.#follow(new GameFollower(findId(game), after, include));
  }

  /**
   * Yields the items of the inbox as they come, across lost connections, without an end.
   * @param {string} [after] the id of the last item that is known
   * @returns {AsyncGenerator<Item>}
   */
  followInbox(after = "") {
    return this.#follow(new InboxFollower(after));
  }

  /**
   * Yields what happens in many games (at most 50), and the items of the inbox, as one stream. It ends when
   * all games are closed; with the inbox it has no end.
   * @param {string[] | Record<string, number>} games ids, or by each id the version after which it begins
   * @param {ManyWish} [wish]
   * @returns {AsyncGenerator<ManyLine>}
   */
  followGames(games, wish = {}) {
    return this.#follow(new ManyFollower(games, wish));
  }

  /**
   * @template T
   * @param {import("./following.js").Follower<T>} follower
   * @returns {AsyncGenerator<T>}
   */
  async *#follow(follower) {
    for (let failures = 0; !follower.isOver; failures += 1) {
      let pause = 0;
      try {
        for await (const line of this.#connect(follower)) {
          failures = 0;
          yield line;
        }
        pause = backOff(this.#requests.policy, failures, this.#requests.random);
      } catch (error) {
        pause = this.#findPause(follower, error, failures);
      }
      if (!follower.isOver) await this.#requests.sleep(pause);
    }
  }

  /**
   * Reads one connection of a stream to its end.
   * @template T
   * @param {import("./following.js").Follower<T>} follower
   * @returns {AsyncGenerator<T>}
   */
  async *#connect(follower) {
    const connection = new AbortController();
    const place = follower.begin();
    const open = (/** @type {AbortSignal} */ signal) => this.#requests.open(place, signal);
    const opened = (/** @type {boolean} */ isEmpty) => {
      follower.isOver = isEmpty;
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let again;
    try {
      const { silentAfter } = this.#requests;
      for await (const found of readLines(open, connection, { opened, silentAfter })) {
        const line = follower.take(found);
        if (follower.isIncomplete) again ??= setTimeout(() => connection.abort(), 1000 * ASK_AGAIN);
        if (line !== null) yield line;
        if (follower.isOver) return;
      }
    } finally {
      clearTimeout(again);
      connection.abort();
    }
  }

  /**
   * Returns the seconds before a stream is opened again; throws what stands.
   * @param {import("./following.js").Follower<unknown>} follower
   * @param {unknown} error
   * @param {number} failures
   */
  #findPause(follower, error, failures) {
    const { policy, random } = this.#requests;
    const isOld = error instanceof ApiProblem && follower.refuse(error.code);
    if (isOld || error instanceof BrokenStream) return backOff(policy, failures, random);
    const pause = findPause(policy, true, error, failures, random);
    if (pause === null) throw error;
    return pause;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {string | undefined} key
   */
  #write(method, path, body, key = this.#requests.makeKey()) {
    return this.#requests.send(method, path, { body, key });
  }
}

/** Returns the id of a game from the id or from a link to its table. @param {string} game */
function findId(game) {
  const found = game.includes("/")
    ? game
        .replace(/[?#].*$/, "")
        .replace(/\/+$/, "")
        .split("/")
        .pop()
    : game;
  if (!found) throw new TypeError(`${game} names no game`);
  return found;
}

/** @param {string} game */
function pathOf(game) {
  return `/games/${encodeURIComponent(findId(game))}`;
}
