"""An address is one plain address, or it is refused with a reason."""

from __future__ import annotations

import pytest

from cartulary.notices.mail.addresses import InvalidAddress, read_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ada@example.org", "ada@example.org"),
        (" Ada.L+games@Example.ORG ", "Ada.L+games@example.org"),
        ("o'neill@a-b.example", "o'neill@a-b.example"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        (f"{'a' * 64}@example.org", f"{'a' * 64}@example.org"),
    ],
)
def test_an_address_is_stored_as_mail_servers_know_it(text: str, address: str) -> None:
    assert read_address(text) == address
    assert read_address(address) == address


@pytest.mark.parametrize(
    "text",
    [
        *("", "ada", "@example.org", "ada@", "ada@@example.org", "ada@localhost"),
        *("ada@example.org,bob@example.org", "ada@example.org;bob@example.org"),
        *("Ada <ada@example.org>", '"ada"@example.org', "ada lovelace@example.org"),
        *("ada@example.org\nBcc: bob@example.org", "ada\r\n@example.org", "ada@exa\tmple.org"),
        *("ada@[127.0.0.1]", "ada@127.0.0.1", "ada@-a.example", "ada@a..example", "ada@a_b.org"),
        *(".ada@example.org", "ada.@example.org", "a..b@example.org", "ädä@example.org"),
        *(f"{'a' * 65}@example.org", f"a@{'b' * 63}.{'c' * 63}.{'d' * 63}.{'e' * 60}.org"),
        *("ada@example.org\x00", "ada@example.org%0a", "ada@" + "b" * 64 + ".org"),
    ],
)
def test_what_is_no_single_plain_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidAddress):
        read_address(text)
