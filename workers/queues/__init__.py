"""Games that wait for a worker: lines, queues, and how many games are in them."""
