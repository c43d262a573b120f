"""Traces: what a move leads to, from its request to the bot's answer, as one tree.

`spans` is what the code calls, and does nothing until a process starts it; `starting` starts
it, and `exporter` is the one module that knows OpenTelemetry (extra `otel`). `log_form` is the form
of a line of the log.
"""
