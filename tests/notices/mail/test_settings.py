"""How the mail server is reached: from the environment, with the variable named in each error."""

from __future__ import annotations

from pathlib import Path

import pytest

from cartulary.notices.mail.settings import MailSettings, Security

WHOLE = {
    "CARTULARY_SMTP_URL": "smtp+starttls://mail.example.org",
    "CARTULARY_SMTP_FROM": "Cartulary <games@example.org>",
    "CARTULARY_PUBLIC_URL": "https://games.example.org/",
}


def test_without_a_server_there_is_no_e_mail() -> None:
    assert MailSettings.from_environment({}) is None
    del (rest := {**WHOLE})["CARTULARY_SMTP_URL"]
    assert MailSettings.from_environment(rest) is None


@pytest.mark.parametrize(
    ("url", "port", "security"),
    [
        ("smtps://mail.example.org", 465, "tls"),
        ("smtp+starttls://mail.example.org", 587, "starttls"),
        ("smtp+starttls://mail.example.org:2525/", 2525, "starttls"),
        ("smtp://mail.example.org", 25, "none"),
    ],
)
def test_an_address_says_how_the_server_is_spoken_to(
    url: str, port: int, security: Security
) -> None:
    found = MailSettings.from_environment({**WHOLE, "CARTULARY_SMTP_URL": url})
    assert found is not None
    assert (found.host, found.port, found.security) == ("mail.example.org", port, security)
    assert (found.sender_name, found.sender) == ("Cartulary", "games@example.org")
    assert found.public_url == "https://games.example.org"


def test_the_password_comes_from_a_file_and_is_shown_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("secret word\n")
    user = {"CARTULARY_SMTP_USER": "games", "CARTULARY_SMTP_PASSWORD_FILE": str(file)}
    found = MailSettings.from_environment({**WHOLE, **user})
    assert found is not None
    assert (found.user, found.password) == ("games", "secret word")
    assert "secret word" not in f"{found} {found.show()}"


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"CARTULARY_SMTP_URL": "http://mail.example.org"}, "CARTULARY_SMTP_URL"),
        ({"CARTULARY_SMTP_URL": "mail.example.org:25"}, "CARTULARY_SMTP_URL"),
        ({"CARTULARY_SMTP_URL": "smtp://mail.example.org:mail"}, "CARTULARY_SMTP_URL"),
        ({"CARTULARY_SMTP_URL": "smtps://ada:word@mail.example.org"}, "CARTULARY_SMTP_URL"),
        ({"CARTULARY_SMTP_FROM": ""}, "CARTULARY_SMTP_FROM"),
        ({"CARTULARY_SMTP_FROM": "Cartulary"}, "CARTULARY_SMTP_FROM"),
        ({"CARTULARY_SMTP_FROM": "a@example.org\nBcc: b@example.org"}, "CARTULARY_SMTP_FROM"),
        ({"CARTULARY_PUBLIC_URL": ""}, "CARTULARY_PUBLIC_URL"),
        ({"CARTULARY_SMTP_USER": "games"}, "CARTULARY_SMTP_PASSWORD_FILE"),
        (
            {"CARTULARY_SMTP_URL": "smtp://mail.example.org", "CARTULARY_SMTP_USER": "games"},
            "CARTULARY_SMTP_USER",
        ),
    ],
)
def test_a_setting_that_cannot_be_is_named(changed: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named) as refused:
        MailSettings.from_environment({**WHOLE, **changed})
    assert "word" not in str(refused.value).replace("password", "").replace("PASSWORD", "")
