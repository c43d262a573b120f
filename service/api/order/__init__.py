"""What operators do over HTTP: reports and their answers, players, orders, the log.

Each call needs the scope `operator`, and does what the command of the same name does.
"""
