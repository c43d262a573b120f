"""What the features on the table are worth, against the slow oracle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.core import Json
from tests.engine.carcassonne.oracle import Feature, Table, completed_points
from tests.engine.carcassonne.test_invariants import few, random_game, shapes


def nodes_of(feature: Json) -> frozenset[Any]:
    return frozenset((part["x"], part["y"], part["segment"]) for part in feature["segments"])


def check_worth(said: Json, feature: Feature, table: Table, state: CarcassonneState) -> None:
    """A feature is said to be worth what the oracle pays for it."""
    tiny_city = int(state.options["tiny_city"])
    if feature.kind == "field":
        cities = table.completed_cities(feature)
        assert (said["kind"], said["cities"]) == ("farm", cities)
        assert (said["now"], said["done"]) == (3 * cities, None)
        assert said["beside"] >= cities
        return
    assert (said["kind"], said["open"]) == (feature.kind, feature.open)
    done = 9 if feature.kind == "monastery" else completed_points(feature, tiny_city)
    unfinished = feature.tiles + feature.pennants
    assert said["done"] == done
    assert said["now"] == (unfinished if feature.open else done)
    assert said.get("pennants", 0) == feature.pennants


@few
@given(**shapes)
@pytest.mark.slow
def test_every_feature_is_listed_once_with_its_worth(
    seed: int, seats: int, tiny_city: int, skipping: float
) -> None:
    for number, state in enumerate(random_game(seed, seats, tiny_city, skipping)):
        if number % 20:
            continue  # the oracle is slow
        table = Table(state.view()["board"])
        found = {feature.nodes: feature for feature in table.features()}
        listed = state.list_features()
        assert sorted(map(sorted, map(nodes_of, listed))) == sorted(map(sorted, found))
        for said in listed:
            feature = found[nodes_of(said)]
            check_worth(said, feature, table, state)
            assert said["tiles"] == feature.tiles
            assert said["followers"] == [feature.followers[seat] for seat in range(seats)]


def test_a_farm_names_all_cities_beside_it() -> None:
    """The start tile alone: the field north of the road touches the open city, the other none."""
    state = next(iter(random_game(1, 2, 4, 0.5)))
    farms = [feature for feature in state.list_features() if feature["kind"] == "farm"]
    assert [(farm["cities"], farm["beside"]) for farm in farms] == [(0, 1), (0, 0)]
