"""Players that think: pure functions from a state to a move. They import only `engine`."""
