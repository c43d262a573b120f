/**
 * Who may write a local game: one table at a time, in whichever tab. What the account brings is written between
 * two tables, because a table that is open would write its own course over it.
 */

/** Where the page is not secure there is no way to know the other tabs: the games that this tab holds. @type {Set<string>} */
const held = new Set();

/** @param {string} id */
const nameOf = (id) => `cartulary.local.${id}`;

/**
 * Hold a game for a table that is opened; the hold ends with the tab at the latest.
 * @param {string} id @returns {Promise<(() => void) | null>} lets the game go; null: another table holds it
 */
export function holdGame(id) {
  return inTurn(id, () => holdNow(id));
}

/**
 * Change a game unless a table holds it. A table that is opened meanwhile waits, and reads what was changed.
 * @param {string} id @param {() => Promise<any>} change
 */
export function changeUnheld(id, change) {
  return inTurn(id, async () => {
    const release = await holdNow(id);
    if (!release) return;
    try {
      await change();
    } finally {
      release();
    }
  });
}

/** Without turns a table would take a short change for another table. @param {string} id @param {() => Promise<any>} act @returns {Promise<any>} */
function inTurn(id, act) {
  return navigator.locks ? navigator.locks.request(`${nameOf(id)}.turn`, act) : act();
}

/** @param {string} id @returns {Promise<(() => void) | null>} */
async function holdNow(id) {
  if (!navigator.locks) return holdHere(id);
  return new Promise((resolve, reject) => {
    const hold = (/** @type {Lock | null} */ lock) =>
      lock ? new Promise((release) => resolve(() => release(undefined))) : resolve(null);
    navigator.locks.request(nameOf(id), { ifAvailable: true }, hold).catch(reject);
  });
}

/** @param {string} id */
function holdHere(id) {
  if (held.has(id)) return null;
  held.add(id);
  return () => void held.delete(id);
}
