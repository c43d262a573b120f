"""The client in a real Chromium, on a real `cartulary serve`."""
