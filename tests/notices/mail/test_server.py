"""The mail server is spoken to as its settings say, and its refusals are distinguished."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from cartulary.notices.mail import server as module
from cartulary.notices.mail.server import MailReply, MailServer, MailServerSilent
from cartulary.notices.mail.settings import MailSettings, Security
from tests.notices.mail.mail_receiver import MailReceiver, run_mail_receiver
from tests.support.local_servers import make_certificate

MAIL = b"Subject: x\r\n\r\n.dot\r\nend\r\n"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


def reach(
    receiver: MailReceiver, security: Security = "none", user: str = "", authorities: str = ""
) -> MailServer:
    return MailServer(
        MailSettings(
            *("127.0.0.1", receiver.port, security, "games@example.org", ""),
            "https://games.example.org",
            user,
            "word" if user else "",
            authorities,
        )
    )


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_mail_goes_by_tls_with_user_and_password(
    certificate: tuple[Path, Path], security: Security
) -> None:
    with run_mail_receiver(certificate, implicit=security == "tls") as receiver:
        server = reach(receiver, security, "games", str(certificate[0]))
        assert server.send("ada@example.org", MAIL).accepted
        assert server.send("bob@example.org", MAIL).accepted
        server.close()
        assert receiver.logins == ["\x00games\x00word"]
        assert receiver.connections == 1
        assert receiver.mails[1] == ("FROM:<games@example.org>", "TO:<bob@example.org>", MAIL)


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_is_not_trusted_gets_neither_password_nor_mail(
    certificate: tuple[Path, Path], security: Security
) -> None:
    with run_mail_receiver(certificate, implicit=security == "tls") as receiver:
        with pytest.raises(MailServerSilent, match="certificate"):
            reach(receiver, security, "games").send("ada@example.org", MAIL)
        assert (receiver.logins, receiver.mails) == ([], [])


def test_a_server_without_tls_gets_nothing_where_tls_is_asked_for() -> None:
    with run_mail_receiver() as receiver:
        with pytest.raises(MailServerSilent, match="does not offer"):
            reach(receiver, "starttls", "games").send("ada@example.org", MAIL)
        assert (receiver.logins, receiver.mails) == ([], [])


@pytest.mark.parametrize(
    ("verb", "line", "reply", "is_dead"),
    [
        ("RCPT", "550 5.1.1 no such user", MailReply(550, "5.1.1", "recipient"), True),
        ("RCPT", "553 no", MailReply(553, "", "recipient"), True),
        ("RCPT", "550 5.7.1 relaying denied", MailReply(550, "5.7.1", "recipient"), False),
        ("RCPT", "450 4.2.1 later", MailReply(450, "4.2.1", "recipient"), False),
        ("MAIL", "550 not you", MailReply(550, "", "sender"), False),
        ("DATA", "554 5.6.0 no", MailReply(554, "5.6.0", "content"), False),
        (".", "554 5.6.0 spam", MailReply(554, "5.6.0", "content"), False),
    ],
)
def test_a_refusal_says_whether_it_is_about_the_address(
    verb: str, line: str, reply: MailReply, is_dead: bool
) -> None:
    with run_mail_receiver() as receiver:
        receiver.replies[verb].append(line)
        server = reach(receiver)
        found = server.send("ada@example.org", MAIL)
        assert (found, found.accepted, found.is_address_dead) == (reply, False, is_dead)
        assert server.send("bob@example.org", MAIL).accepted
        server.close()


def test_a_connection_that_the_server_has_ended_is_made_again() -> None:
    with run_mail_receiver() as receiver:
        server = reach(receiver)
        assert server.send("ada@example.org", MAIL).accepted
        server.abort()
        assert server.send("ada@example.org", MAIL).accepted
        server.close()
        assert receiver.connections == 2


def test_a_user_that_is_refused_is_a_fault_of_the_settings(certificate: tuple[Path, Path]) -> None:
    with run_mail_receiver(certificate, implicit=True) as receiver:
        receiver.replies["AUTH"].append("535 5.7.8 no")
        server = reach(receiver, "tls", "games", str(certificate[0]))
        with pytest.raises(MailServerSilent, match="user or the password"):
            server.send("ada@example.org", MAIL)


def test_a_server_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 0.1)
    with run_mail_receiver() as receiver:
        receiver.stalls.add("greeting")
        with pytest.raises(MailServerSilent, match="does not answer"):
            reach(receiver).send("ada@example.org", MAIL)


def test_a_server_that_hangs_in_the_middle_of_a_mail_is_given_up_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with run_mail_receiver() as receiver:
        server = reach(receiver)
        assert server.send("ada@example.org", MAIL).accepted
        monkeypatch.setattr(module, "MAIL_S", 0.1)
        # An answer may take `ANSWER_S`, which is longer: the whole mail may not.
        receiver.stalls.add("RCPT")
        with pytest.raises(MailServerSilent):
            server.send("ada@example.org", MAIL)


def test_a_stop_ends_a_mail_before_the_server_may_take_it_and_waits_for_its_answer_then() -> None:
    """A mail whose answer is missing is sent again: so the answer is worth the wait."""
    for stalled, is_accepted in (("RCPT", False), ("DATA", True)):
        with run_mail_receiver() as receiver, ThreadPoolExecutor(1) as thread:
            receiver.stalls.add(stalled)
            server = reach(receiver)
            sending = thread.submit(server.send, "ada@example.org", MAIL)
            assert receiver.stalled.wait(60)
            server.interrupt()
            if not is_accepted:
                assert isinstance(sending.exception(30), MailServerSilent)
            receiver.released.set()
            if is_accepted:
                assert sending.result(60).accepted
            assert len(receiver.mails) == is_accepted
            server.close()


@pytest.mark.parametrize(
    ("security", "stalled"),
    [("none", "greeting"), ("tls", "greeting"), ("tls", "handshake"), ("starttls", "handshake")],
)
def test_a_connection_can_be_ended_before_the_server_has_said_a_word(
    certificate: tuple[Path, Path],
    security: Security,
    stalled: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a server that sends a byte now and then no answer is late, so `ANSWER_S` ends nothing."""
    monkeypatch.setattr(module, "ANSWER_S", 600)
    with (
        run_mail_receiver(certificate, implicit=security == "tls") as receiver,
        ThreadPoolExecutor(1) as thread,
    ):
        receiver.stalls.add(stalled)
        server = reach(receiver, security, authorities=str(certificate[0]))
        sending = thread.submit(server.send, "ada@example.org", MAIL)
        assert receiver.stalled.wait(60)
        server.abort()
        with pytest.raises(MailServerSilent, match="does not answer"):
            sending.result(30)


def test_a_connection_that_is_given_up_while_it_is_made_gets_no_mail(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect = socket.create_connection
    with run_mail_receiver() as receiver:
        server = reach(receiver)

        def take_too_long(*args: Any) -> socket.socket:
            server.abort()
            return connect(*args)

        monkeypatch.setattr(socket, "create_connection", take_too_long)
        with pytest.raises(MailServerSilent, match="does not answer"):
            server.send("ada@example.org", MAIL)
        assert receiver.mails == []


def test_a_server_that_does_not_say_goodbye_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ANSWER_S", 600)
    with run_mail_receiver() as receiver, ThreadPoolExecutor(1) as thread:
        server = reach(receiver)
        assert server.send("ada@example.org", MAIL).accepted
        receiver.stalls.add("QUIT")
        monkeypatch.setattr(module, "MAIL_S", 0.1)
        thread.submit(server.close).result(30)


def test_a_port_where_no_server_listens_is_a_server_that_is_silent() -> None:
    with run_mail_receiver() as receiver:
        server = reach(receiver)
    with pytest.raises(MailServerSilent, match="does not answer"):
        server.send("ada@example.org", MAIL)
