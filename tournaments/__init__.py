"""Tournaments: streams of their own, and what follows from them. Pure: no store, clock or chance.

| module | what |
|---|---|
| `events` | the types of a tournament's stream: `TOURNAMENT_KINDS` |
| `terms` | what `POST /tournaments` asks: `find_faults`, `complete_terms`, `count_rounds` |
| `state`, `fold` | `Tournament` at a version; `fold`, `evolve` refuse what cannot come (`Misfit`) |
| `pairing` | `pair_next`; `sizes`, `costs`, `search`, `circle`, `lots` are its parts |
| `points`, `standings`, `margins` | `rank_entrants`; `write_standings` and `describe_standings` |
| `duplicate` | `make_chain`, `name_round`, `score_round` |
| `replaying`, `comparison` | `read_played`, `compare_round`: the same draws at all tables |
| `times` | `read_availability`, `find_common_times` |
| `verification` | `verify_tournament`, `verify_table` |
"""
