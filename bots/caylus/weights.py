"""What greedy believes: every estimate in one place, in prestige points unless said otherwise.

The numbers are estimates, tuned by playing; what the rules say is taken from `engine.caylus`.
"""

from __future__ import annotations

from typing import Final

CUBES: Final = {
    "food": (1.8, 1.6, 1.3, 1.0, 0.8, 0.5),
    "wood": (2.0, 1.8, 1.5, 1.1, 0.8, 0.5),
    "stone": (2.2, 2.1, 1.8, 1.4, 1.2, 0.8),
    "cloth": (2.3, 2.1, 1.8, 1.3, 1.0, 0.6),
    "gold": (4.3, 3.9, 3.4, 3.0, 2.8, 2.5),
}
"""What the first, second, … cube of a kind is worth while there is time; the last holds on."""

DENIERS: Final = (1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
"""The same of the first, second, … denier after the income of the next round."""

GOODS_HALF_TIME: Final = 1.0
"""With this many rounds to come, goods are half way between that and what the end pays."""

PACE: Final = 1.4
"""Steps of the bailiff in a round."""

FAVOUR: Final = (3.2, 4.2, 5.0)
"""A royal favour, by the number of sections scored."""

MARKER: Final = (0.10, 0.08, 0.12, 0.20)
"""A step of the marker on each line, for every round to come."""

FAVOURS_OF_HOUSES: Final = (
    (0.0, 0.7, 1.2, 1.3, 1.4),
    (0.0, 0.7, 1.2, 2.1, 2.6, 3.1),
    (0.0, 0.5, 1.1, 1.5, 2.1, 2.5, 3.0),
)
"""Favours that houses in a section are good for, by section and houses; halfway there counts."""

READY: Final = 1.2
"""Holding the cubes of a whole batch, gold aside."""

DISTANT: Final = 0.25
"""How much each round until a section is scored takes from the fear of having no house in it."""

MOST_BATCHES: Final = 0.7
"""Chance of the favour for most batches, shared by all in the castle."""

CRAFT: Final = {
    "wood_farm_food": 0.59,
    "wood_farm_cloth": 0.67,
    "wood_sawmill": 0.59,
    "wood_quarry": 0.76,
    "wood_marketplace": 0.59,
    "wood_peddler": 0.59,
    "mason": 0.92,
    "lawyer": 0.76,
    "stone_farm": 0.92,
    "park": 0.92,
    "workshop": 1.01,
    "church": 0.67,
    "tailor": 0.67,
    "bank": 0.76,
    "alchemist": 0.67,
    "architect_1": 0.84,
    "architect_2": 0.67,
    "jeweller": 0.59,
}
"""Owning a craft building, for every round to come: it is cheap to use, others pay points."""

INCOME: Final = 0.7
"""A denier of income, for every round to come."""

SITE: Final = 2.2
"""A residence on which a prestige building may still be built."""

EARLIER: Final = 0.35
"""Each place further to the front in the turn order."""

INN_GUEST: Final = 0.4
"""The right circle of the inn, with the worker that it ties down."""

SURE: Final = 6
"""So many spaces before the provost, a worker is certain to be activated."""

ACTIVATED: Final = (1.0, 0.96, 0.93, 0.9, 0.85, 0.79, 0.71, 0.55, 0.45, 0.35)
"""Chance of that at `SURE`, `SURE` - 1, … spaces before the provost; none beyond the last."""

ACTIVE_WORKER: Final = 1.6
"""The value of a worker that the provost reaches, for a quick decision about the provost."""

CRAFTSMAN: Final = 2.5
"""Using a carpenter, mason, lawyer or architect through the gate, in a hurry."""

RIVALRY: Final = 0.2
"""A point that the others have on average, against a point of one's own."""
