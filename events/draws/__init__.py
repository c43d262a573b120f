"""The secrets of fair draws. Nothing else knows a secret."""
