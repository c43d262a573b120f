"""Why a message could not leave."""

from __future__ import annotations


class TargetRefused(ValueError):
    """The address may not be used: `code` for programs, the text for the person who gave it.

    The text never repeats what a name resolved to: it would tell a stranger which hosts exist in
    the operator's network.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class DeliveryFailed(OSError):
    """The target did not answer in time, or not in HTTP; a later attempt may succeed."""
