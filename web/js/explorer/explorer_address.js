/** The address of the explorer for a position of a game. */

/** @param {string} game its name @param {string} position `GAME@VERSION`, or a key */
export function explorerAddress(game, position) {
  return `/explorer/${game}?${new URLSearchParams({ position })}`;
}
