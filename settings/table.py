"""All settings of the service, in the order in which an operator meets them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from cartulary.settings.settings import FILE, Setting, SettingGroup

SECONDS: Final = "seconds"
BYTES: Final = "bytes"
DAYS: Final = "days"
YES, NO = "1", "0"
UNBOUNDED: Final = sys.maxsize - 1
"""No person means so large a number as a bound."""

ANY = range(UNBOUNDED + 1)
SOME = range(1, UNBOUNDED + 1)
DAY = 86_400

_STORE = SettingGroup(
    "Store",
    (
        Setting(
            *("EVENTS_URL", "url", ""),
            "the store: `redis://`, `rediss://`, `unix://`, or "
            "`redis+cluster://HOST:PORT,HOST:PORT` for [games in a "
            "cluster](operations.md#a-cluster-for-the-games)",
            secret=True,
            otherwise="`serve` starts a Valkey of its own; others do not start",
        ),
        Setting(
            *("QUEUE_URL", "url", ""),
            "the queues of the jobs, and with a cluster everything that belongs to no game: a "
            "standalone server",
            secret=True,
            otherwise="the server of the store",
        ),
        Setting(
            *("DURABILITY", "text", ""),
            "`replicated`: an append counts when a replica has it; `serve` sets it from "
            "[`--durability`](operations.md#what-an-answer-promises)",
            otherwise="the store promises what it is configured for",
        ),
        Setting(
            "CACHE_BYTES", "number", "33554432", "positions that a process caches", BYTES, SOME
        ),
        Setting(
            *("SECRET", "text", ""),
            "[the key of the draws](operations.md#the-key-of-the-draws), 64 hexadecimal digits; "
            "several with commas between them, the key that encrypts first",
            secret=True,
            otherwise="`serve` makes `secret.key` in its data directory; others do not start",
        ),
    ),
)

_ARCHIVE = SettingGroup(
    "Archive and analysis",
    (
        Setting(
            *("ARCHIVE_URL", "url", ""),
            "the database of the finished games: `sqlite:///FILE` or `postgresql+psycopg://…`",
            secret=True,
            otherwise="`archive.sqlite` in the data directory of `serve`, else no archive",
        ),
        Setting(
            *("ARCHIVE_AFTER", "number", "3600"),
            "time after its end in which a game stays in the store; `off`: for ever",
            *(SECONDS, range(10 * 366 * DAY), "off"),
        ),
        Setting(
            *("EXPLORER_URL", "url", ""),
            "the database of [the explorer](explorer.md), in the form of `ARCHIVE_URL`; it may be "
            "the same",
            secret=True,
            otherwise="`explorer.sqlite` in the data directory of `serve`, else no explorer",
        ),
        Setting(
            *("MINING_SECONDS", "number", "0"),
            "CPU a day that workers may use to [mine the archive for "
            "puzzles](making-puzzles.md#a-service-that-mines); 0: none",
            *(SECONDS, range(21_601)),
        ),
        Setting(
            *("DUMPS", "file", ""),
            "a folder of [open data](dumps.md) that `GET /dumps` shows: what `cartulary dump --to` "
            "has made",
            otherwise="nothing is published",
        ),
        Setting(
            *("ANALYSIS_DAYS", "number", "30", "time for which an analysis is kept"),
            *(DAYS, range(1, 3651)),
        ),
    ),
)

_PROCESSES = SettingGroup(
    "Web processes",
    (
        Setting(
            *(
                "BIND",
                "text",
                "127.0.0.1:8000",
                "where gunicorn listens: `HOST:PORT` or `unix:FILE`",
            )
        ),
        Setting("WEB_PROCESSES", "number", "2", "web processes", allowed=range(1, 1001)),
        Setting(
            *("THREADS", "number", "4", "threads of a web process; a thread runs one request"),
            allowed=range(1, 1001),
        ),
        Setting(
            *("PUBLIC_URL", "url", ""),
            "the address of the service in links, and what passkeys are bound to",
            otherwise="links are relative, and passkeys belong to the host of the request",
        ),
        Setting(
            *("PROXIES", "number", "0"),
            "proxies in front whose `X-Forwarded-*` headers the service trusts",
            allowed=ANY,
        ),
        Setting(
            *("CORS_ORIGINS", "text", "*"),
            "origins whose pages may call the API, with commas or spaces between them",
        ),
        Setting(
            *("CERTIFICATE", "file", "", "a certificate in PEM: the service speaks TLS"),
            otherwise="no TLS",
        ),
        Setting(
            *("KEY", "file", "", "the key of the certificate in PEM"),
            otherwise="the key is in the file of the certificate",
        ),
        Setting(
            *("CLIENT", "choice", "built"),
            "what browsers get: the files that `script/bundle` makes; with `current` the modules "
            "while these files are stale",
            choices=("built", "current"),
        ),
        Setting(
            *("CLIENT_TIMEOUT", "number", "20"),
            "time without progress in a request or an answer; 0: no limit",
            *(SECONDS, range(3601)),
        ),
        Setting("MAX_BODY", "number", "262144", "the body of a request", BYTES, ANY),
        Setting("MAX_IMPORT", "number", "1048576", "a transcript that is imported", BYTES, ANY),
    ),
)

_STREAMS = SettingGroup(
    "Streams",
    (
        Setting(
            *("STREAMS", "number", "", "streams and waiting pages of a process"),
            allowed=ANY,
            otherwise="the hard limit of descriptors less 500, at most 20000",
        ),
        Setting(
            *("STREAMS_PER_PLAYER", "number", "50"),
            "of them, those with the token of one player",
            allowed=ANY,
        ),
        Setting(
            *("STREAMS_PER_ADDRESS", "number", "300"),
            "of them, those of one address without a token; an IPv6 /64 counts as one address",
            allowed=ANY,
        ),
        Setting("HEARTBEAT", "number", "15", "time between comments in a stream", SECONDS, ANY),
        Setting("MAX_WAIT", "number", "30", "the longest `wait` of a page", SECONDS, ANY),
    ),
)

RATES: Final[Mapping[str, tuple[str, str]]] = {
    "players": ("120/minute; 1200/hour", "registrations per address"),
    "writes": ("30000/minute", "moves and seats per player and process"),
    "previews": ("6000/minute", "previews per player and process"),
    "games": ("600/minute", "games opened, per player"),
    "imports": ("60/minute", "transcripts imported, per player"),
    "reports": ("20/hour", "reports to the operators, per player"),
    "tickets": (
        "600/minute",
        "tickets per player; begun sign-ins with a passkey per address",
    ),
    "verifications": (
        "60/minute",
        "verifications and comparisons that no process remembers, per player, without a token per "
        "address",
    ),
    "hints": ("120/minute", "hints that no process remembers, per player"),
    "films": (
        "10/minute; 60/hour",
        "films that are to be made, per player, without a token per address",
    ),
    "accounts": ("60/minute", "changes of an account, per player"),
    "sessions": ("5/minute; 20/hour", "tries of link codes and recovery codes, per address"),
    "searches": ("60/minute", "searches for players, per address"),
    "emails": (
        "10/hour; 30/day",
        "e-mails that a client asks for (to confirm an address, to try it), per address",
    ),
}
"""Each rate with its default, in the spelling of the package `limits`, and what it counts."""

_RATES = SettingGroup(
    "Rates",
    tuple(
        Setting(f"RATE_{name.upper()}", "rate", default, meaning)
        for name, (default, meaning) in RATES.items()
    ),
)

QUOTAS: Final[Mapping[str, tuple[str, str]]] = {
    "open": ("50", "games of a player that wait for players"),
    "running": ("200", "running games that a player opened"),
    "bots": ("20", "running games of bots only that a player opened"),
    "imports": ("100", "transcripts that a player imports within an hour"),
    "seats": ("50", "running games in which a player holds a seat"),
    "invitations": ("20", "invitations of a player within a day"),
    "offers": ("3", "open invitations of a player to the same player"),
    "analyses": ("10", "analyses that a player starts within a day"),
}
"""Each quota with its default and what it counts; 0 is no limit."""

_QUOTAS = SettingGroup(
    "Quotas",
    tuple(
        Setting(f"QUOTA_{name.upper()}", "number", default, f"{meaning}; 0: no limit", allowed=ANY)
        for name, (default, meaning) in QUOTAS.items()
    ),
)

_TIME = SettingGroup(
    "Time",
    (
        Setting(
            *("OUTAGE_AFTER", "number", "15"),
            "time without a heartbeat that is an [outage](operations.md#time)",
            *(SECONDS, range(12, 3601)),
        ),
        Setting(
            *("OUTAGE_MARGIN", "number", "60", "how much longer an outage lasts for the clocks"),
            *(SECONDS, range(DAY + 1)),
        ),
        Setting(
            *("VACATION_AT_A_TIME", "number", "14", "vacation that a player may take at a time"),
            *(DAYS, range(367)),
        ),
        Setting(
            *("VACATION_A_YEAR", "number", "35", "vacation that a player may take in a year"),
            *(DAYS, range(367)),
        ),
    ),
)

_NOTICES = SettingGroup(
    "Notices",
    (
        Setting(
            *("NOTICES", "flag", YES, "`serve` runs a notifier, as with `--notices`"),
        ),
        Setting(
            *("PUSH_KEY", "file", ""),
            "the key of push messages in PEM ([notices.md](notices.md#for-operators))",
            otherwise="`push.key` in the data directory of `serve`, else no push messages",
        ),
        Setting(
            *("PUSH_CONTACT", "text", "mailto:operator@localhost"),
            "whom a push service may write to",
        ),
        Setting(
            *("EGRESS_ALLOW", "text", ""),
            "networks beyond the public internet that messages may go to, as `CIDR:port` "
            "([notices.md](notices.md#where-messages-may-go))",
            otherwise="the public internet alone",
        ),
        Setting(
            *("EGRESS_CA", "file", "", "authorities in PEM for these networks"),
            otherwise="the authorities of the system",
        ),
        Setting(
            *("EGRESS_PROXY", "url", "", "an HTTP proxy through which messages go"),
            secret=True,
            otherwise="no proxy",
        ),
        Setting(
            *("EGRESS_RESOLVERS", "text", "", "name servers, as `host` or `host:port`"),
            otherwise="those of `/etc/resolv.conf`",
        ),
        Setting(
            *("SMTP_URL", "url", ""),
            "the mail server: `smtps://`, `smtp+starttls://` or `smtp://HOST:PORT` "
            "([notices.md](notices.md#e-mail)); needs `CARTULARY_PUBLIC_URL`",
            otherwise="no e-mail",
        ),
        Setting(
            *("SMTP_FROM", "text", "", "the sender of e-mails: `Cartulary <games@example.org>`"),
            otherwise="needed with a mail server",
        ),
        Setting(
            *("SMTP_USER", "text", "", "who signs in to the mail server"),
            otherwise="no sign-in",
        ),
        Setting(
            *("SMTP_PASSWORD" + FILE, "file", "", "the file with the password of that user"),
            otherwise="needed with a user",
        ),
        Setting(
            *("SMTP_CA", "file", "", "authorities in PEM for the mail server"),
            otherwise="the authorities of the system",
        ),
    ),
)

_SEEING = SettingGroup(
    "Logs and metrics",
    (
        Setting(
            *("LOG_LEVEL", "choice", "INFO", "what is logged"),
            choices=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        ),
        Setting("LOG_REQUESTS", "flag", YES, "a line for each request"),
        Setting(
            *("METRICS_TOKEN", "text", "", "the bearer token of `/metrics`"),
            secret=True,
            otherwise="there is no `/metrics`",
        ),
    ),
)

SECTIONS: Final = (
    *(_STORE, _ARCHIVE, _PROCESSES, _STREAMS),
    *(_RATES, _QUOTAS, _TIME, _NOTICES, _SEEING),
)

SETTINGS: Final[Mapping[str, Setting]] = {
    setting.name: setting for section in SECTIONS for setting in section.settings
}
"""Each setting by its name without `CARTULARY_`."""

LIFE_FILE: Final = "CARTULARY_LIFE_FILE"
"""The file of a supervised child, whose time the child sets while it works."""

OF_TOOLS: Final = frozenset(
    {
        *("CARTULARY_TOKEN", LIFE_FILE, "CARTULARY_REHEARSAL_FOLDER"),
        *("CARTULARY_NIGHT", "CARTULARY_CHROMIUM", "CARTULARY_PICTURES", "CARTULARY_FALL_BACKS"),
        *("CARTULARY_FAULTS_SEED", "CARTULARY_FAULTS_MACHINE", "CARTULARY_WALK_DIRECTORY"),
        *("CARTULARY_COMPILE", "CARTULARY_OPTIMIZE", "CARTULARY_TESTED_FORM"),
    }
)
"""Variables that set nothing of a service: of commands, of a supervisor's children, of tests."""
