"""`cartulary bot run`: a bot of others plays at the tables of a service.

`runner` listens to the inbox and sits down, `table` plays one game, `mind` thinks in a thread of
its own, `client` has the calls that only bots need.
"""
