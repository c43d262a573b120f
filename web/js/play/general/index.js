/** The controls of a game that has none of its own: all legal moves as a list (`play/index.js`). */

/** @type {import("../index.js").GameModule} */
export const controls = {
  scores: (view) => view.scores ?? [],
  holds: () => null,
  control: () => null,
  describe: () => null,
};
