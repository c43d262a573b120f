"""What happens to a running game besides its moves."""
