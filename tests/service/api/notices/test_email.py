"""The e-mail address of a player over HTTP, and the pages behind the links in its mails."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import pytest
from flask import Flask

from cartulary.events.notices.addresses import LIFE_MS, MOST_REQUESTS
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.store import Store
from cartulary.locales import LANGUAGES
from cartulary.locales.notices import read_notices
from cartulary.notices.mail.tokens import Purpose, write_token
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import problem

PATH = "/players/me/email"
ADA = {"address": "ada@example.org"}
ONE_CLICK = {
    "data": "List-Unsubscribe=One-Click",
    "content_type": "application/x-www-form-urlencoded",
}


@pytest.fixture
def app(make_app: Callable[..., Flask]) -> Flask:
    return make_app(emails=True)


def find(store: Store, who: Caller) -> StoredAddress:
    found = store.notices.emails.find(who.id)
    assert found is not None
    return found


def make_link(store: Store, who: Caller, purpose: Purpose) -> str:
    """Return the path that a mail to the address of a player leads to."""
    found = find(store, who)
    secret = store.keyring.decrypt(found.encrypted.encode(), found.id)
    return f"/email/{write_token(purpose, who.id, secret)}"


def take_mails(store: Store) -> list[Delivery]:
    """Return the mails that wait to be sent, and let them wait no more."""
    mails = open_deliveries(store.registry, "email")
    entries = mails.take(store.clock.now_ms(), 100)
    mails.settle(entries)
    return [Delivery.read(entry) for entry in entries]


def confirm(store: Store, who: Caller) -> None:
    who.put(PATH, ADA)
    assert who.client.post(make_link(store, who, "confirm")).status_code == 200
    take_mails(store)


def test_an_address_is_asked_by_one_mail_and_confirmed_by_its_link(
    ada: Caller, store: Store
) -> None:
    nothing = {"offered": True, "state": "none", "address": None, "off": None, "created_at": None}
    assert ada.get(PATH).json == nothing
    asked = ada.put(PATH, {"address": " ada@Example.org"}, headers={"Accept-Language": "de"})
    assert (asked.status_code, asked.headers["Cache-Control"]) == (202, "no-store")
    assert ada.get(PATH).json == asked.json
    assert (asked.json["state"], asked.json["address"]) == ("unconfirmed", "ada@example.org")
    (mail,) = take_mails(store)
    assert (mail.type, mail.channel, mail.forced) == ("email_confirmation", "email", True)
    assert [item["data"] for item in mail.items] == [{"url": "/settings?notices"}]
    assert mail.endpoint == find(store, ada).id
    assert find(store, ada).language == "de"
    link = make_link(store, ada, "confirm")
    for _ in range(2):  # programs look at links, so looking confirms nothing
        page = ada.client.get(link)
        assert "Ja, ich will Nachrichten" in page.text
        assert ada.get(PATH).json["state"] == "unconfirmed"
    for _ in range(2):  # a double click
        assert "Bestätigt" in ada.client.post(link).text
        assert ada.get(PATH).json["state"] == "confirmed"
    assert "Bestätigt" in ada.client.get(link).text


def test_a_confirmed_address_is_not_asked_again(ada: Caller, store: Store) -> None:
    confirm(store, ada)
    assert ada.put(PATH, ADA).status_code == 200
    assert take_mails(store) == []
    assert ada.put(PATH, {"address": "other@example.org"}).json["state"] == "unconfirmed"


@pytest.mark.parametrize("method", ["post", "get"])
def test_a_link_ends_after_a_day_and_with_its_address(
    ada: Caller, store: Store, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.put(PATH, ADA)
    old = make_link(store, ada, "confirm")
    ada.put(PATH, {"address": "other@example.org"})
    assert getattr(ada.client, method)(old).status_code == 404
    link = make_link(store, ada, "confirm")
    now = store.clock.now_ms()
    monkeypatch.setattr(type(store.clock), "now_ms", lambda _: now + LIFE_MS)
    page = getattr(ada.client, method)(link, headers={"Accept-Language": "fr"})
    assert page.status_code == 404
    assert "Ce lien n’est plus valable" in page.text
    assert ada.get(PATH).json["state"] == "none"


def test_one_click_ends_the_mails_without_a_sign_in(ada: Caller, store: Store) -> None:
    """RFC 8058: the mail program sends the POST, and its reader sees nothing of it."""
    confirm(store, ada)
    link, again = make_link(store, ada, "unsubscribe"), make_link(store, ada, "confirm")
    asks = ada.client.get(link)
    assert (asks.status_code, "Stop the e-mails" in asks.text) == (200, True)
    assert ada.get(PATH).json["off"] is None
    for _ in range(2):
        assert ada.client.post(link, **ONE_CLICK).status_code == 200
    assert (ada.get(PATH).json["state"], ada.get(PATH).json["off"]) == ("confirmed", "unsubscribed")
    assert ada.client.post(again).status_code == 404, "another mail has to ask"
    assert ada.put(PATH, ADA).status_code == 202
    assert ada.client.post(make_link(store, ada, "confirm")).status_code == 200
    assert ada.get(PATH).json["off"] is None
    assert ada.client.post(link).status_code == 404


def test_the_link_of_one_player_does_nothing_for_another(
    ada: Caller, bob: Caller, store: Store
) -> None:
    for who in (ada, bob):
        who.put(PATH, {"address": f"{who.id[-5:]}@example.org"})
    found = find(store, ada)
    secret = store.keyring.decrypt(found.encrypted.encode(), found.id)
    assert ada.client.post(f"/email/{write_token('confirm', bob.id, secret)}").status_code == 404
    assert bob.get(PATH).json["state"] == "unconfirmed"


def test_the_page_of_a_link_loads_nothing_and_is_in_no_frame_and_no_cache(
    ada: Caller, store: Store
) -> None:
    ada.put(PATH, ADA)
    page = ada.client.get(make_link(store, ada, "confirm"))
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["Cache-Control"] == "no-store"
    assert ada.client.get("/email.css").status_code == 200


@pytest.mark.slow
def test_each_page_is_in_the_language_of_the_address(
    make_app: Callable[..., Flask], store: Store
) -> None:
    app = make_app(emails=True, rates={})
    for language in LANGUAGES:
        who = register_player(app, "Ada")
        wish = {"address": f"ada@{language}.example"}
        who.put(PATH, wish, headers={"Accept-Language": language})
        words = {name: escape(text) for name, text in read_notices(language).items()}
        link = make_link(store, who, "confirm")
        page = who.client.get(link).text
        assert f'lang="{language}"' in page
        assert words["confirm_page"] in page
        assert words["confirm_done"] in who.client.post(link).text
        stop = make_link(store, who, "unsubscribe")
        assert words["unsubscribe_button"] in who.client.get(stop).text
        assert words["unsubscribe_done"] in who.client.post(stop).text


def test_what_is_no_address_is_refused_and_nothing_is_sent(ada: Caller, store: Store) -> None:
    for address in ("", "ada", "a@b.org, c@d.org", "a@b.org\nBcc: c@d.org", "é@b.org"):
        found = problem(ada.put(PATH, {"address": address}), 422, "invalid")
        assert [one["pointer"] for one in found["errors"]] == ["/address"], address
        assert (ada.get(PATH).json["state"], take_mails(store)) == ("none", [])


def test_an_address_is_a_text(ada: Caller) -> None:
    wrong: list[Any] = [{}, {"address": None}, {"address": ["a@b.org"]}, {"address": 5}]
    for body in wrong:
        problem(ada.put(PATH, body), 422, "invalid")


def test_a_stranger_is_asked_so_often_and_no_more(ada: Caller, bob: Caller, store: Store) -> None:
    for number in range(MOST_REQUESTS):
        assert (bob if number else ada).put(PATH, ADA).status_code == 202
    found = problem(bob.put(PATH, {"address": "ADA@example.org"}), 429, "quota_exceeded")
    assert (found["quota"], found["limit"]) == ("emails", MOST_REQUESTS)
    assert len(take_mails(store)) == MOST_REQUESTS


def test_a_client_asks_for_so_many_mails_for_all_players_together(
    make_app: Callable[..., Flask], store: Store
) -> None:
    app = make_app(emails=True, rates={"emails": "3/hour"})
    for number in range(3):
        who = register_player(app, f"Cyd{number}")
        assert who.put(PATH, {"address": f"cyd{number}@example.org"}).status_code == 202
    last = who.put(PATH, {"address": "last@example.org"})
    problem(last, 429, "rate_limited")
    problem(who.post(f"{PATH}/test"), 404, "not_found")
    assert len(take_mails(store)) == 3


def test_a_test_goes_to_a_confirmed_address_alone(ada: Caller, store: Store) -> None:
    problem(ada.post(f"{PATH}/test"), 404, "not_found")
    ada.put(PATH, ADA)
    problem(ada.post(f"{PATH}/test"), 404, "not_found")
    confirm(store, ada)
    assert ada.post(f"{PATH}/test").status_code == 202
    (mail,) = take_mails(store)
    assert (mail.type, mail.endpoint) == ("test", find(store, ada).id)
    ada.client.post(make_link(store, ada, "unsubscribe"))
    problem(ada.post(f"{PATH}/test"), 404, "not_found")


def test_an_address_is_removed_exported_and_deleted_with_its_player(
    ada: Caller, bob: Caller, store: Store
) -> None:
    problem(ada.delete(PATH), 404, "not_found")
    confirm(store, ada)
    link = make_link(store, ada, "unsubscribe")
    export = ada.get("/players/me/export").text
    assert '"address":"ada@example.org","state":"confirmed"' in export
    assert find(store, ada).encrypted not in export
    assert ada.delete(PATH).status_code == 204
    assert ada.client.post(link).status_code == 404
    assert ada.get(PATH).json["state"] == "none"
    bob.put(PATH, {"address": "bob@example.org"})
    assert bob.post("/players/me/deletion", {"confirm": "Bob"}).status_code == 204
    assert store.notices.emails.find(bob.id) is None


def test_a_service_without_a_mail_server_offers_none_and_forgets_what_it_has(
    ada: Caller, make_app: Callable[..., Flask], store: Store
) -> None:
    confirm(store, ada)
    without = Caller(make_app().test_client(), ada.token, ada.id)
    problem(without.put(PATH, ADA), 404, "not_installed")
    problem(without.post(f"{PATH}/test"), 404, "not_installed")
    found = without.get(PATH).json
    assert (found["offered"], found["state"]) == (False, "confirmed")
    assert without.delete(PATH).status_code == 204
    assert take_mails(store) == []
