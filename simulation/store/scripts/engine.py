"""Runs the scripts of a server in a Lua of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

from lupa import lua51

from simulation.store.scripts.json_text import decode
from simulation.store.values.replies import (
    ErrorReply,
    Simple,
    StoreRefusal,
    StoreReply,
    Words,
    write_float,
)

_PRELUDE: Final = Path(__file__).with_name("prelude.lua").read_bytes()
_CHANCE_MOST: Final = 2**31 - 1
_FIRST_CHANCE: Final = 0x1234ABCD330E

CallCommand = Callable[[Words], StoreReply]
"""Runs a command of a script; raises `StoreRefusal`."""


class ScriptEngine:
    """The scripts that a server knows, by the SHA-1 of their texts."""

    def __init__(self, call_command: CallCommand) -> None:
        self._call_command = call_command
        self._scripts: dict[bytes, Any] = {}
        self._chance = _FIRST_CHANCE
        self._trouble: Exception | None = None
        """What has ended the script that runs, and is no refusal."""
        self._lua: Any = None
        self._compile: Any = None
        self._run: Any = None

    def forget(self) -> None:
        """Forget all scripts, as SCRIPT FLUSH does."""
        self._scripts.clear()

    def restart(self) -> None:
        """Forget all scripts and all chance, as a new process of the server does."""
        self.forget()
        self._chance = _FIRST_CHANCE

    def knows(self, digest: bytes) -> bool:
        """Return whether a script is known."""
        return digest.lower() in self._scripts

    def learn(self, text: bytes) -> bytes:
        """Keep a script; return its digest. Raises `StoreRefusal` for one that is no Lua."""
        digest = sha1(text, usedforsecurity=False).hexdigest().encode()
        if digest not in self._scripts:
            if self._lua is None:
                self._start()
            made = self._compile(text)
            if isinstance(made, tuple):
                said = made[1].decode(errors="replace")
                raise StoreRefusal(f"Error compiling script (new function): {said}")
            self._scripts[digest] = made
        return digest

    def run(self, digest: bytes, keys: Words, values: Words) -> StoreReply:
        """Run a known script; raises `StoreRefusal`."""
        script = self._scripts[digest.lower()]
        table = self._lua.table_from
        done = self._run(script, table(keys), table(values))
        if self._trouble is not None:
            trouble, self._trouble = self._trouble, None
            raise trouble
        if not isinstance(done, tuple):
            return None
        if done[0]:
            return self._read(done[1])
        said, line = done[1][b"err"], done[1][b"line"]
        raise read_refusal(_write_text(said) + b" script: on @user_script:%d." % line)

    # -- what scripts ask for ---------------------------------------------------------------------

    def _start(self) -> None:
        self._lua = lua51.LuaRuntime(
            encoding=None, unpack_returned_tuples=True, register_eval=False
        )
        begin = self._lua.eval(b"function(text) return loadstring(text, '@prelude') end")(_PRELUDE)
        self._compile, self._run = begin(self._call, self._draw, self._seed, _digest, self._decode)

    def _call(self, *words: Any) -> Any:
        """Run a command; an error is a table with `err`."""
        try:
            reply = self._call_command(_write_words(words))
            if type(reply) is bytes or type(reply) is int:
                return reply
            return self._tell(reply)
        except StoreRefusal as refusal:
            return self._lua.table_from({b"err": refusal.reply().write().encode()})
        except Exception as trouble:
            self._trouble = trouble  # Lua would make an error of the script of it
            raise

    def _tell(self, reply: StoreReply) -> Any:
        """Return an answer as Lua has it: nil is false."""
        if type(reply) is bytes or type(reply) is int:
            return reply
        if reply is None:
            return False
        if isinstance(reply, list):
            return self._lua.table_from([self._tell(one) for one in reply])
        if isinstance(reply, Simple):
            return self._lua.table_from({b"ok": reply.encode()})
        raise TypeError(f"a script cannot get {reply!r}")

    def _read(self, value: Any) -> StoreReply:
        """Return what a script has returned as an answer."""
        if type(value) is bytes or value is None:
            return value
        if value is True or value is False:
            return 1 if value else None
        if isinstance(value, int | float):
            return int(value)
        if lua51.lua_type(value) != "table":
            return None
        if (said := value[b"err"]) is not None:
            refusal = read_refusal(_write_text(said))
            return ErrorReply(refusal.code, refusal.text)
        if (said := value[b"ok"]) is not None:
            return Simple(said.decode(errors="replace"))
        answer: list[StoreReply] = []
        place = 1
        while (one := value[place]) is not None:
            answer.append(self._read(one))
            place += 1
        return answer

    def _decode(self, text: Any, null: Any) -> Any:
        table = self._lua.table_from
        try:
            return table({b"found": decode(_write_word(text), null, table)})
        except (ValueError, RecursionError) as error:
            return table({b"trouble": str(error).encode(errors="replace")})

    # The generator of the server: it begins with the process, and goes on from script to script.

    def _seed(self, number: float) -> None:
        self._chance = ((int(number) & 0xFFFFFFFF) << 16) + 0x330E

    def _draw(self) -> float:
        self._chance = (self._chance * 0x5DEECE66D + 0xB) % 2**48
        return ((self._chance >> 17) % _CHANCE_MOST) / _CHANCE_MOST


def _digest(text: bytes) -> bytes:
    return sha1(text, usedforsecurity=False).hexdigest().encode()


def _write_words(words: Sequence[Any]) -> Words:
    if not words:
        raise StoreRefusal("Please specify at least one argument for this call")
    for word in words:
        if type(word) is not bytes:
            return [_write_word(one) for one in words]
    return words


def _write_word(word: Any) -> bytes:
    """Return an argument of a command as bytes; raises `StoreRefusal` for no text and no number."""
    if type(word) is bytes:
        return word
    if type(word) is int:
        return b"%d" % word if abs(word) < 2**53 else write_float(float(word))
    if type(word) is float:
        return write_float(word)
    raise StoreRefusal("Command arguments must be strings or integers")


def _write_text(said: Any) -> bytes:
    """Return what stands in `err`, in one line."""
    text = said if isinstance(said, bytes) else _write_word(said)
    return text.replace(b"\r", b" ").replace(b"\n", b" ")


def read_refusal(line: bytes) -> StoreRefusal:
    """Return a refusal of the line that a client reads."""
    code, _, text = line.decode(errors="replace").removeprefix("-").partition(" ")
    return StoreRefusal(text, code)
