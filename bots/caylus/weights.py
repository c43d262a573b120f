"""What the bots believe: every estimate in one place, in prestige points unless said otherwise.

The numbers are estimates, tuned by playing; what the rules say is taken from `engine.caylus`.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """The beliefs of a bot; the defaults are those of `medium`."""

    cubes: tuple[tuple[float, ...], ...] = (
        (1.8, 1.6, 1.3, 1.0, 0.8, 0.5),
        (2.0, 1.8, 1.5, 1.1, 0.8, 0.5),
        (2.2, 2.1, 1.8, 1.4, 1.2, 0.8),
        (2.3, 2.1, 1.8, 1.3, 1.0, 0.6),
        (4.3, 3.9, 3.4, 3.0, 2.8, 2.5),
    )
    """What the first, second, … cube is worth while there is time, by kind: food, wood, stone,
    cloth, gold; the last holds on."""

    deniers: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
    """The same of the first, second, … denier after the income of the next round."""

    goods_half_time: float = 1.0
    """With this many rounds to come, goods are half way between that and what the end pays."""

    pace: float = 1.4
    """Steps of the bailiff in a round."""

    favour: tuple[float, ...] = (3.2, 4.2, 5.0)
    """A royal favour, by the number of sections scored."""

    marker: tuple[float, ...] = (0.10, 0.08, 0.12, 0.20)
    """A step of the marker on each line, for every round to come."""

    favours_of_houses: tuple[tuple[float, ...], ...] = (
        (0.0, 0.7, 1.2, 1.3, 1.4),
        (0.0, 0.7, 1.2, 2.1, 2.6, 3.1),
        (0.0, 0.5, 1.1, 1.5, 2.1, 2.5, 3.0),
    )
    """Favours that houses in a section are good for, by section and houses; half way counts."""

    ready: float = 1.2
    """Holding the cubes of a whole batch, gold aside."""

    distant: float = 0.25
    """How much each round until a section is scored takes from the fear of no house in it."""

    most_batches: float = 0.7
    """Chance of the favour for most batches, shared by all in the castle."""

    craft: tuple[tuple[str, float], ...] = (
        ("wood_farm_food", 0.59),
        ("wood_farm_cloth", 0.67),
        ("wood_sawmill", 0.59),
        ("wood_quarry", 0.76),
        ("wood_marketplace", 0.59),
        ("wood_peddler", 0.59),
        ("mason", 0.92),
        ("lawyer", 0.76),
        ("stone_farm", 0.92),
        ("park", 0.92),
        ("workshop", 1.01),
        ("church", 0.67),
        ("tailor", 0.67),
        ("bank", 0.76),
        ("alchemist", 0.67),
        ("architect_1", 0.84),
        ("architect_2", 0.67),
        ("jeweller", 0.59),
    )
    """Owning a craft building, by its id and for every round to come: it is cheap to use, and
    others pay points."""

    income: float = 0.7
    """A denier of income, for every round to come."""

    site: float = 2.2
    """A residence on which a prestige building may still be built."""

    earlier: float = 0.35
    """Each place further to the front in the turn order."""

    inn_guest: float = 0.4
    """The right circle of the inn, with the worker that it ties down."""

    sure: int = 6
    """From this number of spaces before the provost on, a worker is certain to be activated."""

    activated: tuple[float, ...] = (1.0, 0.96, 0.93, 0.9, 0.85, 0.79, 0.71, 0.55, 0.45, 0.35)
    """Chance of that at `sure`, `sure` - 1, … spaces before the provost; none beyond the last."""

    active_worker: float = 1.6
    """The value of a worker that the provost reaches, for a quick decision about the provost."""

    craftsman: float = 2.5
    """Using a carpenter, mason, lawyer or architect through the gate, in a hurry."""

    rivalry: float = 0.2
    """A point that the others have on average, against a point of the seat's own."""


MEDIUM: Final = Weights()
"""What `medium` believes, and every seat in the imagination of the searches."""

LEAD: Final[float] = 1.0
"""A point that the others have on average, against a point of the seat's own, for the searches."""

SWING: Final[float] = 3.2
"""A lead of so many points wins 73 % of games with one round to come; with more rounds to come it
takes their square root more."""

DOUBT: Final[float] = 4.0
"""The standard error of the margin that a single position played out has."""


class TreeWeights(NamedTuple):
    """How a tree divides its iterations, in points where nothing else is said."""

    spread: float = 2.0
    """Less of greedy's promise that makes a move about a third as interesting."""

    curiosity: float = 10.0
    """How much worse the move that greedy likes best may seem, and the tree still tries it."""

    promises: float = 1.0
    """The number of iterations that a promise of greedy counts for."""

    rough: float = 1.0
    """By how much the seats misjudge a move at most when an iteration goes on beyond the tree."""

    tried: float = 0.3
    """A move may be chosen that had this share of the iterations of the move tried most."""


TREE: Final = TreeWeights()
"""Those of `expert`."""
