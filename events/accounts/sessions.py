"""Sessions: a new device gets a token of a player, by a code or by a passkey."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple

from cartulary.events.lists.inbox import Inbox, make_item
from cartulary.events.model.errors import Refused
from cartulary.events.people.ceremonies import Assertion, Ceremonies
from cartulary.events.people.links import LinkCodes
from cartulary.events.people.passkeys import Passkey, Passkeys, PasskeyUnknown
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.recovery import RecoveryCodes
from cartulary.events.people.tokens import Issued, TokenGone, Tokens, Wish

Way = Literal["token", "link_code", "recovery_code", "passkey"]
"""How a token came about: another token asked for it, one of the codes, or a passkey."""


class CodeUnknown(
    Refused, code="code_unknown", sentence="the code is unknown, used, expired or malformed"
):
    """The code is unknown, used, expired or malformed: no caller learns which of these."""


class OpenedSession(NamedTuple):
    """A new token of a player, and how it came about."""

    player: Player
    issued: Issued
    way: Way


class Sessions:
    """Opens sessions. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        players: PlayerRegistry,
        tokens: Tokens,
        links: LinkCodes,
        recovery: RecoveryCodes,
        passkeys: Passkeys,
        ceremonies: Ceremonies,
        inbox: Inbox,
    ) -> None:
        self._players, self._tokens, self._inbox = players, tokens, inbox
        self._links, self._recovery = links, recovery
        self._passkeys, self._ceremonies = passkeys, ceremonies

    def open_by_link(self, code: str, label: str) -> OpenedSession:
        """Issue a token like the token that made a link code.

        Raises `CodeUnknown`, `QuotaExceeded` (the code can be used later then).
        """
        found = self._links.find(code)
        player = None if found is None else self._players.by_id(found.player_id)
        if found is None or player is None:
            raise CodeUnknown
        self._tokens.check_room(player.id)
        if self._links.use(code) != found:
            raise CodeUnknown
        try:
            issued = self._tokens.issue_alike(player.id, label, found.token_hash)
        except TokenGone as error:
            raise CodeUnknown from error
        return OpenedSession(player, issued, "link_code")

    def open_by_recovery(self, code: str, label: str) -> OpenedSession:
        """Issue the only token of a player that is valid from here on.

        All other tokens are void, and so are the link codes that they have asked for, and all
        passkeys. Raises `CodeUnknown`, `RateLimited`.
        """
        player_id = self._recovery.use(code)
        player = None if player_id is None else self._players.by_id(player_id)
        if player is None:
            raise CodeUnknown
        issued = self._tokens.replace_all(player.id, Wish(label))
        return OpenedSession(player, issued, "recovery_code")

    def open_by_passkey(self, proof: Assertion, label: str) -> OpenedSession:
        """Issue a token with all scopes to a device that has a passkey.

        Raises `PasskeyUnknown`, `PasskeyCopied`, `QuotaExceeded`.
        """
        player_id, passkey, uses = self._ceremonies.check(proof)
        player = self._players.by_id(player_id)
        if player is None:
            raise PasskeyUnknown
        self._passkeys.note_use(player_id, passkey.id, uses)
        exists = partial(self._passkeys.must_exist, player_id=player_id, passkey_id=passkey.id)
        return OpenedSession(
            player, self._tokens.issue(player_id, Wish(label), check=exists), "passkey"
        )

    def note_passkey(self, player: Player, passkey: Passkey) -> None:
        """Put a new passkey into the inbox of its player, who may not have added it."""
        data = {"by": "new_passkey", "passkey": passkey.id, "label": passkey.label}
        item = make_item(passkey.id, "security", player.id, passkey.created_at, data)
        self._inbox.add(player.id, [item])

    def note(self, opened: OpenedSession) -> None:
        """Put a new token into the inbox of its player, who may not have asked for it."""
        player, issued, way = opened
        row = issued.token.row
        data = {"by": way, "token": row.id, "label": row.label}
        item = make_item(row.id, "security", player.id, row.created_at, data)
        self._inbox.add(player.id, [item])
