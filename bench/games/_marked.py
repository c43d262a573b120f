"""Tables that a bench writes into a page, between two marks."""

from __future__ import annotations

from pathlib import Path


def write_between(page: Path, begin: str, end: str, text: str) -> None:
    """Put a text between its marks in a page; raises `ValueError` when they are missing."""
    before, _, rest = page.read_text("utf-8").partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        raise ValueError(f"{page} has no place for the table: {begin} … {end}")
    page.write_text(f"{before}{begin}\n{text}{end}{after}", encoding="utf-8")
