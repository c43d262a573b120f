"""The scenes by name: what real processes do in them, and the model that has to accept it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from simulation.specification.model import Model, ModelStep
from tests.simulation.specification.archives import Archives
from tests.simulation.specification.creations import Creations
from tests.simulation.specification.flags import Flags
from tests.simulation.specification.moves import Moves
from tests.simulation.specification.replicas import Replicas
from tests.simulation.specification.takebacks import TakebackScene


class Scene(Protocol):
    """A run of real processes on a real server."""

    def run(self) -> list[ModelStep]:
        """Run, and return the steps."""

    def make_model(self) -> Model[Any]:
        """Return the model that has to accept them."""


SCENES: Mapping[str, Callable[[str, int], Scene]] = {
    "moves": Moves,
    "archives": Archives,
    "takebacks": TakebackScene,
    "flags": Flags,
    "creations": Creations,
    "replicas": Replicas,
}
