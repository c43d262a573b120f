"""The client in a real Chromium: visits, moves, frames."""
