"""A game in one process, without a service, in the words of the API.

The web client runs this room in a browser (`script/engine` builds it for Pyodide). `messages` takes
what the client asks, `local_game` plays, `answers` describes. A game is folded by `events.model`,
so events, views, hashes and results are those of the service. The room reads no clock and has no
random generator without a seed: each message brings the time and the seed that it needs.
"""
