"""Bots of others: functions of a module and engines that speak the line protocol.

`spelling` reads their names, `bots` opens them, `seats` says what a bot at a table does.
`functions` and `engines` are the two kinds; `process` runs a program within bounds of time and
memory, `lines` and `protocol` read what it writes. Whatever such a bot does wrong is a `BotFault`.
"""
