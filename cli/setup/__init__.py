"""`cartulary setup`: the service as one box has it, with user, folders, units and a nightly backup.

`layout.py` has everything that is made, as a table of pieces; `units.py` the units of systemd. A
piece says what is missing or differs, makes itself and removes itself. Only `machine.py` changes
anything outside this process, and whatever it changes may be done again.
"""
