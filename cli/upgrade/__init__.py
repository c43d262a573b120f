"""`cartulary upgrade`: what an upgrade will do, tried on a copy before it is done."""
