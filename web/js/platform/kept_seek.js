/** What this browser keeps of looking for players: the live seek that waits, and what was chosen last. */

const WAITS = "cartulary.seek";
const CHOSEN = "cartulary.seek.chosen";

/**
 * @typedef {{game: string, seats: number[], options?: Record<string, any>, pace: Record<string, any> | null, rated: boolean,
 *   rating_range?: number[] | null, min_reliability?: number | null, fill?: string, patience?: number}} SeekWish what `POST /seeks` is asked for
 * @typedef {{id: string, player: string, since: number, patience: number, wish: SeekWish}} KeptSeek
 * @typedef {{pace?: string, seats?: string, rated?: boolean, lowest?: string, highest?: string, reliability?: string}} ChosenSeek
 */

/** @param {string} key @returns {any} */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null; // a value written by hand or by another program
  }
}

/** The live seek that waits; of this player only. @param {string | undefined} player @returns {KeptSeek | null} */
export function keptSeek(player) {
  const kept = read(WAITS);
  return kept?.id && kept.player === player ? kept : null;
}

/** @param {KeptSeek | null} seek */
export function keepSeek(seek) {
  if (seek) localStorage.setItem(WAITS, JSON.stringify(seek));
  else localStorage.removeItem(WAITS);
}

/** Hear of a seek that another tab has made or ended. @param {() => void} heard */
export function hearSeek(heard) {
  addEventListener("storage", ({ key }) => key === WAITS && heard());
}

/** What was chosen for a game when players were looked for last. @param {string} game @returns {ChosenSeek} */
export function chosenSeek(game) {
  return read(CHOSEN)?.[game] ?? {};
}

/** @param {string} game @param {ChosenSeek} chosen */
export function keepChosen(game, chosen) {
  localStorage.setItem(CHOSEN, JSON.stringify({ ...read(CHOSEN), [game]: chosen }));
}
