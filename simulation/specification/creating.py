"""A game is created with its entry in the outbox: once for a key, and every list learns of it.

A web process looks up what the key of the request has led to, reserves an id under the key, and
appends the first events; secret and outbox entry come in the same step. It may be killed between
any two steps, and the player sends the request again. A dispatcher takes entries, shows the game in
the lists, and acknowledges then; what a killed dispatcher has taken another one takes over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

IDLE, ASKED, NEW, RESERVED, STORED, FOUND = (
    *("idle", "asked", "new", "reserved", "stored", "found"),
)
TAKEN, SHOWN = "taken", "shown"
APPENDED, REPLAYED = "appended", "replayed"


class Web(NamedTuple):
    """A web process with a request; `game` is the id that it draws, then the one that counts."""

    does: str = IDLE
    game: str = ""


class WaitingEntries(NamedTuple):
    """Entries by the id of their game: `waiting`, or `given` to a dispatcher."""

    waiting: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()


class Creating(NamedTuple):
    """What one key of a player leads to. `dispatchers`: what each does, and for which game."""

    reserved: str | None
    games: frozenset[str]
    secrets: frozenset[str]
    outbox: WaitingEntries
    listed: frozenset[str]
    webs: tuple[Web, ...]
    dispatchers: tuple[tuple[str, str], ...]
    answered: frozenset[str]
    drawn: int
    deaths: int


class Creations:
    """The actions. `without` leaves defences out."""

    def __init__(self, webs: list[str], helpers: list[str], without: Collection[str]) -> None:
        self._webs, self._helpers, self._without = webs, helpers, frozenset(without)

    # -- a web process ----------------------------------------------------------------------------

    def ask(self, now: Creating) -> Ways[Creating]:
        """Let the player send the request, to whichever process."""
        for at, name, web in self._list(now, IDLE):
            yield (name,), _put(now, at, web._replace(does=ASKED))

    def look(self, now: Creating) -> Ways[Creating]:
        """Look up the game that is reserved under the key, and its record in that game."""
        for at, name, _ in self._list(now, ASKED):
            if now.reserved in now.games:
                yield (name, True), _put(now, at, Web(FOUND, now.reserved or ""))
            else:
                game = f"game-{now.drawn + 1}"
                yield (name, False), _put(now, at, Web(NEW, game), drawn=now.drawn + 1)

    def reserve(self, now: Creating) -> Ways[Creating]:
        """Reserve the id; the first reservation counts for everybody."""
        for at, name, web in self._list(now, NEW):
            first = None if "first" in self._without else now.reserved
            game = first or web.game
            changed = _put(now, at, Web(RESERVED, game), reserved=game)
            yield (name, game == web.game), changed

    def append(self, now: Creating) -> Ways[Creating]:
        """Append the first events, with secret, record and outbox entry, or find the record.

        Seen in the store afterwards: the secret, and an entry of the outbox.
        """
        for at, name, web in self._list(now, RESERVED):
            if web.game in now.games:
                has_entry = web.game in now.outbox.waiting | now.outbox.given
                words = (name, web.game, REPLAYED, web.game in now.secrets, has_entry)
                yield words, _put(now, at, Web(FOUND, web.game))
                continue
            waiting = now.outbox.waiting | ({web.game} if "outbox" not in self._without else set())
            secrets = now.secrets | ({web.game} if "secret" not in self._without else set())
            words = (name, web.game, APPENDED, web.game in secrets, web.game in waiting)
            yield (
                words,
                _put(
                    now,
                    at,
                    Web(STORED, web.game),
                    games=now.games | {web.game},
                    secrets=secrets,
                    outbox=now.outbox._replace(waiting=waiting),
                ),
            )

    def show(self, now: Creating) -> Ways[Creating]:
        """Show the game in the lists before the answer; that may fail."""
        for at, name, web in self._list(now, STORED, FOUND):
            yield (name, web.game), _put(now, at, web, listed=now.listed | {web.game})

    def answer(self, now: Creating) -> Ways[Creating]:
        """Answer with the game."""
        for at, name, web in self._list(now, STORED, FOUND):
            answered = now.answered | {web.game}
            yield (name, web.game), _put(now, at, Web(), answered=answered)

    def kill_web(self, now: Creating) -> Ways[Creating]:
        """Let a web process die: whatever it has not stored is gone."""
        for at, name, _ in self._list(now, ASKED, NEW, RESERVED, STORED, FOUND):
            if now.deaths:
                yield (name,), _put(now, at, Web(), deaths=now.deaths - 1)

    # -- a dispatcher -----------------------------------------------------------------------------

    def take(self, now: Creating) -> Ways[Creating]:
        """Take an entry out of the outbox, or take over one that another may have left behind.

        A dispatcher that starts takes over what another one still works on.
        """
        for at, name in self._list_helpers(now, ""):
            for game in sorted(now.outbox.waiting | now.outbox.given):
                outbox = WaitingEntries(now.outbox.waiting - {game}, now.outbox.given | {game})
                if "ack" in self._without:
                    outbox = outbox._replace(given=outbox.given - {game})
                changed = now._replace(outbox=outbox)
                yield (name, game), _help(changed, at, (TAKEN, game))

    def list_game(self, now: Creating) -> Ways[Creating]:
        """Show the game of the entry in the lists; again, where that was done before."""
        for at, name in self._list_helpers(now, TAKEN, SHOWN):
            game = now.dispatchers[at][1]
            if game in now.games:
                listed = now._replace(listed=now.listed | {game})
                yield (name, game), _help(listed, at, (SHOWN, game))

    def acknowledge(self, now: Creating) -> Ways[Creating]:
        """Remove the entry for good."""
        for at, name in self._list_helpers(now, SHOWN):
            game = now.dispatchers[at][1]
            outbox = now.outbox._replace(given=now.outbox.given - {game})
            yield (name,), _help(now._replace(outbox=outbox), at, ("", ""))

    def kill_dispatcher(self, now: Creating) -> Ways[Creating]:
        """Let a dispatcher die, also with an entry that it has taken."""
        for at, name in self._list_helpers(now, "", TAKEN, SHOWN):
            if now.deaths:
                yield (name,), _help(now._replace(deaths=now.deaths - 1), at, ("", ""))

    def _list(self, now: Creating, *does: str) -> Iterator[tuple[int, str, Web]]:
        for at, (name, web) in enumerate(zip(self._webs, now.webs, strict=True)):
            if web.does in does:
                yield at, name, web

    def _list_helpers(self, now: Creating, *does: str) -> Iterator[tuple[int, str]]:
        for at, (name, one) in enumerate(zip(self._helpers, now.dispatchers, strict=True)):
            if one[0] in does:
                yield at, name


def _put(now: Creating, at: int, web: Web, **changed: Any) -> Creating:
    return now._replace(webs=put(now.webs, at, web), **changed)


def _help(now: Creating, at: int, one: tuple[str, str]) -> Creating:
    return now._replace(dispatchers=put(now.dispatchers, at, one))


def is_told_or_waits(now: Creating) -> bool:
    """Return whether each stored game is in the lists, or an entry of the outbox leads there."""
    return now.games <= now.listed | now.outbox.waiting | now.outbox.given


def build(
    webs: tuple[str, ...] = ("web-1", "web-2"),
    dispatchers: tuple[str, ...] = ("dispatcher-1", "dispatcher-2"),
    deaths: int = 2,
    without: Collection[str] = (),
) -> Model[Creating]:
    """Return the model for one key of a player."""
    acts = Creations(list(webs), list(dispatchers), without)
    nothing: frozenset[str] = frozenset()
    initial = Creating(
        *(None, nothing, nothing, WaitingEntries(), nothing, tuple(Web() for _ in webs)),
        *(tuple(("", "") for _ in dispatchers), nothing, 0, deaths),
    )
    creator, weak = "events.commands.table.creating: Creator", Fairness.WEAK
    outbox, dispatcher = "events.server.outbox: Outbox", "workers.dispatcher: Dispatcher"
    return Model(
        "creation with outbox",
        f"{len(webs)} web processes, {len(dispatchers)} dispatchers, {deaths} deaths",
        initial,
        (
            Action("ask", acts.ask, "events.commands.commands: Commands.create"),
            Action("look", acts.look, f"{creator}.repeat", weak),
            Action("reserve", acts.reserve, f"{creator}._reserve", weak),
            Action("append", acts.append, f"{creator}.create", weak),
            Action("show", acts.show, f"{creator}.show"),
            Action("answer", acts.answer, f"{creator}.create", weak),
            Action("kill web", acts.kill_web, "a web process dies"),
            Action("take", acts.take, f"{outbox}.read, {outbox}.reclaim", weak),
            Action("list game", acts.list_game, f"{dispatcher}.handle", weak),
            Action("acknowledge", acts.acknowledge, f"{outbox}.ack", weak),
            Action("kill dispatcher", acts.kill_dispatcher, "a dispatcher dies"),
        ),
        {
            "a key leads to one game": lambda now: len(now.games) <= 1,
            "a stored game has its secret": lambda now: now.games == now.secrets,
            "a stored game is listed, or will be": is_told_or_waits,
            "what was answered is stored": lambda now: now.answered <= now.games,
        },
        (
            Promise(
                "a stored game comes into the lists",
                lambda now: bool(now.games),
                lambda now: now.games <= now.listed,
            ),
            Promise(
                "each entry leaves the outbox",
                lambda now: bool(now.outbox.waiting | now.outbox.given),
                lambda now: not now.outbox.waiting | now.outbox.given,
            ),
        ),
    )
