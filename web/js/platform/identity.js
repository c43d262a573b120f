/** Who is playing on this device: the answer of `POST /players`, kept with its token. */

const KEPT = "cartulary.player";
/** The name of a player whose token is damaged or unknown: the games are still there, a code leads back to them. */
const LOST = "cartulary.lost";
/** What a header may carry. */
const TOKEN = /^[!-~]+$/;

/** @typedef {{id: string, name: string, token: string}} Player */

/** @type {Player | null} */
let player = read();

/** @returns {Player | null} */
function read() {
  const kept = localStorage.getItem(KEPT);
  if (kept === null) return null;
  const found = parse(kept);
  if (found?.id && TOKEN.test(found.token)) return found;
  lose(found?.name); // written by hand or by another program, or cut off
  return null;
}

/** @param {string} kept @returns {Partial<Player> & any} */
function parse(kept) {
  try {
    return JSON.parse(kept);
  } catch {
    return null; // `read` notes that a player was lost
  }
}

/** @param {unknown} name */
function lose(name) {
  localStorage.setItem(LOST, typeof name === "string" ? name : "");
  localStorage.removeItem(KEPT);
}

/** Whether this browser has lost the token of a player. */
export function hasLost() {
  return localStorage.getItem(LOST) !== null;
}

/** The lost player is here again, or the person goes on without. */
export function endLoss() {
  localStorage.removeItem(LOST);
}

/** @returns {Player | null} */
export function me() {
  player ??= read(); // another tab may have registered a guest: a second one would take its place
  return player;
}

/** Play as the same player as the other tabs of this browser, when one of them registers, signs in or out, or renames. */
export function followOtherTabs() {
  addEventListener("storage", ({ key, oldValue }) => {
    if (key !== KEPT) return;
    const former = oldValue === null ? null : parse(oldValue);
    player = read();
    document.dispatchEvent(new Event(player?.token === former?.token ? "renamed" : "player"));
  });
}

/** @param {Player} known */
export function remember(known) {
  player = { id: known.id, name: known.name, token: known.token };
  localStorage.setItem(KEPT, JSON.stringify(player));
}

/**
 * The server knows a player by another name now. Another player who plays here meanwhile stays.
 * @param {{id: string, name: string}} changed
 */
export function rememberName({ id, name }) {
  const known = me();
  if (known?.id !== id) return;
  remember({ ...known, name });
  document.dispatchEvent(new Event("renamed"));
}

/** The name of a player whom the server has forgotten: the person goes on under it. @returns {string} */
export function nameBefore() {
  return localStorage.getItem(LOST) ?? "";
}

/**
 * Forget the player.
 * @param {{keepName?: boolean}} [how] keepName: the server no longer knows the token, the person is the same
 */
export function forget({ keepName = false } = {}) {
  if (keepName && player) lose(player.name);
  if (!keepName) endLoss();
  player = null;
  localStorage.removeItem(KEPT);
  document.dispatchEvent(new Event("player"));
}
