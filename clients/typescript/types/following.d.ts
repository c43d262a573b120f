/**
 * An event, a reset (read the game again), or something that is not stored, with its name.
 * @typedef {{kind: "event", version: number, event: GameEvent}
 *   | {kind: "reset", version: number}
 *   | {kind: "named", name: string, content: any}} Line
 */
/**
 * Where a request for a stream goes, and the cursor of the last line, "" at the beginning.
 * @typedef {{path: string, query: Record<string, string>, cursor: string}} Place
 */
/**
 * A reader of a stream: `take` returns what the value of a line brings, null for nothing new; `refuse`
 * whether to connect again after a refusal that stands otherwise.
 * @template T
 * @typedef {object} Follower
 * @property {boolean} isOver the stream has no more lines
 * @property {boolean} isIncomplete a part cannot be read for the moment: connect again after a while
 * @property {() => Place} begin
 * @property {(found: any) => T | null} take
 * @property {(code: string) => boolean} refuse
 */
/** Where a reader is in the events of one game: which lines are new to it. */
export class EventChain {
    /** @param {number} version of the last event that the reader has */
    constructor(version: number);
    version: number;
    /**
     * Returns what a line says that is new; throws `BrokenStream` when a version is missing.
     * @param {Record<string, any>} found
     * @returns {Line | null}
     */
    take(found: Record<string, any>): Line | null;
    #private;
}
/** A reader of the events of a game. @implements {Follower<Line>} */
export class GameFollower implements Follower<Line> {
    /** @param {string} game @param {number} after @param {string} include */
    constructor(game: string, after: number, include: string);
    isOver: boolean;
    isIncomplete: boolean;
    begin(): {
        path: string;
        query: {
            include: string;
        };
        cursor: string;
    };
    /** @param {any} found */
    take(found: any): Line | null;
    refuse(): boolean;
    #private;
}
/** A reader of the player's inbox. @implements {Follower<Item>} */
export class InboxFollower implements Follower<Item> {
    /** @param {string} cursor the id of the last item that the reader has */
    constructor(cursor: string);
    isOver: boolean;
    isIncomplete: boolean;
    cursor: string;
    begin(): {
        path: string;
        query: {};
        cursor: string;
    };
    /** @param {any} found @returns {Item | null} */
    take(found: any): Item | null;
    refuse(): boolean;
}
export type GameEvent = import("../types/api.js").Event;
export type Item = import("../types/api.js").Item;
/**
 * An event, a reset (read the game again), or something that is not stored, with its name.
 */
export type Line = {
    kind: "event";
    version: number;
    event: GameEvent;
} | {
    kind: "reset";
    version: number;
} | {
    kind: "named";
    name: string;
    content: any;
};
/**
 * Where a request for a stream goes, and the cursor of the last line, "" at the beginning.
 */
export type Place = {
    path: string;
    query: Record<string, string>;
    cursor: string;
};
/**
 * A reader of a stream: `take` returns what the value of a line brings, null for nothing new; `refuse`
 * whether to connect again after a refusal that stands otherwise.
 */
export type Follower<T> = {
    /**
     * the stream has no more lines
     */
    isOver: boolean;
    /**
     * a part cannot be read for the moment: connect again after a while
     */
    isIncomplete: boolean;
    begin: () => Place;
    take: (found: any) => T | null;
    refuse: (code: string) => boolean;
};
