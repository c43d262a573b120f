"""What a mail is made of: no text breaks a header, and a mail program reads what was written."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy

import pytest

from cartulary.notices.mail.letters import Letter, MailLine
from cartulary.notices.mail.settings import MailSettings

SETTINGS = MailSettings(
    "mail.example.org", 25, "none", "games@example.org", "Zażółć", "https://games.example.org"
)
STOP = "https://games.example.org/email/" + "A" * 80 + "_-b"
LETTER = Letter(
    "msg_1",
    "ada@example.org",
    1_800_000_000,
    "pl",
    "Twój ruch: " + "ą" * 100,
    [MailLine("Twój ruch – <b>Beans</b> & ko", "https://games.example.org/games/1?a=1&b=2")],
    [MailLine("why"), MailLine("stop", STOP)],
    STOP,
)


def test_a_mail_program_reads_what_was_written() -> None:
    raw = LETTER.write(SETTINGS)
    mail = message_from_bytes(raw, policy=policy.default)
    assert mail["Subject"] == LETTER.subject
    assert str(mail["From"]) == "Zażółć <games@example.org>"
    assert mail["To"] == "ada@example.org"
    assert mail["Message-ID"] == "<msg_1@example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain is not None
    assert html is not None
    assert plain.get_content().startswith("Twój ruch – <b>Beans</b> & ko\r\nhttps://games")
    assert STOP in plain.get_content()
    assert "&lt;b&gt;Beans&lt;/b&gt; &amp; ko" in html.get_content()
    assert "?a=1&amp;b=2" in html.get_content()


def test_a_mail_is_what_every_server_takes() -> None:
    raw = LETTER.write(SETTINGS)
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998


def test_the_link_that_ends_mails_stands_in_its_header_letter_by_letter() -> None:
    """RFC 8058: a mail program sends a POST to it."""
    raw = LETTER.write(SETTINGS)
    assert f"\nList-Unsubscribe: <{STOP}>\r\n".encode() in b"\n" + raw
    assert b"\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in raw
    assert b"List-Unsubscribe" not in replace(LETTER, unsubscribe="").write(SETTINGS)


@pytest.mark.parametrize(
    "changed",
    [
        {"subject": "Hi\nBcc: all@example.org"},
        {"subject": "Hi\r\nBcc: all@example.org"},
        {"to": "ada@example.org\nBcc: all@example.org"},
        {"language": "en\r\nBcc: all@example.org"},
        {"unsubscribe": "https://x>\r\nBcc: all@example.org"},
        {"unsubscribe": "https://x> <mailto:y"},
    ],
)
def test_a_line_break_makes_no_header(changed: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"header|link|address|line"):
        replace(LETTER, **changed).write(SETTINGS)  # type: ignore[arg-type]
