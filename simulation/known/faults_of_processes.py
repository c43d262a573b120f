"""Past faults of what follows from the streams: lists, workers, audits, answers of the service."""

from __future__ import annotations

from typing import Final

from simulation.known.faults_of_streams import FALLEN_BACK
from simulation.known.known_fault import KnownFault, KnownRun
from simulation.known.patches import CodePatch

WORKERS: Final = "cartulary.workers"
AUDIT: Final = "cartulary.events.audit"

CONTRADICTED: Final = (
    "local another = known == version and head ~= '' and\n"
    "  string.gsub(head, ':sealed$', '') ~= string.gsub(ARGV[6], ':sealed$', '')"
)
"""Where the script of the lists compares two events at one version."""

FAULTS: Final = (
    KnownFault(
        "stale list",
        "after a fall-back a list stayed as it was: its summary was ahead of the stream",
        FALLEN_BACK,
        (
            CodePatch(
                "cartulary.events.lists.projections:Projections.project",
                'if done == REFUSED and self._is_lost(table, int(before.split(b" ")[0])):',
                "if False:",
            ),
            CodePatch(
                "cartulary.events.upkeep.stale_lists:Mender.step",
                "if self._restarts.notice():",
                "return 0\n    if self._restarts.notice():",
            ),
        ),
        "list differs",
        "asleep",
        0.1,
        KnownRun("4a204ba2-0", "asleep", 0.1),
    ),
    KnownFault(
        "stale list at the same version",
        "after a fall-back a summary stayed that was of another event at the same version",
        FALLEN_BACK,
        (
            CodePatch("lists/project.lua", CONTRADICTED, "local another = false"),
            CodePatch(
                "lists/project.lua",
                "local same = head == '' or head == ARGV[6]",
                "local same = true",
            ),
        ),
        "list differs",
        "asleep",
        0.1,
        KnownRun("486119ef-0", "asleep", 0.1),
    ),
    KnownFault(
        "list of a lost event",
        "a process that had stood still wrote the summary of a lost event over that of the stored"
        " event",
        "lists: a table of a lost event writes nothing over the summary of the stored one",
        (CodePatch("lists/project.lua", CONTRADICTED, "local another = false"),),
        "list differs",
        "relief",
        0.25,
        KnownRun("7ccfba2c-0", "relief", 0.25),
    ),
    KnownFault(
        "worker ends at a refusal",
        "a worker ended at each refusal of a store whose memory or disk was full",
        "workers: go on after the store has refused a command, in the same process",
        (
            CodePatch(
                f"{WORKERS}.worker:work",
                "except RedisError as error:",
                "except ZeroDivisionError as error:",
            ),
        ),
        "ends by itself",
        "full",
        0.05,
        KnownRun("A-1", "full", 0.0125),
    ),
    KnownFault(
        "worker ends while the store loads",
        "a worker ended, and was started again and again, while the store loaded its data",
        "workers: wait for a store that loads; /readyz: not ready before a dispatcher reports",
        (
            CodePatch(
                f"{WORKERS}.process.store_claim:claim_when_reachable",
                'reported = ""',
                "return True",
            ),
            CodePatch(
                f"{WORKERS}.worker:work",
                "except RedisError as error:",
                "except ZeroDivisionError as error:",
            ),
        ),
        "BusyLoadingError",
        "loads",
        0.1,
        KnownRun("B-3", "loads", 0.0175),
        "at that time a worker had no second attempt either, which came an hour later",
    ),
    KnownFault(
        "start after 30 s of loading",
        "a start of serve gave up after 30 s, so a service with much data could not start",
        "serve: wait for the store as long as its loading progresses",
        (
            CodePatch(
                "cartulary.cli.embedded.embedded:EmbeddedValkey._await",
                "patience.extend(watch.since)",
                "pass",
            ),
        ),
        "serve gives up while the store loads",
        "loads",
        0.1,
        KnownRun("B-3", "loads", 0.0175),
    ),
    KnownFault(
        "audit during a move",
        "an audit called an event lost that was appended while it ran",
        "audit: an event that is appended during the audit is no lost event",
        (
            CodePatch(
                f"{AUDIT}.audit:Audit._check",
                "entries, head = self._ledger.whole(game_id)\n",
                "entries, head = self._ledger.whole(game_id)\n"
                "    reached = self._ledger.reached(game_id)\n",
            ),
            CodePatch(
                f"{AUDIT}.audit:Audit._check", "reached > len(entries)", "reached != len(entries)"
            ),
        ),
        "is audited while it is played",
        "audits",
        0.02,
        KnownRun("D-1", "audits", 0.02),
        "the rebuild lay between the two reads",
    ),
    KnownFault(
        "audit of a proposal at the end",
        "an audit refused a game in which a proposal lapsed when the last rival resigned",
        "audit: let the open proposal lapse between the last leaving and the end of the play",
        (
            CodePatch(
                f"{AUDIT}.agreements:AgreementAudit.faults",
                'due.type == PLAY_ENDED and event["type"] == PROPOSAL_CLOSED',
                "False",
            ),
        ),
        "has to come here",
        "leavings",
        0.05,
        KnownRun("A-1", "leavings", 0.03),
    ),
    KnownFault(
        "bot that fails",
        "a bot that raised stopped its game: its job failed for each try",
        "workers: let medium move for a bot that fails, and then random",
        (
            CodePatch(
                f"{WORKERS}.jobs:list_thinkers",
                "names = [*list_substitutes(bot, offered)] if missing else "
                "[bot, *list_substitutes(bot, offered)]",
                "names = [bot]",
            ),
        ),
        "no worker moves for a bot",
        "bots",
        0.08,
        KnownRun("J-0", "bots", 0.08),
    ),
    KnownFault(
        "thought of lost draws",
        "a bot's thought was appended with the seed of a secret that had been renewed meanwhile",
        "events: renewed draws void the thought of a bot",
        (
            CodePatch(
                "cartulary.events.commands.game.bot_moves:BotMoves.recall",
                'if found is None or found.about.get("seed") != self._draws.bot_seed(table):',
                "if found is None:",
            ),
            CodePatch(
                "cartulary.events.commands.game.bot_moves:BotMoves._decide",
                "if _find_commitment(table) != _find_commitment(seen):",
                "if False:",
            ),
        ),
        "seed",
        "renewals",
        0.02,
        KnownRun("A-0", "renewals", 0.02),
    ),
    KnownFault(
        "full memory is 500",
        "a store without memory was answered with 500, which no client repeats",
        "http: answer 503 when the store has no memory left",
        (
            CodePatch(
                "cartulary.events.server.connection:takes_no_writes",
                "known = isinstance(error, OutOfMemoryError | ReadOnlyError)",
                "known = False",
            ),
        ),
        "answers 500",
        "full",
        0.05,
        KnownRun("A-1", "full", 0.0125),
        "redis-py has a class for this refusal, whose text lacks the code",
    ),
    KnownFault(
        "silent store is asked four times",
        "a request waited for a silent store four times, for 10 s each",
        "Say soon that the store is silent: do not ask four times for 10 s each",
        (
            CodePatch(
                "cartulary.events.server.connection:connect",
                "(Unreachable, TooSlow) if patient else (Unreachable,)",
                "(Unreachable, TooSlow)",
            ),
        ),
        "s and more",
        "silence",
        0.1,
        KnownRun("D-0", "silence", 0.1),
    ),
)
