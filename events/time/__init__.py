"""What measures time: the calendar of outages and vacations."""
