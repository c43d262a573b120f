"""The arithmetic of clocks and timers, from the times that events record. Nothing here measures."""
