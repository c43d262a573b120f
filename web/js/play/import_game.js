/** Where the controls of a game lie. `script/bundle` puts a list of all games in place of this module. */

/**
 * Load the controls of a game. For a game without controls of its own the server sends those of
 * `play/general/` at this address.
 * @param {string} game @returns {Promise<{controls: any}>}
 */
export const importGame = (game) => import(`./${game}/index.js`);
