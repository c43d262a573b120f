"""The notifier: from intents to deliveries, and from deliveries to endpoints, in one event loop.

`python -m cartulary.workers.notices.notifier` runs it; several may run. Nothing here reads a table
or writes an event: a notice that is late, doubled or lost changes no game. The exception are
webhook bots (`bot_turns`, `bot_moves`): they are asked here, and their answers become commands.
"""
