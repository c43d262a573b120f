"""The examples of `openapi.yaml`, by operation. The tests send and receive every one of them."""

from __future__ import annotations

from typing import Any

from cartulary.service.openapi import (
    company_examples,
    notice_examples,
    order_examples,
    profile_examples,
    puzzle_examples,
    tournament_examples,
)
from cartulary.service.schemas import study_examples

Examples = dict[str, dict[str, Any]]

_ADA = {
    "id": "01JC0M6E3N8T5Q2V9W4X7Y1Z0A",
    "name": "Ada",
    "kind": "person",
    "created_at": "2026-11-20T10:00:00.000Z",
}
_PREFERENCES = {"takebacks": "ask", "colour": "usual", "visibility": "public", "open_data": "no"}
_OWN = {**_ADA, "preferences": _PREFERENCES, "claimed_at": None, "asks_open_data": False}
_VACATIONS = {
    "vacations": [{"from": "2026-12-20T18:00:00.000Z", "until": "2026-12-27T18:00:00.000Z"}]
}
_PHONE = {
    "id": "5f0c2b7d91ae4468",
    "label": "Phone",
    "scopes": ["read", "play", "account"],
    "created_at": "2026-11-20T10:00:00.000Z",
    "expires_at": None,
    "last_used_at": "2026-11-22",
    "current": True,
}
_PROGRAM = {
    "id": "c81e44d02a6f19b3",
    "label": "Reader",
    "scopes": ["read"],
    "created_at": "2026-11-21T10:00:00.000Z",
    "expires_at": "2026-12-21T10:00:00.000Z",
    "last_used_at": None,
    "current": False,
}
_LAPTOP = {
    "id": "a07d5c19e3b84f26",
    "label": "Laptop",
    "created_at": "2026-11-22T10:00:00.000Z",
    "last_used_at": None,
}
_CREATION = {
    "rp": {"name": "Cartulary", "id": "localhost"},
    "user": {"id": "MDFKQzBNNkUzTjhUNVEyVjlXNFg3WTFaMEE", "name": "Ada", "displayName": "Ada"},
    "challenge": "q3Zb1vXb0n3yT4d6u8Qf2wq3Zb1vXb0n3yT4d6u8Qf2",
    "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
    "timeout": 300_000,
    "excludeCredentials": [],
    "authenticatorSelection": {
        "residentKey": "required",
        "requireResidentKey": True,
        "userVerification": "preferred",
    },
    "attestation": "none",
}
_REQUEST = {
    "challenge": "q3Zb1vXb0n3yT4d6u8Qf2wq3Zb1vXb0n3yT4d6u8Qf2",
    "timeout": 300_000,
    "rpId": "localhost",
    "allowCredentials": [],
    "userVerification": "preferred",
}
_CREDENTIAL = {"id": "0n3yT4d6u8Qf2wq3Zb1vXQ", "type": "public-key"}
_CLIENT_DATA = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoicTNaYjF2WGIifQ"
_MADE = {
    **_CREDENTIAL,
    "response": {"clientDataJSON": _CLIENT_DATA, "attestationObject": "o2NmbXRkbm9uZQ"},
}
_PROOF = {
    **_CREDENTIAL,
    "response": {
        "clientDataJSON": _CLIENT_DATA,
        "authenticatorData": "SZYN5YgOjGh0NBcPZHZgW4",
        "signature": "MEUCIQDq3Zb1vXb0n3yT4d6u8Qf2w",
        "userHandle": "MDFKQzBNNkUzTjhUNVEyVjlXNFg3WTFaMEE",
    },
}
_SEATED = {"id": _ADA["id"], "name": "Ada"}
_ROBO = {
    "id": "01JC0MAB3C5D7E9F1G3H5J7K9M",
    "name": "Robo",
    "kind": "bot",
    "created_at": "2026-11-21T10:00:00.000Z",
    "owner": _SEATED,
    "about": "two turns ahead, written in C",
    "accepts": {
        "games": ["carcassonne"],
        "seats": [2, 3],
        "paces": ["live", "untimed"],
        "parallel": 4,
        "from": "anyone",
    },
    "online": True,
    "strength": None,
    "pace": None,
}
_OTHER = {"id": "01JC0M9J7R1S5T8V0X4Y6Z3A1C", "name": "Bob"}
_GAME_ID = "01JC0M7G5P9R3S6T8V2W4X1Y0B"
_HASH = "9f2c4a7be0d15386c1a94e07d3f8b2650e7a1c9d4f6b83025e8d7a19c0b4f36e"


def _examples(**named: Any) -> Examples:
    return {name: {"value": value} for name, value in named.items()}


def _move(**fields: Any) -> dict[str, Any]:
    return {"move": fields}


_ENTROPY = "q3Zb1vXb0n3yT4d6u8Qf2w"
_SECRET = "4c1d0e6b9a27f358c1d04b7e9f62a583d0c4e1b7a96f2835d7e0c9b1a4f6382e"

