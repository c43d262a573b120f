/**
 * One tab of the browser does what need not be done in each. The lead is a Web Lock: a tab that is
 * closed, or crashes, loses it at once, and the next tab in the queue has it.
 */

export class Lead {
  /** Ends the request of this tab, and its lead. */
  #over = new AbortController();
  /** Ends what the lead has begun; null while another tab leads. @type {(() => void) | null} */
  #end = null;

  /**
   * Stand in the queue.
   * @param {string} name @param {() => () => void} begin starts to lead; what it returns ends it
   */
  constructor(name, begin) {
    this.name = name;
    this.begin = begin;
    this.pass = () => this.#leave();
    this.stand = () => this.#request({});
    if (!navigator.locks) {
      this.#end = begin(); // not a secure page: each tab leads itself
      return;
    }
    // A page that the browser freezes gives the lead away.
    document.addEventListener("freeze", this.pass);
    document.addEventListener("resume", this.stand);
    this.stand();
  }

  get isHeld() {
    return this.#end !== null;
  }

  /** Take the lead from another tab. */
  take() {
    if (this.isHeld || !navigator.locks) return;
    this.#leave();
    this.#request({ steal: true });
  }

  /** Give up, and do not lead again. */
  close() {
    document.removeEventListener("freeze", this.pass);
    document.removeEventListener("resume", this.stand);
    this.#leave();
    this.#stop(); // without locks nothing else does
  }

  #leave() {
    this.#over.abort();
  }

  #stop() {
    const end = this.#end;
    this.#end = null;
    end?.();
  }

  /** @param {LockOptions} how */
  async #request(how) {
    const over = new AbortController();
    this.#over = over;
    try {
      // The request is aborted while it waits; a lock that is held ends with `#hold`.
      const options = how.steal ? how : { signal: over.signal };
      await navigator.locks.request(this.name, options, () => this.#hold(over.signal));
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
      if (over.signal.aborted) return;
      this.#stop(); // another tab has taken the lead
      this.stand();
    }
  }

  /** @param {AbortSignal} over @returns {Promise<void>} */
  #hold(over) {
    return new Promise((release) => {
      if (over.aborted) {
        release();
        return;
      }
      this.#end = this.begin();
      over.addEventListener("abort", () => {
        this.#stop();
        release();
      });
    });
  }
}

/** Hold a lock as long as this page lives. @param {string} name */
export function holdForLife(name) {
  navigator.locks?.request(name, () => new Promise(() => {}));
}

/**
 * Call a function when the page that holds a lock for life is closed.
 * @param {string} name @param {() => void} gone @param {AbortSignal} signal ends the wait
 */
export function whenGone(name, gone, signal) {
  navigator.locks.request(name, { signal }, gone).catch((error) => {
    if (!signal.aborted) throw error;
  });
}

const HELD = 3000; // ms; longer than the tabs differ in hearing of it

/**
 * Do something in one tab only: the first that asks does it.
 * @param {string} what @param {() => void} act
 */
export function once(what, act) {
  if (!navigator.locks) {
    act();
    return;
  }
  navigator.locks.request(`cartulary.once.${what}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    act();
    await new Promise((resolve) => setTimeout(resolve, HELD));
  });
}
