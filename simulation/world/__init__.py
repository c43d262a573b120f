"""Virtual time, randomness, logical processes and the network between them."""
