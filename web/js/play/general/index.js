/** The controls of a game that has none of its own: all legal moves as a list (`play/controls.js`). */

/** @type {import("../game_module.js").GameModule} */
export const controls = {
  scores: (view) => view.scores ?? [],
  holds: () => null,
  control: () => null,
  describe: () => null,
};
