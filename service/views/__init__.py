"""The resources, one blueprint each. Views read the request, call the ledger and answer."""
