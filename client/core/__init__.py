"""What the client decides, without a socket and without a clock: requests, answers, retries."""
