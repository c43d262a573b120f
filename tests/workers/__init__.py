"""The dispatcher, the jobs and the processes that run them."""