_CREATED_SEATS: list[dict[str, Any]] = [
    {"seat": 0, "player": _SEATED, "bot": None},
    {"seat": 1, "player": None, "bot": "medium"},
]
_NO_TIME: dict[str, Any] = {"stand_in": None, "reason": None, "ready": None, "bank": None}
_SEATS = [
    {**_CREATED_SEATS[0], "state": "seated", **_NO_TIME},
    {**_CREATED_SEATS[1], "state": "bot", **_NO_TIME},
]
_OPEN_SEAT = {"seat": 1, "player": None, "bot": None}
_DECISION = {"seat": 0, "kind": "place_tile", "context": {"tile": "V"}}
_SKIPPING = {"kind": "place_follower", "move": {"type": "skip_follower"}, "until": "game"}
_AT = {"x": 1, "y": 0, "rotation": 90}
_PLACE_TILE = {"type": "place_tile", **_AT}
_BELOW = {"type": "place_tile", "x": 0, "y": -1, "rotation": 180}
_BEST = {"type": "place_tile", "x": 0, "y": 2, "rotation": 0}

_CITY = {
    "kind": "city",
    "segments": [{"x": 0, "y": 0, "segment": "c0"}, {"x": 0, "y": -1, "segment": "c0"}],
    "tiles": 2,
    "open": 1,
    "followers": [1, 0],
    "now": 2,
    "done": 4,
    "pennants": 0,
}
_FARM = {
    "kind": "farm",
    "segments": [{"x": 0, "y": 0, "segment": "f0"}, {"x": 1, "y": 0, "segment": "f0"}],
    "tiles": 2,
    "open": 3,
    "followers": [0, 0],
    "now": 3,
    "done": None,
    "cities": 1,
    "beside": 2,
}

_CARCASSONNE_VIEW = {
    "tile": "V",
    "board": [
        {"tile": "D", "x": 0, "y": 0, "rotation": 0, "follower": None},
        {
            "tile": "J",
            "x": -1,
            "y": 0,
            "rotation": 0,
            "follower": {"seat": 0, "segment": "c0"},
        },
    ],
    "discarded": [],
    "remaining": {"A": 2, "B": 4},
    "scores": [0, 0],
    "followers": [6, 7],
}

_CAYLUS_VIEW = {
    "round": 1,
    "phase": "place_workers",
    "turn_order": [2, 0, 1],
    "passed": [2],
    "provost": 6,
    "bailiff": 6,
    "road": [{"space": "road-1", "building": "neutral_farm", "owner": None, "worker": 0}],
    "gate": None,
    "trading_post": 1,
    "merchants_guild": None,
    "joust_field": None,
    "stables": [0],
    "inn": {"left": None, "right": 2},
    "castle": [1],
    "sections": {
        "dungeon": {"houses": [1, 0, 2], "scored": False},
        "walls": {"houses": [0, 0, 0], "scored": False},
        "towers": {"houses": [0, 0, 0], "scored": False},
    },
    "stock": ["wood_farm_food", "mason", "statue"],
    "players": [
        {
            "prestige": 0,
            "deniers": 5,
            "workers": 5,
            "cubes": {"food": 2, "wood": 1, "stone": 0, "cloth": 0, "gold": 0},
            "favours": {"prestige": 0, "deniers": 0, "cubes": 0, "buildings": 0},
        }
    ],
}

_LIVE = {"mode": "live", "delay": 30, "bank": 1_200, "refill": 0}
_DAILY = {
    "mode": "correspondence",
    "delay": 86_400,
    "bank": 259_200,
    "refill": 21_600,
    "vacation": True,
}
_SUMMARY = {
    "id": _GAME_ID,
    "game": "carcassonne",
    "options": {"tiny_city": 4},
    "status": "running",
    "version": 17,
    "visibility": "public",
    "host": _ADA["id"],
    "start": "full",
    "takebacks": "undo",
    "substitutes": False,
    "on_timeout": "claim",
    "pace": None,
    "hints": False,
    "bot_delay": 600,
    "rated": False,
    "ladder": None,
    "seats": _SEATS,
    "decision": _DECISION,
    "proposal": None,
    "takeback": {"seat": 0, "free_to": 2},
    "resting": False,
    "paused_until": None,
    "result": None,
    "rematch_of": None,
    "branched_from": None,
    "tournament": None,
    "created_at": "2026-11-20T10:00:00.000Z",
    "updated_at": "2026-11-20T10:05:00.123Z",
}
_GAME = {**_SUMMARY, "view": _CARCASSONNE_VIEW}
_OPEN_GAME = {
    **_SUMMARY,
    "status": "open",
    "version": 1,
    "seats": [
        _SEATS[0],
        {**_OPEN_SEAT, "state": "open", **_NO_TIME},
    ],
    "decision": None,
    "takeback": None,
    "view": None,
}
_RESULT = {
    "scores": [57, 61],
    "winners": [1],
    "breakdown": [{"seat": 1, "reason": "farm", "points": 9, "detail": {"cities": 3}}],
    "ranks": [2, 1],
    "outcomes": ["finished", "bot"],
    "ended_by": "play",
    "stand_in_moves": [0, 0],
}
_CAYLUS_GAME = {
    **_SUMMARY,
    "game": "caylus",
    "options": {"favours": "table", "edition": "first"},
    "decision": {"seat": 0, "kind": "place_worker", "context": {"price": 3}},
    "view": _CAYLUS_VIEW,
}


