"""The model of the store answers as a real server does, and fails as the simulator says."""
