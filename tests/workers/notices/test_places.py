"""A host that hangs has one place; what answers has many, and no endpoint more than two."""

from __future__ import annotations

from cartulary.workers.notices.places import (
    BUSY_MS,
    NEW_MS,
    OF_A_NEW_HOST,
    OF_ONE_ENDPOINT,
    OF_ONE_HOST,
    SILENT_MS,
    Places,
)


def fill(places: Places, host: str, most: int = 1000) -> int:
    """Begin deliveries to as many endpoints of a host as have a place; return their number."""
    for number in range(most):
        endpoint = f"{host} {number}"
        if not (places.take(endpoint) and places.enter(endpoint, host)):
            return number
    return most


def answer(places: Places, host: str, accepted: bool | None) -> None:
    assert places.take("one")
    assert places.enter("one", host)
    places.leave(host, accepted)
    places.free("one")


def test_an_endpoint_has_two_places_and_gets_them_back() -> None:
    places = Places()
    assert [places.take("a") for _ in range(3)] == [True] * OF_ONE_ENDPOINT + [False]
    assert places.take("b")
    places.free("a")
    assert places.take("a")


def test_a_host_that_is_not_known_has_a_few_places_however_many_endpoints_it_has() -> None:
    places = Places()
    assert fill(places, "new") == OF_A_NEW_HOST
    assert places.find_pause_ms("new 0") == NEW_MS


def test_each_message_that_it_takes_earns_a_host_a_place_up_to_a_bound() -> None:
    places = Places()
    answer(places, "quick", True)
    assert fill(places, "quick") == OF_A_NEW_HOST + 1
    places = Places()
    for _ in range(2 * OF_ONE_HOST):
        answer(places, "quick", True)
    assert fill(places, "quick") == OF_ONE_HOST


def test_a_host_that_refuses_all_earns_no_place() -> None:
    places = Places()
    for _ in range(20):
        answer(places, "gone", False)
    assert places.find_pause_ms("one") == NEW_MS
    assert fill(places, "gone") == OF_A_NEW_HOST


def test_a_host_that_did_not_answer_has_one_place_until_it_answers() -> None:
    places = Places()
    answer(places, "slow", None)
    assert places.find_pause_ms("one") == SILENT_MS
    assert fill(places, "slow") == 1
    places.leave("slow", True)
    assert places.find_pause_ms("one") == BUSY_MS
    assert fill(places, "slow") >= 1


def test_a_busy_host_takes_no_place_of_another() -> None:
    places = Places()
    fill(places, "slow")
    assert not places.take("slow 0")
    assert fill(places, "other") == OF_A_NEW_HOST