def _event(type_: str, version: int, **fields: Any) -> dict[str, Any]:
    at = "2026-11-20T10:05:01.456Z"
    return {"version": version, "type": type_, "at": at, **fields, "prev": _HASH, "hash": _HASH}


_EVENTS = (
    _event(
        "game_created",
        1,
        game="carcassonne",
        options={"tiny_city": 4},
        seats=[_CREATED_SEATS[0], _OPEN_SEAT],
        visibility="public",
        created_by=_ADA["id"],
        shuffle_seats=True,
        takebacks="undo",
        expires_in=7_200,
        pace=_LIVE,
        on_timeout="claim",
        fair={"scheme": "cartulary-fair/1", "commitment": _HASH, "given": 0},
    ),
    _event("seat_taken", 2, seat=1, player=_OTHER, entropy=_ENTROPY),
    _event("seat_left", 3, seat=1, player=_OTHER),
    _event(
        "seat_offered",
        4,
        seat=1,
        player=_OTHER,
        by=_ADA["id"],
        expires_at="2026-11-23T10:05:01.456Z",
    ),
    _event("seat_declined", 5, seat=1, player=_OTHER),
    _event("seat_assigned", 6, seat=1, bot="medium", by=_ADA["id"]),
    _event("seat_opened", 7, seat=1, was={"player": _OTHER}, by=_ADA["id"], reason="removed"),
    _event("seats_dropped", 8, seats=[2, 3], by=_ADA["id"]),
    _event("host_changed", 9, player=_OTHER, by=_ADA["id"]),
    _event("seat_readied", 10, seat=1, ready=True),
    _event(
        "game_started",
        5,
        setup={},
        chance=["V"],
        facts=[{"type": "tile_drawn", "seat": 0, "tile": "V"}],
        rules_version=1,
        state_hash=_HASH,
        seating=[1, 0],
    ),
    _event(
        "move_made",
        18,
        seat=0,
        move=_PLACE_TILE,
        chance=["K"],
        facts=[{"type": "points", "seat": 1, "points": 8, "reason": "city", "tiles": 4}],
        state_hash=_HASH,
        clock={"used": 12_345, "stopped": 0, "bank": 1_200_000},
    ),
    _event("seat_forfeited", 19, seat=1, player=_OTHER, reason="resigned", stand_in="medium"),
    _event("stand_in_seated", 20, seat=1, bot="medium", reason="requested", by=_OTHER["id"]),
    _event("seat_returned", 21, seat=1, player=_OTHER),
    _event(
        "seat_taken_over",
        22,
        seat=1,
        player=_SEATED,
        **{"from": {"player": _OTHER, "reason": "resigned"}},
    ),
    _event(
        "turn_timed_out",
        19,
        seat=1,
        clock={"used": 1_232_000, "stopped": 0, "bank": 0},
        deadline_at="2026-11-20T10:04:59.456Z",
    ),
    _event("time_given", 20, seat=1, by=_ADA["id"], ms=30_000),
    _event("game_paused", 21, until="2026-11-22T10:00:00.000Z", proposal=None, reason="agreed"),
    _event("game_resumed", 22, by=_OTHER["id"], reason="move"),
    _event(
        "proposal_made",
        23,
        seat=0,
        kind="takeback",
        to_version=17,
        moves=[18],
        needs=[1],
        expires_at="2026-11-23T10:05:01.456Z",
    ),
    _event("proposal_answered", 24, proposal=23, seat=1, answer="accept", auto=False),
    _event("proposal_closed", 25, proposal=23, outcome="accepted"),
    _event(
        "moves_taken_back", 26, seat=0, to_version=17, moves=[18], proposal=23, state_hash=_HASH
    ),
    _event("ladder_left", 26, reason="hint"),
    _event("play_ended", 27, reason="forfeits"),
    _event("draws_renewed", 57, commitment=_HASH),
    _event("game_scored", 143, result=_RESULT, secret=_SECRET),
    _event(
        "game_aborted",
        2,
        reason="the host called the game off",
        code="host",
        by=_ADA["id"],
        secret=_SECRET,
    ),
)
EVENTS: dict[str, dict[str, Any]] = {event["type"]: event for event in _EVENTS}
"""An event of every type, by type."""


_UNTIMED_GAME = {
    key: value for key, value in EVENTS["game_created"].items() if key not in ("pace", "on_timeout")
}
_UNTIMED_MOVE = {key: value for key, value in EVENTS["move_made"].items() if key != "clock"}


