"""What needs the consent of others."""
