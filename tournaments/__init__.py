"""Tournaments: streams of their own, and what follows from them. Pure: no store, clock or chance.

| module | what |
|---|---|
| `events` | the types of a tournament's stream: `TOURNAMENT_KINDS`, names, how an event is made |
| `terms` | what `POST /tournaments` asks: `find_faults`, `complete_terms`, `TournamentTerms` |
| `fold` | the state at a version: `fold`, `evolve`; refuses what cannot come (`Misfit`) |
| `state` | `Tournament` and its parts: entrants, rounds, tables |
"""
