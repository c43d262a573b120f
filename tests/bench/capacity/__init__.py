"""What the benches of games measure: levels, luck, reliability."""
