"""What holds on one server holds on a cluster."""
