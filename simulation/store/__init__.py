"""A model of Valkey: what this project relies on, without a clock, a thread or a socket.

The type of an answer is `StoreReply`, that of a refusal `StoreRefusal`: other rooms have a `Reply`.
"""
