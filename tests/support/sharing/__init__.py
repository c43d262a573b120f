"""What all tests of a process share, so that each test costs less."""
