"""Learning from games: what a bot believes of positions is fitted to how games end."""
