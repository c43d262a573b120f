"""One module for each version of the tables; a module never changes after its release."""
