"""Programs of others next to people: what their bots cost the people at the other tables."""
