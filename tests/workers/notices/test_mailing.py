"""The e-mail of the day: one, of what still waits, by a server that may fail or hang."""

from __future__ import annotations

import json

import pytest

from cartulary.events.notices.deliveries import EMAIL_PAUSES_S
from cartulary.events.notices.kinds import CONFIRMATION
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.notices.waiting import open_deliveries
from cartulary.notices.mail import server
from cartulary.notices.mail.tokens import read_token
from cartulary.workers.notices.mailing import AT_ONCE
from tests.support.fake_clock import DAY, HOUR, MINUTE
from tests.workers.notices.post import ADDRESS, Post, make_item, read_text


def test_all_games_that_wait_come_in_one_mail_at_eight(post: Post) -> None:
    post.subscribe()
    tables = [post.create() for _ in range(4)]
    post.work()
    assert post.receiver.mails == []
    post.sleep_until(8)
    mail = post.receiver.read()
    assert len(post.receiver.mails) == 1
    assert (mail["To"], mail["Subject"]) == ("ada@example.org", "4 games wait for you")
    for table in tables:
        assert f"{ADDRESS}/games/{table.id}" in read_text(mail)
    outcomes = post.list_outcomes()
    assert outcomes[:4] == ["digest"] * 4
    assert sorted(outcomes[4:]) == ["joined"] * 3 + ["sent"]


def test_a_turn_comes_in_one_mail_and_not_again_the_day_after(post: Post) -> None:
    post.subscribe()
    post.create()
    post.sleep_until(8)
    post.sleep_until(8)
    assert len(post.receiver.mails) == 1


def test_without_a_game_that_waits_there_is_no_mail(post: Post) -> None:
    post.subscribe()
    post.move_until(post.create(), 1)
    post.sleep_until(8)
    assert post.receiver.mails == []
    assert "taken" in post.list_outcomes()


def test_the_mail_comes_at_the_time_and_in_the_zone_that_the_player_has_chosen(post: Post) -> None:
    chosen = {"digest": "19:00", "timezone": "Asia/Tokyo"}  # 10:00 UTC
    post.store.notices.write_settings(post.ada.id, NoticeSettings.read(chosen))
    post.subscribe()
    post.create()
    post.clock.now -= post.clock.now % DAY - 9 * HOUR
    post.create()
    post.work()
    assert post.receiver.mails == []
    post.sleep_until(10)
    assert len(post.receiver.mails) == 1


def test_a_type_that_the_player_does_not_want_by_mail_is_not_in_it(post: Post) -> None:
    chosen = {"your_turn": {"email": None}, "game_started": {"email": {"delay": 0}}}
    post.store.notices.write_settings(post.ada.id, NoticeSettings.read(chosen))
    post.subscribe()
    post.create()
    post.sleep_until(8)
    assert post.receiver.read()["Subject"].startswith("The game begins")


def test_a_second_mail_of_the_same_day_waits_for_the_next_one(post: Post) -> None:
    """Many games are taken in several steps; and a player may choose another time of the day."""
    post.subscribe()
    post.create()
    post.sleep_until(8)
    post.create()
    later = NoticeSettings.read({"digest": "12:00"})
    post.store.notices.write_settings(post.ada.id, later)
    post.sleep_until(12)
    assert len(post.receiver.mails) == 1
    post.sleep_until(12)
    assert len(post.receiver.mails) == 2


def test_a_mail_is_in_the_language_of_its_address_and_says_how_to_end_it(post: Post) -> None:
    address = post.subscribe(language="de")
    post.create()
    post.sleep_until(8)
    mail = post.receiver.read()
    assert mail["Subject"] == "Du bist am Zug: Beans: Bob"
    assert "E-Mails abbestellen" in read_text(mail)
    link = str(mail["List-Unsubscribe"]).strip("<>")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    token = read_token(link.removeprefix(f"{ADDRESS}/email/"))
    assert token is not None
    secret = post.store.keyring.decrypt(address.encrypted.encode(), address.id)
    assert (token.purpose, token.player) == ("unsubscribe", post.ada.id)
    assert token.is_signed_with(secret)


def test_a_name_makes_no_header_and_no_markup(post: Post) -> None:
    post.subscribe()
    evil = "Beans: x\r\nBcc: all@example.org\n\n<script>alert(1)</script>\u202e"
    post.send(make_item("your_turn", evil, deadline_at="2027-01-01T10:00:00.000Z"))
    post.work()
    mail = post.receiver.read()
    assert mail["Bcc"] is None
    assert "\u202e" not in mail["Subject"]
    html = mail.get_body(("html",))
    assert html is not None
    assert "<script>" not in html.get_content()
    assert "2027-01-01 10:00 UTC" in read_text(mail)


def test_a_mail_lists_fifty_games_and_counts_the_others(post: Post) -> None:
    post.subscribe()
    post.send(*(make_item("your_turn", f"Beans {n}", game=f"G{n}") for n in range(60)))
    post.work()
    text = read_text(post.receiver.read())
    assert "Beans 49\n" in text
    assert "Beans 50\n" not in text
    assert "and 10 more" in text


