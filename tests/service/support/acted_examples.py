"""The examples of `openapi.yaml` acted out: requests that are sent, and what they answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cartulary.events.model.clock import SYSTEM, format_time
from cartulary.events.model.time.silence_rules import SILENT_MS
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.ratings.results import Bucket, Entrant, GameResult
from cartulary.service.openapi import examples
from cartulary.workers.analysing import analyse_slice
from tests.service.support.acted_explorer import ask_explorer
from tests.service.support.acted_notices import keep_notices
from tests.service.support.acted_order import keep_order
from tests.service.support.acted_puzzles import solve_puzzles
from tests.service.support.acted_studies import hide_study, write_study
from tests.service.support.acted_tournaments import hold_tournament
from tests.service.support.caller import Answer, Caller, played_out
from tests.service.support.moments import ask_moment
from tests.support.authenticator import Authenticator
from tests.support.fake_clock import DAY, FakeClock

CASES = Path(__file__).parents[2] / "cases"
TWO_DAYS = {"mode": "correspondence", "delay": 172_800, "bank": 172_800}
OF_THE_HOST = {
    "abort_game": ("POST", "abort"),
    "change_host": ("PUT", "host"),
    "change_seat": ("PUT", "seats/2"),
    "start_game": ("POST", "start"),
}
OF_TALK = {"send_message": ("POST", "messages", 201), "change_note": ("PUT", "note", 200)}
OF_TIME = {"give_time": ("POST", "time"), "ready_seat": ("PUT", "seats/1/ready")}
OF_PASSKEYS = {
    "begin_passkey": ("/players/me/passkeys/options", 200),
    "begin_session": ("/sessions/options", 200),
    "add_passkey": ("/players/me/passkeys", 201),
}
OF_WHO_LEAVES = {
    "claim_seat": "seats/{seat}/claim",
    "resign": "resignation",
    "return_to_seat": "seats/{seat}/return",
    "seat_stand_in": "seats/{seat}/stand_in",
}


def arrange(operation: str, body: dict[str, Any], ada: Caller, bob: Caller) -> Any:
    """Send a request of a host, at a table where a guest sits; examples name unknown players."""
    game = f"/games/{ada.open('me', 'open', 'open')['id']}"
    guest = bob.post("/players", {"name": "Eve"}).json["id"]
    if operation != "change_seat":
        bob.post(f"{game}/seats", {"seat": 1})
        guest = bob.id
    method, path = OF_THE_HOST[operation]
    return ada.send(
        method, f"{game}/{path}", json=body | ({"player": guest} if "player" in body else {})
    )


def keep_time(operation: str, body: dict[str, Any], ada: Caller, bob: Caller) -> Any:
    """Send a request of Bob about the table where he sits with Ada."""
    method, path = OF_TIME[operation]
    live = operation == "ready_seat"
    pace = examples.EVENTS["game_created"]["pace"] if live else TWO_DAYS
    game = f"/games/{ada.open('me', 'open', pace=pace, start='host' if live else 'full')['id']}"
    bob.post(f"{game}/seats", {})
    asker = ada if operation == "give_time" else bob
    return asker.send(method, f"{game}/{path}", json=body)


def leave(operation: str, body: dict[str, Any], ada: Caller, bob: Caller, clock: FakeClock) -> Any:
    """Send a request of Bob, who plays with Ada and Cleo on seat 1."""
    cleo = bob.post("/players", {"name": "Cleo"}).json
    people = [ada, bob, Caller(bob.client, cleo["token"])]
    game = f"/games/{ada.open('me', 'open', 'open')['id']}"
    for one in people[1:]:
        one.post(f"{game}/seats", {})
    asker, seat = bob, 1
    if operation == "return_to_seat":
        bob.post(f"{game}/seats/1/stand_in")
    if operation == "claim_seat":
        seat = ada.get(game).json["decision"]["seat"]
        asker = people[seat - 1]
        clock.advance(SILENT_MS)
    return asker.post(f"{game}/{OF_WHO_LEAVES[operation].format(seat=seat)}", body)


def merge(ada: Caller) -> Answer:
    """Merge a guest who has a game into Ada."""
    made = ada.post("/players", {"name": "Phone"}).json
    Caller(ada.client, made["token"]).open("me", "open")
    return ada.post("/players/me/merge", {"token": made["token"]})


def add_passkey(caller: Caller, body: dict[str, Any]) -> tuple[Authenticator, Answer]:
    """Send an example with what a device has made: an example has a challenge of another day."""
    device = Authenticator("http://localhost")
    made = device.create(caller.post("/players/me/passkeys/options", {}).json["public_key"])
    return device, caller.post("/players/me/passkeys", {**body, "passkey": made})


def keep_passkeys(ada: Caller, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    """Add a passkey of Ada and list it."""
    yield "begin_passkey", [ada.post("/players/me/passkeys/options", {}).json]
    yield "begin_session", [ada.post("/sessions/options", {}).json]
    yield "add_passkey", [add_passkey(ada, body)[1].json for body in asked["add_passkey"]]
    yield "list_passkeys", [ada.get("/players/me/passkeys").json]


def try_codes(body: dict[str, Any], ada: Caller, bob: Caller) -> None:
    """Send an example twice: with its code, which no account has, and with a code of Ada."""
    (name,) = body.keys() - {"label"}
    if name == "passkey":  # once: an address has five tries a minute for all examples
        device, _ = add_passkey(ada, {"label": "Laptop"})
        begun = bob.post("/sessions/options", {}).json["public_key"]
        assert bob.post("/sessions", {**body, name: device.use(begun)}).status_code == 201
        return
    assert bob.post("/sessions", body).json["code"] == "code_unknown"
    made = ada.post(f"/players/me/{name}s", {}).json
    code = made["code"] if name == "link_code" else made["codes"][0]
    assert bob.post("/sessions", {**body, name: code}).status_code == 201


def position(ada: Caller, move: dict[str, Any]) -> str | None:
    """Import the first case in which `move` was made, up to there; returns the game."""
    for path in sorted(CASES.glob("*/*.json"), key=lambda path: path.stat().st_size):
        transcript = json.loads(path.read_text(encoding="utf-8"))
        played = [entry["move"] for entry in transcript["moves"]]
        if move in played and transcript["game"] in GAMES:
            transcript["moves"] = transcript["moves"][: played.index(move)]
            del transcript["result"]
            answer = ada.post("/games/import", transcript)
            assert answer.status_code == 201, answer.text
            game_id: str = answer.json["id"]
            return game_id
    return None


def _two_at_a_table(ada: Caller, bob: Caller) -> str:
    """Return the path of a game of Ada and Bob, in which both have moved."""
    game = f"/games/{ada.open('me', 'open')['id']}"
    bob.post(f"{game}/seats", {})
    for caller in (ada, ada, bob):
        moves = caller.get(f"{game}/moves").json["moves"]
        assert caller.post(f"{game}/moves", {"move": moves[0]}).status_code == 201
    return game


def propose(ada: Caller, bob: Caller, operation: str, body: dict[str, Any]) -> Answer:
    if body.get("kind") == "pause":
        timed = ada.open(pace=TWO_DAYS)
        body = {**body, "until": format_time(SYSTEM.now_ms() + DAY)}
        return ada.post(f"/games/{timed['id']}/proposals", body)
    if operation == "answer_proposal":
        game = _two_at_a_table(ada, bob)
        made = ada.post(f"{game}/proposals", {"kind": "end"}).json["events"][0]
        return bob.post(f"{game}/proposals/{made['version']}/answers", body)
    alone = f"/games/{ada.open()['id']}"
    for _ in range(3):
        ada.move(alone.removeprefix("/games/"))
    return ada.post(f"{alone}/proposals", body)


def _proposals(ada: Caller, bob: Caller, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    game = _two_at_a_table(ada, bob)
    ends = {"kind": "end"}
    made = ada.post(f"{game}/proposals", ends).json
    yield "propose", [made, *(propose(ada, bob, "propose", body).json for body in asked)]
    yield "show_proposals", [ada.get(f"{game}/proposals").json]
    yield "withdraw_proposal", [ada.delete(f"{game}/proposals/{made['version']}").json]
    made = ada.post(f"{game}/proposals", ends).json
    answer = bob.post(f"{game}/proposals/{made['version']}/answers", {"answer": "accept"})
    yield "answer_proposal", [answer.json]


def keep_bot(ada: Caller, store: Store, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    """Make a bot of Ada, connect it and list it."""
    made = ada.post("/players/me/bots", asked["make_bot"][0]).json
    yield "make_bot", [made]
    renewed = ada.post(f"/players/me/bots/{made['id']}/token").json
    yield "renew_bot_token", [renewed]
    robo = Caller(ada.client, renewed["token"])
    store.connected_bots.hold(made["id"])
    told = [
        robo.put("/players/me/bot", {"accepts": body["accepts"]}).json
        for body in asked["change_own_bot"]
    ]
    yield "change_own_bot", told
    yield "show_own_bot", [robo.get("/players/me/bot").json]
    yield "list_own_bots", [ada.get("/players/me/bots").json]
    yield "list_bots", [ada.get("/bots").json]


def act_out(
    ada: Caller, bob: Caller, store: Store, clock: FakeClock
) -> Iterator[tuple[str, list[Any]]]:
    asked = {op: [e["value"] for e in found.values()] for op, found in examples.REQUESTS.items()}
    yield "register_player", [bob.post("/players", asked["register_player"][0]).json]
    yield "show_me", [ada.get("/players/me").json]
    yield "change_me", [ada.patch("/players/me", body).json for body in asked["change_me"]]
    soon = {"from": format_time(clock.now + DAY), "until": format_time(clock.now + 3 * DAY)}
    planned = {"vacations": [soon]}
    yield "change_vacations", [ada.put("/players/me/vacations", planned).json]
    yield "show_vacations", [ada.get("/players/me/vacations").json]
    yield (
        "issue_token",
        [ada.post("/players/me/tokens", body).json for body in asked["issue_token"]],
    )
    yield "merge_guest", [merge(ada).json]
    linked = ada.post("/players/me/link_codes", {}).json
    yield "create_link_code", [linked]
    yield "create_recovery_codes", [ada.post("/players/me/recovery_codes", {}).json]
    yield "open_session", [bob.post("/sessions", {"link_code": linked["code"]}).json]
    yield "show_inbox", [ada.get("/players/me/inbox").json]
    yield "create_inbox_ticket", [ada.post("/players/me/inbox/ticket").json]
    yield "create_many_games_ticket", [ada.post("/streams/ticket?inbox=true").json]
    yield from keep_passkeys(ada, asked)
    yield "list_tokens", [ada.get("/players/me/tokens").json]
    cyd = ada.post("/players", {"name": "Cyd"}).json
    ada.put(f"/players/me/blocks/{cyd['id']}")
    yield "list_blocks", [ada.get("/players/me/blocks").json]
    bob.open("me", "open")
    ada.put(f"/players/me/follows/{bob.id}")
    yield "list_follows", [ada.get("/players/me/follows").json]
    yield "show_company", [ada.get("/players/me/company").json]
    yield "make_seek", [ada.post("/seeks", body).json for body in asked["make_seek"]]
    yield "list_seeks", [ada.get("/seeks").json]
    yield "summarise_seeks", [ada.get("/seeks/summary?game=caylus").json]
    yield from hold_tournament(ada, bob, store, asked)
    yield from write_study(ada, bob, asked)
    yield from hide_study(ada, store, asked)
    yield from keep_bot(ada, store, asked)
    yield from keep_notices(ada, store, asked)
    yield "find_players", [ada.get("/players?name=ada").json]
    yield "show_position", [ada.get(f"/games/{ada.open()['id']}/position").json]
    yield "show_player", [bob.get(f"/players/{ada.id}").json]
    yield "show_catalogue", [ada.get("/catalogue").json]
    yield "show_pieces", [ada.get("/catalogue/caylus?edition=second").json]
    opened = [ada.post("/games", body).json for body in asked["open_game"]]
    yield "open_game", opened
    yield "list_games", [ada.get("/games").json]
    waiting = f"/games/{opened[1]['id']}"
    taken = bob.post(f"{waiting}/seats", {}).json
    yield "take_seat", [taken]
    seat = next(
        seat["seat"] for seat in taken["seats"] if (seat["player"] or {}).get("name") == "Bob"
    )
    yield "leave_seat", [bob.delete(f"{waiting}/seats/{seat}").json]
    for operation in OF_THE_HOST:
        yield operation, [arrange(operation, body, ada, bob).json for body in asked[operation]]
    for operation in OF_TIME:
        yield operation, [keep_time(operation, body, ada, bob).json for body in asked[operation]]
    yield "show_clock", [ada.get(f"/games/{game['id']}/clock").json for game in opened]
    for operation in OF_WHO_LEAVES:
        found = [leave(operation, body, ada, bob, clock) for body in asked[operation]]
        yield operation, [answer.json for answer in found]
    over = ada.post("/games/import", asked["import_transcript"][0]).json
    yield "import_transcript", [over]
    again = f"/games/{over['id']}"
    yield "open_branch", [ada.post(f"{again}/branches", body).json for body in asked["open_branch"]]
    yield (
        "open_rematch",
        [ada.post(f"{again}/rematch", body).json for body in asked["open_rematch"]],
    )
    yield "show_rematch", [ada.get(f"{again}/rematch").json]
    games = [f"/games/{game['id']}" for game in (opened[0], over, _running_caylus(ada))]
    yield "show_presence", [ada.get(f"{games[0]}/presence").json]
    yield "show_game", [ada.get(game).json for game in games]
    yield "list_moves", [ada.get(f"{games[0]}/moves{query}").json for query in ("", "?words=1")]
    far = json.dumps({"type": "place_tile", "x": 5, "y": 5, "rotation": 0})
    yield "list_features", [ada.get(f"{game}/features").json for game in games]
    yield "explain_move", [ada.get(f"{games[0]}/why", query_string={"move": far}).json]
    yield "preview_move", [*_previews(ada)]
    yield "make_move", [ada.move(opened[0]["id"]).json]
    yield "list_events", [ada.get(f"{games[0]}/events").json]
    yield "make_commitment", [ada.post("/fair/commitments").json]
    yield "create_ticket", [ada.post(f"{games[0]}/events/ticket").json]
    yield "show_state", [ada.get(f"{game}/states/2").json for game in games]
    yield "show_story", [ada.get(f"{games[0]}/story").json]
    yield "show_transcript", [ada.get(f"{games[1]}/transcript").json]
    path = f"{games[0]}/standing_answers"
    changed = [ada.put(path, body).json for body in asked["change_standing_answers"][:1]]
    yield "change_standing_answers", changed
    yield "show_standing_answers", [ada.get(path).json]
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    practice = ada.open(seats=seats, hints=True)["id"]
    yield "show_hint", [ada.get(f"/games/{practice}/hint").json]
    yield from _ratings(ada, store)
    yield "verify_game", [ada.get(f"{games[1]}/verification").json]
    yield from _proposals(ada, bob, asked["propose"])
    yield from _talk(ada, bob, store, asked)
    yield from keep_order(ada, bob, store, asked)
    yield from solve_puzzles(ada, store, asked)
    yield from _local_games(ada, asked)
    yield from ask_explorer(ada, store, asked)
    yield from _analysis(ada, store)
    link = f"/oembed?url={games[1]}"
    yield "show_oembed", [ada.client.get(link).json]
    yield "show_liveness", [ada.client.get("/livez").json]
    store.heartbeats.write(queued=0, queue_age=0.0)
    yield "show_readiness", [ada.client.get("/readyz").json]


def _ratings(ada: Caller, store: Store) -> Iterator[tuple[str, list[Any]]]:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "easy"}]
    game = f"/games/{ada.open(seats=seats, hints=True)['id']}"
    ahead = ada.get(f"{game}/ratings?preview=true").json
    yield "take_hints", [ada.post(f"{game}/hints").json]
    bucket = Bucket("practice", "carcassonne", "2")
    entrants = (Entrant(ada.id), Entrant(None, 1204))
    store.ratings.note(GameResult(store.clock.now_ms(), "a game", bucket, entrants, (1, 2)))
    store.ratings.fold_all()
    yield "show_game_ratings", [ahead, ada.get(f"{game}/ratings").json]
    yield "list_ratings", [ada.get(f"/players/{ada.id}/ratings").json]
    query = "game=carcassonne&ladder=practice"
    yield "show_history", [ada.get(f"/players/{ada.id}/ratings/history?{query}").json]
    yield "show_statistics", [ada.get(f"/players/{ada.id}/statistics?game=carcassonne").json]
    yield "show_leaderboard", [ada.get("/leaderboards/carcassonne?ladder=practice").json]


def _analysis(ada: Caller, store: Store) -> Iterator[tuple[str, list[Any]]]:
    game_id = played_out(ada)
    path = f"/games/{game_id}/analysis"
    yield "start_analysis", [ada.post(path).json]
    assert analyse_slice(store, OFFERS, game_id, seconds=60)
    yield "show_analysis", [ada.get(path).json]
    game_id, moment = ask_moment(ada, store)
    attempts = f"/games/{game_id}/analysis/moments/{moment['version']}/attempts"
    best = moment["best"]["moves"][0]["move"]
    others = [move for move in moment["moves"] if move != best]
    yield "answer_moment", [ada.post(attempts, {"move": one}).json for one in (best, *others)]
    yield "show_learning", [ada.get("/players/me/learning").json]


def claim(store: Store, caller: Caller) -> None:
    """Make a guest the owner of an account: guests say phrases only."""
    store.redis.hset(keys.player(caller.id), "claimed_at", "2026-11-20T10:00:00.000Z")


def _talk(ada: Caller, bob: Caller, store: Store, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    game = f"/games/{ada.open()['id']}"
    claim(store, ada)
    said = [ada.post(f"{game}/messages", body).json for body in asked["send_message"]]
    yield "send_message", said
    yield "list_messages", [ada.get(f"{game}/messages").json]
    yield "delete_message", [ada.delete(f"{game}/messages/{said[0]['id']}").json]
    yield "change_note", [ada.put(f"{game}/note", body).json for body in asked["change_note"]]
    yield "show_note", [ada.get(f"{game}/note").json]
    assert ada.put(f"/players/me/mutes/{bob.id}").status_code == 204
    report = {"message": said[1]["id"], "reason": "spam"}
    yield "report", [bob.post("/reports", report).json]
    yield "list_mutes", [ada.get("/players/me/mutes").json]


def _local_games(ada: Caller, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    path = "/players/me/local_games/local-m2xk7r9d4qhw0z5t8b3n"
    yield "store_local_game", [ada.put(path, body).json for body in asked["store_local_game"]]
    yield "show_local_game", [ada.get(path).json]
    yield "list_local_games", [ada.get("/players/me/local_games").json]


def _previews(ada: Caller) -> Iterator[Any]:
    """Yield what the preview of the two kinds of moves in a turn of Carcassonne answers."""
    game = f"/games/{ada.open()['id']}"
    for kind in ("place_tile", "skip_follower"):
        move = next(move for move in ada.get(f"{game}/moves").json["moves"] if move["type"] == kind)
        yield ada.post(f"{game}/preview", {"move": move}).json
        yield ada.post(f"{game}/preview", {"move": move, "next": True}).json
        ada.post(f"{game}/moves", {"move": move})


def _running_caylus(ada: Caller) -> dict[str, Any]:
    seats = [{"kind": "me"}, {"kind": "me"}, {"kind": "me"}]
    game: dict[str, Any] = ada.post("/games", {"game": "caylus", "seats": seats}).json
    return game
