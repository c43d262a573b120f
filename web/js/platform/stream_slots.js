/**
 * Who may keep a stream open. A browser opens only six connections to a server, however many tabs it
 * has: tables take three at most, the inbox takes one (`inbox/leader.js`), so that requests always
 * find a free connection. A slot is a Web Lock: a tab that is closed, or crashes, loses it at once.
 */

const SLOTS = ["cartulary.stream.1", "cartulary.stream.2", "cartulary.stream.3"];

export class StreamSlot {
  /** The request of this tab, null while it wants no slot. @type {AbortController | null} */
  #wish = null;
  /** Gives the slot back. @type {((value?: unknown) => void) | null} */
  #release = null;

  /** @param {{taken: () => void, lost: () => void}} listener lost: another tab has taken the slot */
  constructor(listener) {
    this.listener = listener;
  }

  get isHeld() {
    return this.#release !== null;
  }

  /** Stand in the queue for a slot, unless this tab has one. */
  ask() {
    if (this.#wish) return;
    const wish = new AbortController();
    this.#wish = wish;
    if (!navigator.locks)
      this.#hold(wish); // not a secure page: each tab opens its own stream
    else for (const name of SLOTS) this.#request(name, wish, { signal: wish.signal });
  }

  /** Take a slot from another tab: the person is in this one. */
  steal() {
    if (this.isHeld || !navigator.locks) return;
    this.free();
    const wish = new AbortController();
    this.#wish = wish;
    this.#request(SLOTS[Math.floor(Math.random() * SLOTS.length)], wish, { steal: true });
  }

  /** Give the slot back, or leave the queue. */
  free() {
    this.#wish?.abort();
    this.#wish = null;
    this.#release?.();
    this.#release = null;
  }

  /** @param {string} name @param {AbortController} wish @param {LockOptions} how */
  async #request(name, wish, how) {
    let isMine = false;
    try {
      await navigator.locks.request(name, how, () => {
        const held = this.#hold(wish);
        isMine = held !== null;
        return held;
      });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
      if (isMine && wish === this.#wish) this.#lose();
    }
  }

  /** Hold a slot until `free`; null: this tab has another slot, or wants none any more. @param {AbortController} wish */
  #hold(wish) {
    if (wish !== this.#wish || this.#release) return null;
    const held = new Promise((release) => {
      this.#release = release;
    });
    wish.abort(); // the other requests; what is held stays
    this.listener.taken();
    return held;
  }

  #lose() {
    this.#wish = null;
    this.#release = null;
    this.listener.lost();
  }
}
