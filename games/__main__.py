"""Prints the tiers of each game on offer: `python -m cartulary.games`."""

from __future__ import annotations

from cartulary.games import OFFERS
from cartulary.games.offer import Tier

for name, offer in OFFERS.items():
    for tier in Tier:
        missing = ", ".join(offer.list_missing(tier))
        print(f"{name}: {tier}" if not missing else f"{name}: not {tier}, lacks {missing}")