def _answer(game: dict[str, Any], *types: str | dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a write that has stored these events; a type stands for its example."""
    events = [EVENTS[one] if isinstance(one, str) else one for one in types]
    version = events[-1]["version"]
    return {"version": version, "events": events, "game": {**game, "version": version}}


_TRANSCRIPT = {
    "format": "cartulary/1",
    "game": "carcassonne",
    "options": {"tiny_city": 4},
    "seats": 2,
    "players": ["Ada", "medium"],
    "setup": {},
    "draws": ["E"],
    "moves": [
        {"seat": 0, "move": _BELOW},
        {"seat": 0, "move": {"type": "place_follower", "segment": "c0"}},
    ],
    "result": {"scores": [4, 0], "winners": [0]},
}

_LOCAL_GAME = {
    "id": "local-m2xk7r9d4qhw0z5t8b3n",
    "stored_at": "2026-11-22T10:00:00.000Z",
    "game": "carcassonne",
    "seats": 2,
    "moves": 2,
    "over": True,
}

REQUESTS: dict[str, Examples] = {
    **{name: _examples(**found) for name, found in notice_examples.REQUESTS.items()},
    **{name: _examples(**found) for name, found in company_examples.REQUESTS.items()},
    **{name: _examples(**found) for name, found in tournament_examples.REQUESTS.items()},
    **{name: _examples(**found) for name, found in study_examples.REQUESTS.items()},
    **{name: _examples(**found) for name, found in order_examples.REQUESTS.items()},
    **{name: _examples(**found) for name, found in profile_examples.REQUESTS.items()},
    **{name: _examples(**found) for name, found in puzzle_examples.REQUESTS.items()},
    "send_message": _examples(
        text={"room": "players", "text": "Nice city, @Bob!"},
        phrase={"room": "spectators", "phrase": "good_luck"},
    ),
    "change_note": _examples(plan={"text": "Finish the city in the north first."}),
    "report": _examples(
        message={
            "message": f"{_GAME_ID}.1763632923123-0",
            "reason": "insult",
            "text": "And not for the first time.",
        },
        player={"player": _OTHER["id"], "reason": "name"},
        game={"game": _GAME_ID, "reason": "cheating"},
    ),
    "make_bot": _examples(robo={"name": "Robo", "about": "two turns ahead, written in C"}),
    "change_own_bot": _examples(
        quick={"accepts": {"games": ["carcassonne"], "seats": [2, 3], "paces": ["live"]}}
    ),
    "register_player": _examples(ada={"name": "Ada"}, opens_a_game={"name": "Ada", "commit": True}),
    "mark_inbox_read": _examples(until={"until": "1763805600000-0"}),
    "ask_for_seat": _examples(any={}, second={"seat": 1}),
    "merge_guest": _examples(phone={"token": "vq3Zb1…"}),
    "create_link_code": _examples(nothing={}, client={"origin": "https://play.example"}),
    "create_recovery_codes": _examples(nothing={}),
    "begin_passkey": _examples(nothing={}),
    "begin_session": _examples(nothing={}),
    "add_passkey": _examples(laptop={"passkey": _MADE, "label": "Laptop"}),
    "open_session": _examples(
        by_link={"link_code": "K7PW-93QD", "label": "Phone"},
        by_passkey={"passkey": _PROOF, "label": "Phone"},
        by_recovery={"recovery_code": "K7PW-93QD-2FT0-XM6R-8ZQB"},
    ),
    "issue_token": _examples(
        device={"label": "Phone"},
        reader={"label": "Reader", "scopes": ["read"], "expires_in": 2592000},
    ),
    "change_me": _examples(
        takebacks={"preferences": {"takebacks": "misclick"}}, name={"name": "Ada L."}
    ),
    "change_vacations": _examples(a_week=_VACATIONS),
    "delete_account": _examples(ada={"confirm": "Ada"}),
    "open_game": _examples(
        against_a_bot={
            "game": "carcassonne",
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "medium"}],
        },
        with_friends={
            "game": "carcassonne",
            "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}],
            "options": {"tiny_city": 2},
            "shuffle_seats": True,
            "visibility": "public",
            "entropy": _ENTROPY,
        },
        caylus={
            "game": "caylus",
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}, {"kind": "open"}],
            "options": {"favours": "simplified", "edition": "second"},
            "pace": _DAILY,
            "on_timeout": "stand_in",
        },
    ),
    "take_seat": _examples(any_open_one={}, this_one={"seat": 1, "entropy": _ENTROPY}),
    "change_seat": _examples(
        bot={"kind": "bot", "bot": "medium"},
        invite={"kind": "invite", "player": _OTHER["id"]},
        open={"kind": "open"},
    ),
    "start_game": _examples(with_fewer={"drop_open_seats": True}),
    "change_host": _examples(hand_over={"player": _OTHER["id"]}),
    "abort_game": _examples(call_off={}),
    "resign": _examples(only_seat={}, this_one={"seat": 1}),
    "seat_stand_in": _examples(away={}),
    "return_to_seat": _examples(back={}),
    "ready_seat": _examples(ready={"ready": True}, not_yet={"ready": False}),
    "give_time": _examples(a_day={"seat": 1, "seconds": 86_400}),
    "claim_seat": _examples(stand_in={"remedy": "stand_in"}, forfeit={"remedy": "forfeit"}),
    "make_move": _examples(
        place_tile={"move": _BELOW, "expected_version": 2},
        place_follower=_move(type="place_follower", segment="c0"),
        skip_follower=_move(type="skip_follower"),
        place_worker=_move(type="place_worker", space="road-5"),
        pass_=_move(type="pass"),
        decline=_move(type="decline"),
        move_worker=_move(type="move_worker", space="inn"),
        move_provost=_move(type="move_provost", steps=-2),
        joust=_move(type="joust"),
        stay=_move(type="stay"),
        leave=_move(type="leave"),
        take=_move(type="take", goods={"food": 1}),
        trade=_move(type="trade", give={"deniers": 2}, get={"food": 1}),
        build=_move(type="build", building="wood_sawmill", pay={"food": 1, "wood": 1}),
        build_prestige=_move(
            type="build_prestige",
            building="statue",
            space="road-9",
            pay={"stone": 2, "gold": 1},
        ),
        convert=_move(type="convert", space="road-17", pay={"cloth": 1}),
        offer_batch=_move(type="offer_batch", goods={"food": 1, "wood": 1, "stone": 1}),
        choose_favour=_move(type="choose_favour", line="deniers"),
    ),
    "preview_move": _examples(
        place_tile={"move": _BELOW, "version": 2}, further={"move": _BELOW, "next": True}
    ),
    "import_transcript": _examples(a_short_game=_TRANSCRIPT),
    "store_local_game": _examples(
        a_short_game={"transcript": {**_TRANSCRIPT, "origin": "local"}},
    ),
    "open_branch": _examples(
        with_all_seats={"version": 3},
        against_a_bot={
            "version": 3,
            "seats": [{"kind": "me"}, {"kind": "bot", "bot": "medium"}],
            "visibility": "unlisted",
            "entropy": _ENTROPY,
        },
    ),
    "start_analysis": _examples(hard={}),
    "answer_moment": _examples(a_tile={"move": _BEST}),
    "take_hints": _examples(now={}),
    "open_rematch": _examples(the_second_seat_begins={}, by_lot={"seats": "shuffle"}),
    "propose": _examples(
        last_move={"kind": "takeback"},
        to_version={"kind": "takeback", "to_version": 2},
        end={"kind": "end"},
        abort={"kind": "abort"},
        pause={"kind": "pause", "until": "2026-11-22T10:00:00.000Z"},
    ),
    "change_standing_answers": _examples(
        skipping={"answers": [_SKIPPING]}, withdrawn={"answers": []}
    ),
    "answer_proposal": _examples(accept={"answer": "accept"}, decline={"answer": "decline"}),
}
"""What a client may send. Every type of move is here, as it was made in one of the test cases."""

MOVES: dict[str, dict[str, Any]] = {
    example["value"]["move"]["type"]: example["value"]["move"]
    for example in REQUESTS["make_move"].values()
}
"""A move of every type, by type."""

_ASKED = {"seat": 0, "kind": "end", "needs": [1], "expires_at": "2026-11-23T10:07:00.000Z"}
_ENDING = {**_event("proposal_made", 23, **_ASKED), "at": "2026-11-20T10:07:00.000Z"}
_NO_TARGET: dict[str, Any] = {"to_version": None, "moves": [], "target": None, "until": None}
_PROPOSAL = {"id": 23, **_ASKED, **_NO_TARGET, "answers": []}

_MESSAGE = {
    "id": f"{_GAME_ID}.1763632923123-0",
    "room": "players",
    "at": "2026-11-20T10:02:03.123Z",
    "player": _SEATED,
    "seat": 0,
    "text": "Nice city, @Bob!",
    "phrase": None,
    "deleted": False,
}

_PREVIEW = {
    "facts": [{"type": "tile_placed", "seat": 0, "tile": "V", **_AT}],
    "view": {**_CARCASSONNE_VIEW, "tile": None},
    "decision": {"seat": 0, "kind": "place_follower", "context": {"tile": "V", **_AT}},
    "chance": False,
}

ANSWERS: dict[str, Examples] = {
    **{name: _examples(**found) for name, found in notice_examples.ANSWERS.items()},
    **{name: _examples(**found) for name, found in profile_examples.ANSWERS.items()},
    "take_hints": _examples(begun=_answer({**_GAME, "hints": True}, "ladder_left")),
    **{name: _examples(**found) for name, found in company_examples.ANSWERS.items()},
    **{name: _examples(**found) for name, found in tournament_examples.ANSWERS.items()},
    **{name: _examples(**found) for name, found in study_examples.ANSWERS.items()},
    **{name: _examples(**found) for name, found in order_examples.ANSWERS.items()},
    **{name: _examples(**found) for name, found in puzzle_examples.ANSWERS.items()},
    "send_message": _examples(text=_MESSAGE),
    "list_messages": _examples(page={"messages": [_MESSAGE], "next_after": _MESSAGE["id"]}),
    "delete_message": _examples(stub={**_MESSAGE, "text": None, "deleted": True}),
    "show_note": _examples(plan={"text": "Finish the city in the north first."}),
    "change_note": _examples(plan={"text": "Finish the city in the north first."}),
    "report": _examples(
        taken={"id": "01JC0M9J7R1S5T8V0X4Y6Z3A2D", "at": "2026-11-20T10:02:30.000Z"}
    ),
    "list_mutes": _examples(bob={"players": [_OTHER]}),
    "register_player": _examples(ada={**_ADA, "token": "vq3Zb1…"}),
    "show_me": _examples(ada=_OWN),
    "change_vacations": _examples(changed=_VACATIONS),
    "show_vacations": _examples(planned=_VACATIONS),
    "change_me": _examples(
        changed={**_OWN, "preferences": {**_PREFERENCES, "takebacks": "misclick"}}
    ),
    "show_inbox": _examples(
        new_token={
            "items": [
                {
                    "id": "5f0c2b7d91ae4468:0:security:01JC0M6E3N8T5Q2V9W4X7Y1Z0A",
                    "type": "security",
                    "timestamp": "2026-11-22T10:00:00.000Z",
                    "data": {"by": "link_code", "token": "5f0c2b7d91ae4468", "label": "Phone"},
                }
            ],
            "next_after": "1763805600000-0",
        }
    ),
    "create_inbox_ticket": _examples(
        ticket={
            "ticket": "kHq0Wq0mYb0w3S5s1sT0c7o8mR1vXb0n3yT4d6u8Qf2",
            "expires_at": "2026-11-22T10:01:00.000Z",
        }
    ),
    "create_many_games_ticket": _examples(
        ticket={
            "ticket": "kHq0Wq0mYb0w3S5s1sT0c7o8mR1vXb0n3yT4d6u8Qf2",
            "expires_at": "2026-11-22T10:01:00.000Z",
        }
    ),
    "show_presence": _examples(watchers={"players": [], "others": 2}),
    "merge_guest": _examples(phone={"merged": _ADA, "games": ["01JC0M7A1B2C3D4E5F6G7H8J9K"]}),
    "create_link_code": _examples(
        code={
            "code": "K7PW-93QD",
            "expires_at": "2026-11-22T10:10:00.000Z",
            "url": "https://play.example/settings#code=K7PW-93QD",
            "svg": '<svg xmlns="http://www.w3.org/2000/svg">…</svg>',
        }
    ),
    "create_recovery_codes": _examples(
        two_of_ten={"codes": ["K7PW-93QD-2FT0-XM6R-8ZQB", "K7PW-93QD-71HC-5N0E-KV3T"]}
    ),
    "open_session": _examples(phone={"player": _ADA, "token": "vq3Zb1…"}),
    "begin_passkey": _examples(
        localhost={"public_key": _CREATION, "expires_at": "2026-11-22T10:05:00.000Z"}
    ),
    "begin_session": _examples(
        localhost={"public_key": _REQUEST, "expires_at": "2026-11-22T10:05:00.000Z"}
    ),
    "add_passkey": _examples(laptop=_LAPTOP),
    "list_passkeys": _examples(one={"passkeys": [_LAPTOP]}, empty={"passkeys": []}),
    "list_tokens": _examples(two={"tokens": [_PHONE, _PROGRAM]}),
    "issue_token": _examples(reader={**_PROGRAM, "token": "vq3Zb1…"}),
    "list_local_games": _examples(one={"games": [_LOCAL_GAME]}, empty={"games": []}),
    "show_local_game": _examples(
        a_short_game={**_LOCAL_GAME, "transcript": {**_TRANSCRIPT, "origin": "local"}}
    ),
    "store_local_game": _examples(a_short_game=_LOCAL_GAME),
    "find_players": _examples(
        one={"players": [_ADA], "next_cursor": None}, none={"players": [], "next_cursor": None}
    ),
    "show_position": _examples(
        abridged={
            "form": 1,
            "game": "carcassonne",
            "options": {"tiny_city": 4},
            "seats": 2,
            "state": {"view": {}, "turn": 0, "dump": {}, "dump_hash": _HASH},
            "kept": [],
            "state_hash": _HASH,
        }
    ),
    "make_bot": _examples(robo={**_ROBO, "token": "vq3Zb1…"}),
    "renew_bot_token": _examples(robo={**_ROBO, "token": "w8Yc2k…"}),
    "list_own_bots": _examples(one={"bots": [_ROBO]}, empty={"bots": []}),
    "show_own_bot": _examples(robo=_ROBO),
    "change_own_bot": _examples(robo=_ROBO),
    "list_bots": _examples(
        one={"bots": [_ROBO], "next_cursor": None}, empty={"bots": [], "next_cursor": None}
    ),
    "list_blocks": _examples(
        one={"blocks": [{**_OTHER, "since": "2026-11-22T10:00:00.000Z"}]}, empty={"blocks": []}
    ),
    "show_player": _examples(
        ada={
            **_ADA,
            "ratings": profile_examples.RATINGS,
            "reliability": profile_examples.RELIABILITY,
            "online": True,
            "hosting": [],
        }
    ),
    "show_pieces": _examples(
        abridged={
            "game": "caylus",
            "options": {"favours": "table", "edition": "second"},
            "pieces": [
                {
                    "id": "stone_farm",
                    "kind": "stone",
                    "name": "Stone Farm",
                    "rules": "1.5",
                    "price": {"food": 1, "stone": 1},
                    "effect": "2 food, 1 cloth",
                    "does": {"take": [{"food": 2, "cloth": 1}]},
                    "owner": "1 food or 1 cloth",
                    "owner_gets": [{"food": 1}, {"cloth": 1}],
                    "points": 3,
                    "favours": 0,
                }
            ],
        }
    ),
    "show_catalogue": _examples(
        abridged={
            "games": [
                {
                    "name": "carcassonne",
                    "title": "Carcassonne",
                    "rules_version": 1,
                    "seats": {"from": 2, "to": 5},
                    "options": [
                        {
                            "name": "tiny_city",
                            "text": "points of a completed city of two tiles",
                            "values": [4, 2],
                            "default": 4,
                        }
                    ],
                    "bots": [
                        {
                            "name": "medium",
                            "text": "Looks one turn ahead.",
                            "description": "Looks one turn ahead.",
                            "strength": 1500,
                            "ms": 50,
                        }
                    ],
                }
            ],
            "paces": [{"name": "live", "pace": _LIVE}, {"name": "untimed", "pace": None}],
        }
    ),
    "open_game": _examples(waiting=_OPEN_GAME),
    "list_games": _examples(last_page={"games": [_SUMMARY], "next_cursor": None}),
    "show_game": _examples(
        carcassonne=_GAME,
        caylus=_CAYLUS_GAME,
        over={**_GAME, "status": "over", "decision": None, "result": _RESULT},
    ),
    "open_branch": _examples(running={**_GAME, "branched_from": {"game": _GAME_ID, "version": 17}}),
    "open_rematch": _examples(waiting={**_OPEN_GAME, "rematch_of": _GAME_ID}),
    "show_rematch": _examples(waiting={**_OPEN_GAME, "rematch_of": _GAME_ID}),
    "make_commitment": _examples(
        ten_minutes={
            "id": "01JC0M6E3N8T5Q2V9W4X7Y1Z0A",
            "commitment": _HASH,
            "expires_at": "2026-11-20T10:10:00.000Z",
        }
    ),
    "take_seat": _examples(still_waiting=_OPEN_GAME),
    "leave_seat": _examples(open_again=_OPEN_GAME),
    "change_seat": _examples(bot=_answer(_OPEN_GAME, "seat_assigned")),
    "start_game": _examples(with_fewer=_answer(_GAME, "seats_dropped", "game_started")),
    "change_host": _examples(hand_over=_answer(_OPEN_GAME, "host_changed")),
    "abort_game": _examples(call_off=_answer({**_OPEN_GAME, "status": "aborted"}, "game_aborted")),
    "resign": _examples(with_more_than_two=_answer(_GAME, "seat_forfeited")),
    "seat_stand_in": _examples(away=_answer(_GAME, "stand_in_seated")),
    "return_to_seat": _examples(back=_answer(_GAME, "seat_returned")),
    "ready_seat": _examples(ready=_answer({**_OPEN_GAME, "pace": _LIVE}, "seat_readied")),
    "give_time": _examples(given=_answer(_GAME, "time_given")),
    "show_clock": _examples(
        running={
            "mode": "correspondence",
            "seat": 0,
            "since": "2026-11-20T10:05:01.456Z",
            "turn_used": 0,
            "banks": [259_200_000, 259_200_000],
            "deadline_at": "2026-11-24T10:05:01.456Z",
            "stopped_by": None,
            "overdue": False,
            "now": "2026-11-20T12:00:00.000Z",
        },
        untimed={"mode": None},
    ),
    "claim_seat": _examples(stand_in=_answer(_GAME, "stand_in_seated")),
    "list_moves": _examples(
        place_tile={
            "version": 17,
            "decision": _DECISION,
            "moves": [_PLACE_TILE, {**_PLACE_TILE, "rotation": 180}],
        },
        in_words={
            "version": 17,
            "decision": _DECISION,
            "moves": [_PLACE_TILE],
            "words": [
                {
                    "number": 1,
                    "text": "Lay the tile: x 1, y 0, 90° (north road, east field, south field, "
                    "west road)",
                    "move": _PLACE_TILE,
                }
            ],
        },
    ),
    "make_move": _examples(
        place_tile={
            "version": 18,
            "event": _UNTIMED_MOVE,
            "events": [_UNTIMED_MOVE],
            "game": {**_GAME, "version": 18},
        }
    ),
    "explain_move": _examples(
        refused={
            "legal": False,
            "rule": "not_adjacent",
            "reason": "the cell (5, 5) is not adjacent to a tile: one side at least must touch "
            "(rules 2)",
            "text": "The place touches no tile.",
        }
    ),
    "list_features": _examples(carcassonne={"version": 17, "features": [_CITY, _FARM]}),
    "preview_move": _examples(
        place_tile=_PREVIEW,
        further={
            **_PREVIEW,
            "moves": [{"type": "place_follower", "segment": "f0"}, {"type": "skip_follower"}],
            "features": [_FARM],
        },
        skip_follower={
            "facts": [],
            "view": {**_CARCASSONNE_VIEW, "tile": None},
            "decision": None,
            "chance": True,
        },
    ),
    "list_events": _examples(
        page={
            "events": [_UNTIMED_GAME, {**EVENTS["game_started"], "version": 2}],
            "next_after": 2,
        }
    ),
    "create_ticket": _examples(
        a_minute={
            "ticket": "kHq0Wq0mYb0w3S5s1sT0c7o8mR1vXb0n3yT4d6u8Qf2",
            "expires_at": "2026-11-20T10:01:00.000Z",
        }
    ),
    "show_state": _examples(
        carcassonne={"version": 17, "decision": _DECISION, "view": _CARCASSONNE_VIEW},
        caylus={"version": 17, "decision": _CAYLUS_GAME["decision"], "view": _CAYLUS_VIEW},
    ),
    "show_story": _examples(
        start={
            "language": "en",
            "lines": [{"version": 3, "text": "Ada: lays a tile."}],
            "next_after": 3,
        },
    ),
    "show_transcript": _examples(a_short_game=_TRANSCRIPT),
    "import_transcript": _examples(
        over={
            **_GAME,
            "status": "over",
            "seats": [
                {**_SEATS[0], "name": "Ada"},
                {**_SEATS[0], "seat": 1, "name": "medium"},
            ],
            "decision": None,
            "result": _RESULT,
        }
    ),
    "propose": _examples(
        asked=_answer({**_GAME, "proposal": _PROPOSAL}, _ENDING),
        taken_back=_answer(_GAME, {**EVENTS["moves_taken_back"], "proposal": None}),
    ),
    "show_proposals": _examples(
        asked={
            "open": _PROPOSAL,
            "may": {
                "takeback": {
                    "free_to": None,
                    "ask": False,
                    "why_not": "proposal_open",
                    "own": True,
                },
                "pause": False,
                "abort": False,
                "end": False,
                "claim": {
                    "seat": 1,
                    "from": "2026-12-04T10:07:00.000Z",
                    "remedies": ["stand_in", "forfeit", "abort"],
                },
            },
        }
    ),
    "answer_proposal": _examples(
        accepted={
            **_answer(_GAME, "proposal_answered", "proposal_closed", "play_ended"),
            "version": 26,
            "game": {**_GAME, "version": 26, "status": "scoring", "decision": None},
        }
    ),
    "withdraw_proposal": _examples(
        withdrawn=_answer(
            _GAME, {**EVENTS["proposal_closed"], "version": 24, "outcome": "withdrawn"}
        )
    ),
    "start_analysis": _examples(queued={"status": "queued"}),
    "show_analysis": _examples(
        under_way={
            "status": "running",
            "progress": 0.4,
            "level": "hard",
            "decisions": [
                {
                    "version": 41,
                    "seat": 0,
                    "kind": "place_tile",
                    "move": _PLACE_TILE,
                    "best": _BEST,
                    "value": 3.1,
                    "best_value": 5.0,
                    "loss": 1.9,
                    "error": 0.6,
                    "win": 0.55,
                    "best_win": 0.61,
                    "luck": -0.8,
                    "mark": "inaccuracy",
                    "alternatives": [{"move": _BEST, "value": 5.0, "win": 0.61}],
                    "line": [_BEST],
                    "why": {
                        "move": [],
                        "best": [{"type": "points", "seat": 0, "points": 8, "reason": "city"}],
                    },
                }
            ],
            "seats": [],
            "moments": [],
        }
    ),
    "answer_moment": _examples(
        right={"right": True, "best": True, "made": False, "loss": 0.0},
        not_considered={"right": False, "best": False, "made": False, "loss": None},
    ),
    "show_learning": _examples(
        a_lucky_win={
            "games": [
                {
                    "id": _GAME_ID,
                    "game": "carcassonne",
                    "at": "2026-11-20T10:00:00.123Z",
                    "seat": 0,
                    "won": True,
                    "margin": 9,
                    "luck": 12.4,
                    "played": -3.4,
                }
            ],
            "won_by_play": 0,
            "won_by_luck": 1,
            "lost_by_luck": 0,
            "lost_by_play": 0,
            "moments": [],
        }
    ),
    "show_hint": _examples(
        closing_a_city={
            "version": 17,
            "move": _PLACE_TILE,
            "why": [{"type": "points", "seat": 0, "points": 8, "reason": "city"}],
            "text": "closes a city, 8 points",
        }
    ),
    "show_standing_answers": _examples(skipping={"answers": [_SKIPPING]}),
    "change_standing_answers": _examples(skipping={"answers": [_SKIPPING]}),
    "verify_game": _examples(
        sound={
            "valid": True,
            "version": 142,
            "problems": [],
            "head": _HASH,
            "chained_from": 1,
            "masked": 0,
            "fair": {
                "scheme": "cartulary-fair/1",
                "commitment": _HASH,
                "given": 0,
                "draws": 71,
                "state": "proved",
                "renewed_at": [],
            },
        }
    ),
    "show_oembed": _examples(
        rich={
            "version": "1.0",
            "title": "Carcassonne: Ada, Bob",
            "provider_name": "Cartulary",
            "provider_url": "https://games.example/",
            "type": "rich",
            "width": 640,
            "height": 400,
            "html": '<iframe src="https://games.example/embed/games/01J"></iframe>',
            "thumbnail_url": "https://games.example/api/v1/games/01J/board.png?width=1200",
            "thumbnail_width": 1200,
            "thumbnail_height": 630,
        },
    ),
    "show_liveness": _examples(alive={"status": "alive"}),
    "show_readiness": _examples(
        ready={
            "status": "ready",
            "engine": "pure",
            "durability": "everysec",
            "outbox": 2,
            "outbox_age_ms": 3,
            "dispatcher_age_ms": 412,
            "queued": 1,
            "queue_age_ms": 8,
            "timers_late": 0,
            "timer_late_ms": 0,
            "archive": "ok",
            "archive_problem": None,
            "missing_slots": "",
        }
    ),
}
"""What a client gets; lists and bags are abridged."""
