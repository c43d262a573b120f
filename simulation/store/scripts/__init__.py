"""The Lua of the server: scripts run unchanged, and see of the world what a server shows them."""
