"""Real web processes: limits, logs, metrics, certificates, their end."""
