"""The table: board, moves, time, people, replay."""
