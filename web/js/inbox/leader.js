/**
 * One tab of the browser holds the stream of the inbox and passes on what comes: a browser opens
 * only six connections to a server, and each table needs one already.
 */

/**
 * Lead when no other tab of this player does; until then wait. A page that the browser freezes
 * gives the lead away.
 * @param {string} player @param {() => () => void} lead starts to lead; what it returns ends it
 * @returns {() => void} give up, and do not lead again
 */
export function standForLead(player, lead) {
  if (!navigator.locks) return lead(); // not a secure page: each tab follows for itself
  let over = new AbortController();
  const stand = () => {
    over = new AbortController();
    const { signal } = over;
    const hold = () =>
      new Promise((/** @type {(value?: unknown) => void} */ release) => {
        const end = lead();
        signal.addEventListener("abort", () => {
          end();
          release();
        });
      });
    // The request is aborted while it waits; a lock that is held ends with `release`.
    navigator.locks.request(`cartulary.inbox.${player}`, { signal }, hold).catch(ignoreAbort);
  };
  const freeze = () => over.abort();
  document.addEventListener("freeze", freeze);
  document.addEventListener("resume", stand);
  stand();
  return () => {
    document.removeEventListener("freeze", freeze);
    document.removeEventListener("resume", stand);
    over.abort();
  };
}

/** @param {unknown} error */
function ignoreAbort(error) {
  if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
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
