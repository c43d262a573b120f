"""A bot, or its owner, registers the webhook that asks the bot for moves."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.notices.rows import StoredWebhook
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.outside_bots.questions import BotQuestion
from cartulary.events.people.players import hash_token
from cartulary.events.people.tokens import TokenGone
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.service.api.bots.conftest import invite, types_of
from tests.service.support.caller import Caller
from tests.service.support.scene import pointers, problem

PATH = "/players/me/webhooks"
HOOK = {"url": "https://93.184.216.34/move", "format": "move"}


def list_questions(store: Store) -> list[BotQuestion]:
    """Take what bots are to be asked."""
    entries = store.bot_questions.waiting.take(store.clock.now_ms() + 60_000, 9)
    return [BotQuestion.read(entry) for entry in entries]


@pytest.mark.slow
def test_a_bot_registers_a_signed_webhook_with_its_token(bot: Caller) -> None:
    made = bot.post(PATH, HOOK)
    assert made.status_code == 201, made.text
    assert made.json["public_keys"][0].startswith("whpk_")
    assert (made.json["format"], made.json["types"]) == ("move", [])
    shared = bot.patch(f"{PATH}/{made.json['id']}", {"url": "https://93.184.216.34/other"})
    assert shared.json["url"].endswith("/other")
    assert bot.post(f"{PATH}/{made.json['id']}/secret", {"signature": "v1"}).status_code == 201
    assert bot.delete(f"{PATH}/{made.json['id']}").status_code == 204


def test_only_a_bot_is_asked_for_moves(ada: Caller) -> None:
    assert pointers(problem(ada.post(PATH, HOOK), 422, "invalid")) == ["/format"]


@pytest.mark.slow
def test_a_bot_is_asked_by_one_webhook_and_has_others_for_notices(bot: Caller) -> None:
    assert bot.post(PATH, HOOK).status_code == 201
    assert pointers(problem(bot.post(PATH, HOOK), 422, "invalid")) == ["/format"]
    notices = {"url": HOOK["url"], "types": ["game_over"]}
    assert bot.post(PATH, notices).status_code == 201


@pytest.mark.slow
@pytest.mark.parametrize("form", ["move", "standard"])
def test_types_belong_to_every_format_but_that_for_moves(bot: Caller, form: str) -> None:
    body: dict[str, Any] = {**HOOK, "format": form}
    if form == "move":
        body["types"] = ["game_over"]
    assert pointers(problem(bot.post(PATH, body), 422, "invalid")) == ["/types"]
    made = bot.post(PATH, HOOK).json
    answer = bot.patch(f"{PATH}/{made['id']}", {"types": ["game_over"]})
    assert pointers(problem(answer, 422, "invalid")) == ["/types"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", PATH, None),
        ("POST", PATH, {"url": HOOK["url"], "types": ["your_turn"]}),
        ("DELETE", f"{PATH}/0", None),
    ],
)
def test_a_token_of_a_person_still_needs_the_scope_of_the_account(
    ada: Caller, method: str, path: str, body: Any
) -> None:
    wish = {"label": "plays", "scopes": ["read", "play"]}
    token = ada.post("/players/me/tokens", wish).json["token"]
    weak = Caller(ada.client, token, ada.id)
    problem(weak.send(method, path, json=body), 403, "scope_missing")


@pytest.mark.slow
def test_a_bot_that_webhooks_ask_is_listed_and_an_invitation_waits_for_the_notifier(
    bot: Caller, bob: Caller, store: Store
) -> None:
    assert bob.get("/bots").json["bots"] == []
    made = bot.post(PATH, HOOK).json
    (listed,) = bob.get("/bots").json["bots"]
    assert (listed["id"], listed["online"]) == (bot.id, True)
    game = invite(bob, bot)["id"]
    assert types_of(bob, game) == ["game_created", "seat_offered"]
    store.bot_questions.ask(store.projector.table(game))
    (question,) = list_questions(store)
    assert (question.kind, question.game, question.bot) == ("seat", game, bot.id)
    bot.patch(f"{PATH}/{made['id']}", {"on": False})
    assert bob.get("/bots").json["bots"] == []
    assert types_of(bob, invite(bob, bot)["id"])[-1] == "seat_declined"
    bot.patch(f"{PATH}/{made['id']}", {"on": True})
    assert len(bob.get("/bots").json["bots"]) == 1
    bot.delete(f"{PATH}/{made['id']}")
    assert bob.get("/bots").json["bots"] == []


def test_a_test_comes_as_a_message_and_a_retry_asks_while_the_game_waits(
    bot: Caller, bob: Caller, store: Store
) -> None:
    made = bot.post(PATH, HOOK).json["id"]
    assert bot.post(f"{PATH}/{made}/test").status_code == 202
    assert len(open_deliveries(store.registry).take(store.clock.now_ms(), 9)) == 1
    game = invite(bob, bot)["id"]
    _note_attempt(store, made, game)
    path = f"{PATH}/{made}/deliveries"
    (line,) = bot.get(path).json["deliveries"]
    assert (line["type"], line["data"]["game"]) == ("move", game)
    assert list_questions(store) == []
    assert bot.post(f"{path}/{line['id']}/retry").status_code == 202
    assert [question.game for question in list_questions(store)] == [game]
    problem(bot.post(f"{path}/unknown/retry"), 404, "not_found")


def _note_attempt(store: Store, webhook: str, game: str) -> None:
    from cartulary.events.notices.log import LoggedNotice
    from cartulary.workers.notices.bot_requests import describe_question

    question = BotQuestion("move", "bot", game, 3, 3, 1)
    item = describe_question(question, "2026-11-20T10:00:00.000Z")
    line = LoggedNotice(question.name, store.clock.now_ms(), "failed", "webhook", item, 500)
    store.notice_log.write((webhook,), line)


@pytest.mark.slow
def test_the_owner_does_with_the_webhooks_of_a_bot_what_the_bot_does(
    ada: Caller, bot: Caller, store: Store
) -> None:
    of_bot = f"bot={bot.id}"
    made = ada.post(f"{PATH}?{of_bot}", HOOK)
    assert made.status_code == 201, made.text
    path = f"{PATH}/{made.json['id']}"
    (listed,) = bot.get(PATH).json["webhooks"]
    assert ada.get(f"{PATH}?{of_bot}").json == {"webhooks": [listed]}
    assert ada.get(PATH).json == {"webhooks": []}
    url = "https://93.184.216.34/other"
    assert ada.patch(f"{path}?{of_bot}", {"url": url}).json["url"] == url
    secret = ada.post(f"{path}/secret?{of_bot}", {"signature": "v1"}).json["secret"]
    assert secret.startswith("whsec_")
    assert ada.post(f"{path}/test?{of_bot}").status_code == 202
    game = invite(ada, bot)["id"]
    _note_attempt(store, made.json["id"], game)
    (line,) = ada.get(f"{path}/deliveries?{of_bot}").json["deliveries"]
    again = f"{path}/deliveries/{line['id']}/retry?{of_bot}"
    assert ada.post(again).status_code == 202
    assert ada.patch(f"{path}?{of_bot}", {"on": False}).json["off"] == "player"
    assert ada.delete(f"{path}?{of_bot}").status_code == 204
    assert bot.get(PATH).json == {"webhooks": []}


@pytest.mark.slow
def test_only_the_owner_reaches_the_webhooks_of_a_bot_and_by_its_id_alone(
    ada: Caller, bob: Caller, bot: Caller
) -> None:
    made = bot.post(PATH, HOOK).json["id"]
    for caller, whose in ((bob, bot.id), (ada, bob.id), (bot, bot.id)):
        problem(caller.get(f"{PATH}?bot={whose}"), 404, "not_found")
        problem(caller.post(f"{PATH}?bot={whose}", HOOK), 404, "not_found")
        problem(caller.delete(f"{PATH}/{made}?bot={whose}"), 404, "not_found")
    problem(ada.delete(f"{PATH}/{made}"), 404, "not_found")
    wish = {"label": "plays", "scopes": ["read", "play"]}
    weak = Caller(ada.client, ada.post("/players/me/tokens", wish).json["token"], ada.id)
    problem(weak.get(f"{PATH}?bot={bot.id}"), 403, "scope_missing")


@pytest.mark.slow
def test_a_new_token_of_a_bot_removes_what_the_old_one_has_set(
    ada: Caller, bob: Caller, bot: Caller, store: Store
) -> None:
    """The holder of a stolen token may have set where the bot is asked, or knows the secret."""
    bot.post(PATH, HOOK)
    bot.post(PATH, {"url": HOOK["url"], "types": ["your_turn"], "signature": "v1"})
    assert len(bob.get("/bots").json["bots"]) == 1
    held = store.tokens.guard(hash_token(str(bot.token)))
    renewed = ada.post(f"/players/me/bots/{bot.id}/token")
    other = Caller(ada.client, renewed.json["token"], bot.id)
    assert other.get(PATH).json == {"webhooks": []}
    assert bob.get("/bots").json["bots"] == []
    store.notices.wishes.repair()
    assert not store.registry.hexists(keys.notice_wishes(), bot.id)
    # A request that came with the old token just before sets nothing any more.
    late = StoredWebhook("late", HOOK["url"], (), "move", (), 0)
    with pytest.raises(TokenGone):
        store.notices.add_webhook(bot.id, late, held)
    assert other.get(PATH).json == {"webhooks": []}
    assert other.post(PATH, HOOK).status_code == 201


def test_closing_a_bot_forgets_its_webhook(ada: Caller, bot: Caller, store: Store) -> None:
    bot.post(PATH, HOOK)
    assert ada.delete(f"/players/me/bots/{bot.id}").status_code == 204
    assert store.notices.list_webhooks(bot.id) == []
    assert store.connected_bots.list_connected(9) == []
