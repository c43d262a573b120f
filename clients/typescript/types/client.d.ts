/**
 * A player's connection to a service, or a visitor's, who has no token. `game` is an id or the link to a
 * table. Writes to a game have a key each; pass `key` to repeat a write yourself, after `ConnectionLost`.
 * All methods throw `ApiProblem` for what the service refuses, `ConnectionLost` without an answer.
 */
export class Client {
    /**
     * @param {string} url the address of the service
     * @param {import("./requests.js").Options} [options]
     */
    constructor(url: string, options?: import("./requests.js").Options);
    set token(token: string | undefined);
    /** The player's token, undefined for a visitor. */
    get token(): string | undefined;
    /**
     * Registers, and uses the new token from now on; keep `token`, it is shown once.
     * @param {string} name
     * @returns {Promise<import("../types/api.js").NewPlayer>}
     */
    createPlayer(name: string): Promise<import("../types/api.js").NewPlayer>;
    /**
     * Returns what `navigator.credentials.get` needs; what it answers is for `signIn`.
     * @returns {Promise<import("../types/api.js").PasskeyOptions>}
     */
    beginSignIn(): Promise<import("../types/api.js").PasskeyOptions>;
    /**
     * Recovers a player with a code or a passkey, each valid once, and uses the new token from now on. `passkey`
     * is what a device has answered to `beginSignIn`, as `toJSON()` writes it.
     * @param {{link_code?: string, recovery_code?: string, passkey?: object, label?: string}} codes
     * @returns {Promise<import("../types/api.js").Session>}
     */
    signIn(codes: {
        link_code?: string;
        recovery_code?: string;
        passkey?: object;
        label?: string;
    }): Promise<import("../types/api.js").Session>;
    /**
     * Returns ten new recovery codes; those of before become invalid.
     * @returns {Promise<import("../types/api.js").RecoveryCodes>}
     */
    makeRecoveryCodes(): Promise<import("../types/api.js").RecoveryCodes>;
    /** @returns {Promise<import("../types/api.js").OwnPlayer>} */
    readMe(): Promise<import("../types/api.js").OwnPlayer>;
    /** @param {string} name @returns {Promise<import("../types/api.js").OwnPlayer>} */
    rename(name: string): Promise<import("../types/api.js").OwnPlayer>;
    /** @param {string} [after] @param {number} [limit] @returns {Promise<import("../types/api.js").InboxPage>} */
    readInbox(after?: string, limit?: number): Promise<import("../types/api.js").InboxPage>;
    /** @param {Record<string, unknown>} [asked] @returns {Promise<import("../types/api.js").GamesPage>} */
    listGames(asked?: Record<string, unknown>): Promise<import("../types/api.js").GamesPage>;
    /**
     * Opens a game; `more` are further members of `GameRequest`, as `options`.
     * @param {string} game
     * @param {object[]} seats
     * @param {object} [more]
     * @param {string} [key]
     * @returns {Promise<import("../types/api.js").Game>}
     */
    createGame(game: string, seats: object[], more?: object, key?: string): Promise<import("../types/api.js").Game>;
    /** @param {string} game @returns {Promise<import("../types/api.js").Game>} */
    readGame(game: string): Promise<import("../types/api.js").Game>;
    /**
     * Takes a seat: the given one, the one that is offered, or any that is open.
     * @param {string} game
     * @param {number} [seat]
     * @param {number} [version] that the game must have
     * @param {string} [key]
     * @returns {Promise<import("../types/api.js").Game>}
     */
    joinGame(game: string, seat?: number, version?: number, key?: string): Promise<import("../types/api.js").Game>;
    /**
     * Leaves a seat before the start, or declines an offer.
     * @param {string} game
     * @param {number} seat
     * @param {string} [key]
     * @returns {Promise<import("../types/api.js").Game>}
     */
    leaveGame(game: string, seat: number, key?: string): Promise<import("../types/api.js").Game>;
    /**
     * Starts a game that waits for its host.
     * @param {string} game
     * @param {{drop_open_seats?: boolean}} [body]
     * @param {string} [key]
     * @returns {Promise<Written>}
     */
    startGame(game: string, body?: {
        drop_open_seats?: boolean;
    }, key?: string): Promise<Written>;
    /**
     * Gives a seat up for good; a player with several seats names it.
     * @param {string} game
     * @param {number} [seat]
     * @param {string} [key]
     * @returns {Promise<Written>}
     */
    resign(game: string, seat?: number, key?: string): Promise<Written>;
    /** Returns every legal move now. @param {string} game @returns {Promise<import("../types/api.js").MoveList>} */
    listMoves(game: string): Promise<import("../types/api.js").MoveList>;
    /**
     * Makes a move that was chosen for a version.
     * @param {string} game
     * @param {object} move
     * @param {number} [version]
     * @param {string} [key]
     * @returns {Promise<import("../types/api.js").MoveWritten>}
     */
    makeMove(game: string, move: object, version?: number, key?: string): Promise<import("../types/api.js").MoveWritten>;
    /**
     * @param {string} game
     * @param {number} [after]
     * @param {number} [limit]
     * @returns {Promise<import("../types/api.js").EventsPage>}
     */
    readEvents(game: string, after?: number, limit?: number): Promise<import("../types/api.js").EventsPage>;
    /**
     * Yields the events that there are, page by page.
     * @param {string} game
     * @returns {AsyncGenerator<import("../types/api.js").Event>}
     */
    readAllEvents(game: string): AsyncGenerator<import("../types/api.js").Event>;
    /** Returns the table after an event. @param {string} game @param {number} version @returns {Promise<import("../types/api.js").State>} */
    readState(game: string, version: number): Promise<import("../types/api.js").State>;
    /**
     * Returns what happened after a version, in words.
     * @param {string} game
     * @param {number} [after]
     * @param {number} [limit]
     * @returns {Promise<import("../types/api.js").Story>}
     */
    readStory(game: string, after?: number, limit?: number): Promise<import("../types/api.js").Story>;
    /**
     * Yields each event once and in order, until the game is over, across lost connections.
     * @param {string} game
     * @param {number} [after]
     * @param {string} [include] named lines as well: `messages`, `presence`, `clock`
     * @returns {AsyncGenerator<Line>}
     */
    followGame(game: string, after?: number, include?: string): AsyncGenerator<Line>;
    /**
     * Yields the items of the inbox as they come, across lost connections, without an end.
     * @param {string} [after] the id of the last item that is known
     * @returns {AsyncGenerator<Item>}
     */
    followInbox(after?: string): AsyncGenerator<Item>;
    /**
     * Yields what happens in many games (at most 50), and the items of the inbox, as one stream. It ends when
     * all games are closed; with the inbox it has no end.
     * @param {string[] | Record<string, number>} games ids, or by each id the version after which it begins
     * @param {ManyWish} [wish]
     * @returns {AsyncGenerator<ManyLine>}
     */
    followGames(games: string[] | Record<string, number>, wish?: ManyWish): AsyncGenerator<ManyLine>;
    #private;
}
export type Line = import("./following.js").Line;
export type Item = import("./following.js").Item;
export type ManyLine = import("./following_many.js").ManyLine;
export type ManyWish = import("./following_many.js").ManyWish;
export type Written = import("../types/api.js").Written;
