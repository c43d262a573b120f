"""What bots accept, who is connected, and what becomes of an invitation."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.outside_bots.accepts import Accepts
from cartulary.events.outside_bots.accounts import OutsideBot
from cartulary.events.people.players import Player
from cartulary.events.ratings.stored import write_standing
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.ratings.scale import Standing, place_level
from cartulary.service.api.bots.directory import LOOKS
from tests.service.api.bots.conftest import Connect, MakeBot, invite, sit_down
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem

ALL = {
    "games": None,
    "seats": [2, 3, 4, 5],
    "paces": ["live", "correspondence", "untimed"],
    "parallel": 4,
    "from": "anyone",
}


def say(bot: Caller, **accepts: Any) -> dict[str, Any]:
    answer = bot.put("/players/me/bot", {"accepts": accepts})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json["accepts"]
    return told


def test_a_bot_says_what_it_accepts_and_accepts_everything_until_then(bot: Caller) -> None:
    assert bot.get("/players/me/bot").json["accepts"] == ALL
    wish = {"games": ["caylus"], "seats": [2, 3], "paces": ["live"], "parallel": 2, "from": "owner"}
    assert say(bot, **wish) == wish
    assert bot.get("/players/me/bot").json["accepts"] == wish
    assert say(bot, games=None) == ALL


@pytest.mark.parametrize(
    ("accepts", "pointer"),
    [
        ({"games": ["chess"]}, "/accepts/games"),
        ({"games": []}, "/accepts/games"),
        ({"seats": [6]}, "/accepts/seats/0"),
        ({"seats": [2, 2]}, "/accepts/seats"),
        ({"paces": ["slow"]}, "/accepts/paces/0"),
        ({"parallel": 0}, "/accepts/parallel"),
        ({"from": "friends"}, "/accepts/from"),
        ({"more": 1}, "/accepts/more"),
    ],
)
def test_what_no_bot_can_accept_is_refused(bot: Caller, accepts: Any, pointer: str) -> None:
    answer = bot.put("/players/me/bot", {"accepts": accepts})
    assert pointers(problem(answer, 422, "invalid")) == [pointer]
    assert bot.get("/players/me/bot").json["accepts"] == ALL


def test_a_person_is_no_bot(ada: Caller) -> None:
    problem(ada.get("/players/me/bot"), 404, "not_found")
    problem(ada.put("/players/me/bot", {"accepts": {}}), 404, "not_found")


def test_a_bot_is_listed_while_the_stream_of_its_inbox_is_open(ada: Caller, bot: Caller) -> None:
    assert ada.get("/bots").json == {"bots": [], "next_cursor": None}
    stream = bot.get("/players/me/inbox/stream")
    assert stream.status_code == 200
    (listed,) = ada.get("/bots?online=true").json["bots"]
    assert (listed["id"], listed["online"]) == (bot.id, True)
    stream.close()
    assert ada.get("/bots").json["bots"] == []


def test_many_streams_and_the_stream_of_many_games_keep_a_bot_connected(
    ada: Caller, bot: Caller
) -> None:
    first = bot.get("/players/me/inbox/stream")
    second = bot.get("/streams?inbox=true")
    first.close()
    assert len(ada.get("/bots").json["bots"]) == 1
    second.close()
    assert ada.get("/bots").json["bots"] == []


def test_a_note_of_a_process_that_was_killed_does_not_keep_a_bot_connected(
    ada: Caller, bot: Caller, store: Store
) -> None:
    store.registry.zadd(keys.bot_connections(), {f"{bot.id}:1:nonce": 0})
    assert ada.get("/bots").json["bots"] == []
    assert store.registry.zcard(keys.bot_connections()) == 0


def test_a_page_of_bots_costs_what_stands_on_it_however_many_are_connected(
    bob: Caller, ada: Caller, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        bot = Player(f"B{number:02}", f"Bot {number}", "", "bot", ada.id)
        record: dict[Any, Any] = bot._asdict()
        store.registry.hset(keys.player(bot.id), mapping=record)
        store.connected_bots.note_webhook(bot.id)
    store.connected_bots.hold("B07")
    read: list[str] = []
    read_many = store.own_bots.read_many

    def count(bot_ids: list[str]) -> list[OutsideBot]:
        read.extend(bot_ids)
        return read_many(bot_ids)

    monkeypatch.setattr(store.own_bots, "read_many", count)
    names, cursor = [], ""
    while cursor is not None:
        read.clear()
        page = bob.get(f"/bots?limit=10&cursor={cursor}").json
        assert len(read) <= 11
        names += [one["id"] for one in page["bots"]]
        cursor = page["next_cursor"]
    assert names == [f"B{number:02}" for number in range(40)]
    # Bots that accept other games, or their owner only, cost a bounded number of looks as well.
    for number in range(40):
        store.acceptance.write(f"B{number:02}", Accepts(origin="owner"))
    read.clear()
    page = bob.get("/bots?limit=5").json
    assert (page["bots"], len(read)) == ([], LOOKS * 6)
    assert page["next_cursor"] == "B23"


def test_the_list_goes_by_the_game_and_shows_bots_of_the_owner_to_the_owner_only(
    ada: Caller, bob: Caller, visitor: Caller, make_bot: MakeBot, connect: Connect
) -> None:
    builder, mine = make_bot("builder"), make_bot("mine")
    for one in (builder, mine):
        connect(one)
    say(builder, games=["caylus"])
    say(mine, **{"from": "owner"})

    def list_names(caller: Caller, query: str = "") -> list[str]:
        return [one["name"] for one in caller.get(f"/bots{query}").json["bots"]]

    assert list_names(ada) == ["builder", "mine"]
    assert list_names(bob) == list_names(visitor) == ["builder"]
    assert list_names(ada, "?game=carcassonne") == ["mine"]
    page = ada.get("/bots?limit=1").json
    rest = ada.get(f"/bots?limit=1&cursor={page['next_cursor']}").json
    assert [one["bots"][0]["name"] for one in (page, rest)] == ["builder", "mine"]
    assert rest["next_cursor"] is None
    problem(ada.get("/bots?online=false"), 422, "invalid")


def test_a_bot_with_enough_rated_games_has_a_strength_on_the_scale_of_the_levels(
    ada: Caller, bot: Caller, connect: Connect, store: Store
) -> None:
    connect(bot)

    def learn(bucket: str, standing: Standing) -> None:
        key = keys.ratings("standings", f"bots:{bucket}")
        store.registry.hset(key, bot.id, write_standing(standing))

    def read_strength(query: str = "") -> int | None:
        (listed,) = ada.get(f"/bots{query}").json["bots"]
        strength: int | None = listed["strength"]
        return strength

    learn("caylus:2", Standing(30.0, 6.0, 7))
    assert read_strength() is None
    learn("caylus:2", Standing(30.0, 3.0, 8))
    learn("caylus:many", Standing(20.0, 3.0, 20))
    learn("carcassonne:2", Standing(35.0, 3.0, 12))
    few, most = read_strength("?game=carcassonne"), read_strength("?game=caylus")
    assert few is not None
    assert most is not None
    assert place_level(few) == pytest.approx(35.0, abs=0.02)
    assert place_level(most) == pytest.approx(20.0, abs=0.02)
    assert read_strength() == most
    assert ada.get("/players/me/bots").json["bots"][0]["strength"] == most


def test_the_pace_of_a_bot_is_its_median_turn_null_until_it_is_measured(
    ada: Caller, make_bot: MakeBot, connect: Connect, store: Store
) -> None:
    slow, new = make_bot("slow"), make_bot("new")
    for one in (slow, new):
        connect(one)
    counted: dict[Any, Any] = {"g": 1, "f": 1, "t:4": 1, "t:12": 3}
    store.registry.hset(keys.reliability(slow.id), mapping=counted)
    paces = {one["id"]: one["pace"] for one in ada.get("/bots").json["bots"]}
    measured = ada.get(f"/players/{slow.id}").json["reliability"]["median_turn_s"]
    assert measured > 1
    assert paces == {slow.id: measured * 1000, new.id: None}
    assert {one["pace"] for one in ada.get("/players/me/bots").json["bots"]} == {*paces.values()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accepts", "more", "reason"),
    [
        ({"games": ["caylus"]}, {}, "game"),
        ({"seats": [3]}, {}, "seats"),
        ({"paces": ["live"]}, {}, "pace"),
        (
            {"paces": ["untimed", "live"]},
            {"pace": {"mode": "correspondence", "delay": 86400, "bank": 0}},
            "pace",
        ),
        ({"from": "owner"}, {}, "not_now"),
    ],
)
def test_an_invitation_that_does_not_fit_is_declined_with_the_reason(
    bob: Caller, bot: Caller, connect: Connect, store: Store, accepts: Any, more: Any, reason: str
) -> None:
    connect(bot)
    say(bot, **accepts)
    game = invite(bob, bot, **more)
    events = bob.get(f"/games/{game['id']}/events").json["events"]
    assert [one["type"] for one in events[-2:]] == ["seat_offered", "seat_declined"]
    assert events[-1]["reason"] == reason
    assert game["seats"][1]["state"] == "open"
    store.list_updater.follow(store.projector.table(game["id"]))
    assert bot.get("/players/me/inbox").json["items"] == []
    assert bob.get(f"/games/{game['id']}/verification").json["valid"]


def test_a_bot_that_is_not_connected_declines_and_one_that_is_gets_the_invitation(
    ada: Caller, bob: Caller, bot: Caller, connect: Connect, store: Store
) -> None:
    game = invite(bob, bot)
    path = f"/games/{game['id']}"
    assert bob.get(f"{path}/events").json["events"][-1]["reason"] == "not_now"
    connect(bot)
    wish = {"kind": "invite", "player": bot.id}
    assert bob.put(f"{path}/seats/1", wish).status_code == 200
    assert bob.get(path).json["seats"][1]["state"] == "offered"
    store.list_updater.follow(store.projector.table(game["id"]))
    (item,) = bot.get("/players/me/inbox").json["items"]
    assert (item["type"], item["data"]["seat"]) == ("seat_offered", 1)
    say(bot, **{"from": "owner"})
    assert invite(ada, bot)["seats"][1]["state"] == "offered"


def test_a_bot_may_accept_its_owner_and_whom_the_owner_follows(
    ada: Caller, bob: Caller, visitor: Caller, bot: Caller, connect: Connect
) -> None:
    connect(bot)
    say(bot, **{"from": "follows"})
    assert bob.get("/bots").json["bots"] == visitor.get("/bots").json["bots"] == []
    assert invite(bob, bot)["seats"][1]["state"] == "open"
    assert ada.put(f"/players/me/follows/{bob.id}").status_code == 204
    assert [one["id"] for one in bob.get("/bots").json["bots"]] == [bot.id]
    assert invite(bob, bot)["seats"][1]["state"] == "offered"
    assert invite(ada, bot)["seats"][1]["state"] == "offered"


def test_a_bot_that_plays_enough_games_is_busy(bob: Caller, bot: Caller, connect: Connect) -> None:
    connect(bot)
    say(bot, parallel=1)
    sit_down(bob, bot)
    events = bob.get(f"/games/{invite(bob, bot)['id']}/events").json["events"]
    assert events[-1]["reason"] == "busy"


def test_a_bot_is_not_busy_with_a_game_that_never_came_about(
    bob: Caller, bot: Caller, connect: Connect, store: Store
) -> None:
    """Else no player could invite it again: it takes no place by which the reservation would go."""
    connect(bot)
    say(bot, parallel=1)
    store.registry.zadd(keys.quota(bot.id, "seats"), {"reserved": 1})
    assert invite(bob, bot)["seats"][1]["state"] == "offered"
