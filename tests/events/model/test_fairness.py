"""The derivation of fair draws: against vectors that other programs computed, and its statistics.

The hexadecimal vectors come from `openssl dgst -sha256 -mac HMAC`. The statistical tests have fixed
seeds, so they give the same answer every time; the bounds are the 99.9 % quantiles of chi-square.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

import pytest

from cartulary.engine.carcassonne.tiles import BAG, LETTERS
from cartulary.engine.caylus.buildings import NEUTRAL_IDS
from cartulary.engine.chance import Chance
from cartulary.engine.errors import ChanceError
from cartulary.events.model.fairness import (
    DerivedSource,
    commit,
    count_setup,
    derive_bot_seed,
    derive_index,
    derive_seed,
)
from cartulary.games import GAMES

SECRET = bytes(range(32))
ENTROPIES = ("alpha_entropy-0001", "", "beta_entropy-000002")
SEED = bytes.fromhex("628d07c17749cc7c04b833a10b765a94bfdd02cb036784eb6c2751d35b0080cc")
FIRST = (0x4F52FE93675B33BB, 0x524A1F81777F3A87, 0x1B3F4E6EB1F9ED2D, 0x5F68CB7A6190E960)
"""The first 8 bytes for the draws 0 to 3 of `SEED`, attempt 0."""


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC as RFC 2104 writes it, for keys of at most 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def test_commitment_is_the_hash_of_the_secret() -> None:
    assert commit(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_seed_follows_from_the_secret_and_the_entropies_of_all_seats() -> None:
    assert derive_seed(SECRET, ENTROPIES) == SEED
    alone = "01da5ed1d00cf0387f6b6da54279b34a37770dd2c29cb899e393b7bc5638ab36"
    assert derive_seed(SECRET, [""]).hex() == alone
    assert derive_seed(SECRET, ["", ""]).hex() != alone


@pytest.mark.parametrize("length", [0, 1, 32, 63, 64, 65, 200])
def test_seed_is_the_hmac_of_the_standard_library_for_a_secret_of_any_length(length: int) -> None:
    secret = bytes(range(length))
    message = b"cartulary-fair/1\nalpha_entropy-0001\n\nbeta_entropy-000002"
    assert derive_seed(secret, ENTROPIES) == hmac.digest(secret, message, "sha256")


def test_bot_seed_has_sixteen_hex_digits_of_position_and_seat() -> None:
    assert derive_bot_seed(SEED, 17, 2) == "53ab25bd398ac2e3"


@pytest.mark.parametrize("outcomes", [1, 2, 3, 6, 71, 1000])
def test_index_is_the_remainder_of_the_first_eight_bytes(outcomes: int) -> None:
    found = [derive_index(SEED, number, outcomes) for number in range(4)]
    assert found == [value % outcomes for value in FIRST]


def test_value_at_or_above_the_largest_multiple_is_drawn_again() -> None:
    outcomes = 2**63 + 1  # nearly half of all values are too large
    again = 0
    for number in range(50):
        attempt = 0
        while True:
            message = f"{number}:{attempt}".encode()
            value = int.from_bytes(hmac_sha256(SEED, message)[:8], "big")
            if value < outcomes:
                break
            attempt += 1
        again += attempt > 0
        assert derive_index(SEED, number, outcomes) == value
    assert 15 < again < 35


def test_tile_is_indexed_in_the_bag_in_ascending_order() -> None:
    source = DerivedSource(SEED)
    question = Chance("tile", ("C", "A", "B"), (1, 2, 3))
    bag = "AABBBC"
    assert [source.draw(question) for _ in range(4)] == [bag[value % 6] for value in FIRST]
    assert source.number == 4


def test_tile_that_is_used_up_is_never_drawn() -> None:
    source = DerivedSource(SEED)
    question = Chance("tile", ("A", "B", "C"), (0, 1, 0))
    assert {source.draw(question) for _ in range(20)} == {"B"}


def test_empty_bag_is_refused() -> None:
    with pytest.raises(ChanceError, match="nothing is left"):
        DerivedSource(SEED).draw(Chance("tile", ("A",), (0,)))


def test_shuffle_takes_elements_out_and_the_last_takes_a_number_too() -> None:
    source = DerivedSource(SEED)
    left = ["a", "b", "c", "d"]
    expected = [left.pop(value % len(left)) for value in FIRST]
    assert source.sample("abcd", 4) == expected
    assert source.number == 4


def test_part_of_a_population_is_not_shuffled() -> None:
    with pytest.raises(ValueError, match="whole population"):
        DerivedSource(SEED).sample("abcd", 2)


def test_source_goes_on_where_another_ended() -> None:
    whole, first = DerivedSource(SEED), DerivedSource(SEED)
    question = Chance("tile", LETTERS, BAG)
    expected = [whole.draw(question) for _ in range(6)]
    begun = [first.draw(question) for _ in range(4)]
    rest = DerivedSource(SEED, first.number)
    assert begun + [rest.draw(question) for _ in range(2)] == expected


@pytest.mark.parametrize("seats", [2, 5])
def test_setup_of_caylus_takes_a_number_for_each_seat_and_building(seats: int) -> None:
    rules = GAMES["caylus"]
    options = rules.check(seats, {})
    assert count_setup(rules, seats, options) == seats + 6
    source = DerivedSource(SEED)
    setup = rules.draw_setup(seats, options, source)
    assert source.number == seats + 6
    assert sorted(setup["turn_order"]) == list(range(seats))


def test_setup_of_carcassonne_takes_no_number() -> None:
    assert count_setup(GAMES["carcassonne"], 3, {}) == 0


def test_natural_order_of_the_buildings_is_that_of_the_move_contract() -> None:
    names = ["carpenter", "farm", "forest", "sawmill", "quarry", "marketplace"]
    assert tuple(f"neutral_{name}" for name in names) == NEUTRAL_IDS


# -- statistics ---------------------------------------------------------------------------------

GAMES_PLAYED = 6000


def seeds(count: int = GAMES_PLAYED) -> Iterable[bytes]:
    for number in range(count):
        yield derive_seed(hashlib.sha256(str(number).encode()).digest(), [f"entropy-{number:08}"])


def chi_square(counts: Counter[object], expected: dict[object, float]) -> float:
    assert set(counts) <= set(expected)
    return sum((counts[key] - wanted) ** 2 / wanted for key, wanted in expected.items())


def evenly(outcomes: Sequence[object], total: int) -> dict[object, float]:
    return {outcome: total / len(outcomes) for outcome in outcomes}


def test_first_tiles_come_as_often_as_the_bag_holds_them() -> None:
    question = Chance("tile", LETTERS, BAG)
    found: Counter[object] = Counter(DerivedSource(seed).draw(question) for seed in seeds())
    expected: dict[object, float] = {
        letter: GAMES_PLAYED * count / sum(BAG) for letter, count in zip(LETTERS, BAG, strict=True)
    }
    assert chi_square(found, expected) < 49.73  # 23 degrees of freedom


def test_tiles_of_one_game_come_as_often_as_the_bag_holds_them() -> None:
    source, question = DerivedSource(SEED), Chance("tile", LETTERS, BAG)
    found: Counter[object] = Counter(source.draw(question) for _ in range(GAMES_PLAYED))
    expected: dict[object, float] = {
        letter: GAMES_PLAYED * count / sum(BAG) for letter, count in zip(LETTERS, BAG, strict=True)
    }
    assert chi_square(found, expected) < 49.73


@pytest.mark.slow
def test_every_turn_order_of_four_seats_is_as_likely_as_the_others() -> None:
    rules, orders = GAMES["caylus"], list(permutations(range(4)))
    options = rules.check(4, {})
    found: Counter[object] = Counter(
        tuple(rules.draw_setup(4, options, DerivedSource(seed))["turn_order"]) for seed in seeds()
    )
    assert chi_square(found, evenly(orders, GAMES_PLAYED)) < 49.73


@pytest.mark.slow
def test_every_building_is_as_likely_in_every_place() -> None:
    rules = GAMES["caylus"]
    options = rules.check(2, {})
    found: Counter[object] = Counter()
    for seed in seeds():
        found.update(enumerate(rules.draw_setup(2, options, DerivedSource(seed))["neutrals"]))
    places = [(place, building) for place in range(6) for building in NEUTRAL_IDS]
    assert chi_square(found, evenly(places, 6 * GAMES_PLAYED)) < 52.62  # 25 degrees of freedom


def test_every_seating_of_three_is_as_likely_as_the_others() -> None:
    found: Counter[object] = Counter(
        tuple(DerivedSource(seed).sample(range(3), 3)) for seed in seeds()
    )
    assert chi_square(found, evenly(list(permutations(range(3))), GAMES_PLAYED)) < 20.52


@pytest.mark.slow
def test_seating_and_turn_order_of_a_game_are_independent() -> None:
    found: Counter[object] = Counter()
    for seed in seeds():
        source = DerivedSource(seed)
        found[source.sample(range(2), 2)[0], source.sample(range(2), 2)[0]] += 1
    pairs = [(first, second) for first in range(2) for second in range(2)]
    assert chi_square(found, evenly(pairs, GAMES_PLAYED)) < 16.27
