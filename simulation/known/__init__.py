"""Past faults of the product as patches of today's code: the simulator must find each of them."""
