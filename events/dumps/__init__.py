"""Open data: the public games of a month as files, if all their people have said yes.

`consent` asks, `choosing` lists the games, `lines` and `decisions` describe one, `writing` makes
the files of a month, `published` reads what an operator has published. Changes nothing in a
store.
"""
