/**
 * What happens in a game; a game that is closed, with the reason; or an item of the inbox.
 *
 * A game is closed as `over`, `not_found` (missing, or not for this player), `hidden` from the player
 * by now, or `unavailable`: then the client goes on asking for it, and it may come back.
 * @typedef {{kind: "game", game: string, line: import("./following.js").Line}
 *   | {kind: "closed", game: string, reason: string}
 *   | {kind: "item", item: import("./following.js").Item}} ManyLine
 */
/**
 * @typedef {object} ManyWish
 * @property {boolean} [inbox] whether to bring the items of the inbox
 * @property {string} [inboxAfter] the id of the last item that is known
 * @property {string} [include] `messages`, `presence`, `clock`, separated by commas
 * @property {string[]} [present] those of the games that the player has open
 */
/**
 * A reader of many games: each event once and in order, for each of the games.
 *
 * The cursor of the service is given up where it may be ahead of the reader: then the stream goes on
 * after the version of each game, which the reader knows itself.
 * @implements {Follower<ManyLine>}
 */
export class ManyFollower implements Follower<ManyLine> {
    /** @param {string[] | Record<string, number>} games ids, or versions by ids @param {ManyWish} wish */
    constructor(games: string[] | Record<string, number>, wish: ManyWish);
    isOver: boolean;
    isIncomplete: boolean;
    begin(): {
        path: string;
        query: Record<string, string>;
        cursor: string;
    };
    /** @param {any} found @returns {ManyLine | null} */
    take(found: any): ManyLine | null;
    /** A cursor that is refused is given up, once. @param {string} code */
    refuse(code: string): boolean;
    #private;
}
/**
 * What happens in a game; a game that is closed, with the reason; or an item of the inbox.
 *
 * A game is closed as `over`, `not_found` (missing, or not for this player), `hidden` from the player
 * by now, or `unavailable`: then the client goes on asking for it, and it may come back.
 */
export type ManyLine = {
    kind: "game";
    game: string;
    line: import("./following.js").Line;
} | {
    kind: "closed";
    game: string;
    reason: string;
} | {
    kind: "item";
    item: import("./following.js").Item;
};
export type ManyWish = {
    /**
     * whether to bring the items of the inbox
     */
    inbox?: boolean | undefined;
    /**
     * the id of the last item that is known
     */
    inboxAfter?: string | undefined;
    /**
     * `messages`, `presence`, `clock`, separated by commas
     */
    include?: string | undefined;
    /**
     * those of the games that the player has open
     */
    present?: string[] | undefined;
};
export type Follower<T> = import("./following.js").Follower<T>;