def test_an_address_gets_one_mail_before_it_is_confirmed_and_it_says_nothing_of_the_player(
    post: Post,
) -> None:
    id_ = make_endpoint_id()
    encrypted = post.store.keyring.encrypt(b"s" * 32, id_).decode()
    row = StoredAddress(id_, "ada@example.org", "en", encrypted, post.clock.now_ms())
    post.store.notices.emails.ask(post.ada.id, row)
    post.store.players.rename(post.ada.id, "Buy at https://spam.example")
    post.create()
    post.send(make_item(CONFIRMATION))
    post.send(make_item())
    post.sleep_until(8)
    mail = post.receiver.read()
    assert len(post.receiver.mails) == 1
    assert mail["Subject"] == "Confirm your e-mail address for play.example.org"
    assert "spam" not in mail.as_string()
    assert mail["List-Unsubscribe"] is None
    assert sorted(post.list_outcomes()) == ["gone", "sent"]
    post.store.notices.emails.confirm(post.ada.id, id_)
    post.send(make_item(CONFIRMATION))
    post.work()
    assert len(post.receiver.mails) == 1


def test_an_address_that_the_server_refuses_is_switched_off_and_its_player_is_notified(
    post: Post,
) -> None:
    address = post.subscribe()
    post.receiver.replies["RCPT"].append("550 5.1.1 no such user")
    post.send(make_item())
    post.work()
    post.send(make_item())
    post.work()
    assert post.receiver.mails == []
    found = post.store.notices.emails.find(post.ada.id)
    assert found is not None
    assert (found.id, found.off) == (address.id, "refused")
    items = [json.loads(one.text) for one in post.store.inbox.read(post.ada.id).entries]
    assert [item["type"] for item in items] == ["email_disabled"]
    (last, refused) = post.store.notice_log.read(post.ada.id)
    assert (refused.outcome, refused.status, last.outcome) == ("gone", 550, "gone")


def test_a_refusal_for_now_is_tried_again_and_one_of_the_mail_is_not(post: Post) -> None:
    post.subscribe()
    post.receiver.replies["RCPT"].append("450 4.2.1 later")
    post.send(make_item())
    post.work()
    assert post.list_outcomes() == ["retrying"]
    post.clock.advance(2 * MINUTE)
    post.work()
    assert post.list_outcomes() == ["retrying", "sent"]
    post.receiver.replies["."].append("554 5.7.1 spam")
    post.send(make_item())
    post.work()
    post.clock.advance(DAY)
    post.work()
    assert post.list_outcomes() == ["retrying", "sent", "failed"]
    found = post.store.notices.emails.find(post.ada.id)
    assert found is not None
    assert found.is_told


def test_a_turn_that_was_taken_while_the_server_was_silent_is_not_told(post: Post) -> None:
    post.subscribe()
    table = post.create()
    post.receiver.replies["MAIL"].append("451 later")
    post.sleep_until(8)
    assert post.list_outcomes()[-1] == "retrying"
    post.move_until(table, 1)
    post.clock.advance(2 * MINUTE)
    post.work()
    assert post.receiver.mails == []
    assert post.list_outcomes()[-1] == "taken"


def test_a_server_that_hangs_is_asked_once_for_many_mails_and_none_is_lost(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.subscribe()
    for _ in range(AT_ONCE):
        post.send(make_item())
    post.receiver.stalls.add("greeting")
    with monkeypatch.context() as patience:
        patience.setattr(server, "ANSWER_S", 0.1)
        post.work()
    assert post.receiver.connections == 1
    assert post.list_outcomes() == ["retrying"]
    post.receiver.stalls.clear()
    post.clock.advance(2 * MINUTE)
    post.work()
    assert len(post.receiver.mails) == AT_ONCE


def test_a_mail_that_finds_no_server_is_given_up_after_a_day(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ANSWER_S", 0.05)
    post.subscribe()
    post.receiver.stalls.add("greeting")
    post.send(make_item())
    for _ in range(len(EMAIL_PAUSES_S) + 1):
        post.work()
        post.clock.advance(15 * HOUR)
    assert post.list_outcomes() == ["retrying"] * len(EMAIL_PAUSES_S) + ["failed"]
    assert open_deliveries(post.store.registry, "email").count() == 0


def test_a_notifier_that_is_stopped_leaves_its_mails_to_the_next_one(post: Post) -> None:
    post.subscribe()
    post.send(make_item())
    post.mailing.stop()
    post.work()
    assert (post.receiver.mails, post.list_outcomes()) == ([], [])
    assert open_deliveries(post.store.registry, "email").count() == 1


def test_mails_go_to_a_confirmed_address_alone(post: Post) -> None:
    listed = post.notifying._list_endpoints  # noqa: SLF001
    assert list(listed(post.ada.id, "email", [])) == []
    row = StoredAddress("e" * 16, "ada@example.org", "en", "", post.clock.now_ms())
    post.store.notices.emails.ask(post.ada.id, row)
    assert list(listed(post.ada.id, "email", [])) == []
    post.store.notices.emails.confirm(post.ada.id, row.id)
    assert list(listed(post.ada.id, "email", [])) == [row.id]


def test_the_connection_to_the_mail_server_ends_when_no_mail_waits(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    monkeypatch.setattr(server.MailServer, "close", lambda _: closed.append(1))
    post.subscribe()
    post.create()
    post.sleep_until(8)
    assert len(post.receiver.mails) == 1
    before = len(closed)
    assert post.mailing.step() == 0
    assert len(closed) == before + 1
