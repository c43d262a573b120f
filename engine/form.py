"""The form in which the engine and the bots run: compiled, or as their source.

Both forms have the same states, hashes and moves; the compiled form is quicker.
"""

from __future__ import annotations

from typing import Final

from cartulary.engine import core

COMPILED: Final = "compiled"
PURE: Final = "pure"

FORM: Final = PURE if str(core.__file__).endswith((".py", ".pyc")) else COMPILED
"""`COMPILED` or `PURE`: what runs in this process."""
