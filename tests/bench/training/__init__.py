"""What a leaf learns from games."""
