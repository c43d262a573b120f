"""Every text of a language with a picture of its place: `python -m tests.browser.wordbook`."""
