"""The service and its people in a world: who asks, who answers, who works in the background."""
