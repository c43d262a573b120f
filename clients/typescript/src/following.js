// The place of a reader in the events of a game. It lives longer than a connection.

/** The events after which a game has no other event. */
const LAST = new Set(["game_scored", "game_aborted"]);

/** Bytes that are no lines of the service, or a version that is missing: connect again. */
export class BrokenStream extends Error {}

/**
 * An event, a reset (read the game again), or something that is not stored, with its name.
 * @typedef {{kind: "event", version: number, event: Record<string, any>}
 *   | {kind: "reset", version: number}
 *   | {kind: "named", name: string, content: any}} Line
 */

export class GameFollower {
  isOver = false;
  /** @type {string | null} */
  #hash = null;
  #begun = "";

  /** @param {number} cursor the version of the last event that the reader has */
  constructor(cursor) {
    this.cursor = cursor;
  }

  /** Forgets the half line of a connection that has ended. */
  begin() {
    this.#begun = "";
  }

  /**
   * Returns what is new in a text.
   * @param {string} text
   * @returns {Generator<Line>}
   */
  *take(text) {
    const lines = (this.#begun + text).split("\n");
    this.#begun = lines.pop() ?? "";
    for (const line of lines) {
      const found = line.trim() ? this.#read(line) : null;
      if (found) yield found;
    }
  }

  /**
   * @param {string} line
   * @returns {Line | null}
   */
  #read(line) {
    const found = parse(line);
    if (Number.isInteger(found.version) && typeof found.type === "string") return this.#take(found);
    if (found.reset && typeof found.reset === "object") return this.#reset(found.reset.version ?? 0);
    const names = Object.keys(found);
    return names.length === 1 ? { kind: "named", name: names[0], content: found[names[0]] } : null;
  }

  /**
   * @param {Record<string, any>} event
   * @returns {Line | null}
   */
  #take(event) {
    if (event.version <= this.cursor) return null;
    if (event.version > this.cursor + 1) {
      throw new BrokenStream(`version ${event.version} follows ${this.cursor}`);
    }
    // The store has lost events and has others by now: nothing that is known holds.
    if (this.#hash && event.prev && event.prev !== this.#hash) return this.#reset(0);
    this.cursor = event.version;
    this.#hash = event.hash ?? null;
    this.isOver = LAST.has(event.type);
    return { kind: "event", version: event.version, event };
  }

  /**
   * @param {number} version
   * @returns {Line}
   */
  #reset(version) {
    this.cursor = version;
    this.#hash = null;
    return { kind: "reset", version };
  }
}

/**
 * @param {string} line
 * @returns {Record<string, any>}
 */
function parse(line) {
  try {
    return Object(JSON.parse(line));
  } catch (error) {
    throw new BrokenStream(`no JSON: ${line.slice(0, 80)}`, { cause: error });
  }
}
