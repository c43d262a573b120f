"""What the tests of several rooms use. Imports no other folder of the tests."""
