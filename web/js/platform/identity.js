/** Who is playing on this device: the answer of `POST /players`, kept with its token. */

const KEPT = "cartulary.player";

/** @typedef {{id: string, name: string, token: string}} Player */

/** @type {Player | null} */
let player = read();

/** @returns {Player | null} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    return kept?.id && kept.token ? kept : null;
  } catch {
    return null; // a value written by hand or by another program: ask for the name again
  }
}

/** @returns {Player | null} */
export function me() {
  return player;
}

/** @param {Player} known */
export function remember(known) {
  player = { id: known.id, name: known.name, token: known.token };
  localStorage.setItem(KEPT, JSON.stringify(player));
}

/** The name of a player whom the server has forgotten: the person goes on under it. */
let lastName = "";

/** @returns {string} */
export function nameBefore() {
  return lastName;
}

/**
 * Forget the player.
 * @param {{keepName?: boolean}} [how] keepName: the server no longer knows the token, the person is the same
 */
export function forget({ keepName = false } = {}) {
  lastName = keepName ? (player?.name ?? lastName) : "";
  player = null;
  localStorage.removeItem(KEPT);
  document.dispatchEvent(new Event("player"));
}
