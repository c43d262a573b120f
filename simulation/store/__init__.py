"""A model of Valkey: what this project relies on, without a clock, a thread or a socket."""
