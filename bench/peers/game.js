// A small game: the player whose turn it is appends a number to the record.
exports.Append = {
  name: "append",
  setup: () => ({ record: [] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    append: ({ G }, value) => {
      G.record.push(value);
    },
  },
};
