"""The table of all checks, in the order in which an operator should mend what they find.

`docs/operating/doctor.md` is made from it (`describing`).
"""

from __future__ import annotations

from typing import Final

from cartulary.cli.doctor import (
    archive_checks,
    backup_checks,
    clock_checks,
    format_checks,
    key_checks,
    list_checks,
    mining_checks,
    process_checks,
    queue_checks,
    server_checks,
    setting_checks,
)
from cartulary.cli.doctor.rows import Check, Needs, Severity, make_section

ERROR, WARNING = Severity.ERROR, Severity.WARNING
NOTHING, SERVERS, GAMES, ARCHIVE = Needs.NOTHING, Needs.SERVERS, Needs.GAMES, Needs.ARCHIVE

_SETTINGS: Final = make_section(
    "settings",
    Check(
        "setting_unknown",
        ERROR,
        "A variable that begins with `CARTULARY_` sets nothing, so what was meant is not set.",
        "Correct its name, or remove it; `cartulary config` shows all settings.",
        "configuration.md",
        setting_checks.find_unknown_variables,
        NOTHING,
    ),
    Check(
        "setting_invalid",
        ERROR,
        "A setting cannot be read: processes do not start with it.",
        "Correct the variable; `cartulary config` shows each with its unit and what it accepts.",
        "configuration.md",
        setting_checks.find_invalid,
        NOTHING,
    ),
    Check(
        "settings_contradict",
        WARNING,
        "Two settings do not fit together: one of them does not do what it says.",
        "Change one of the two, and restart the processes.",
        "configuration.md",
        setting_checks.find_contradictions,
        NOTHING,
    ),
    Check(
        "key_unreadable",
        ERROR,
        "The key of the draws cannot be read: it is in `CARTULARY_SECRET`, or in `secret.key`.",
        "Run the command as the user of the service; where the key is damaged, put your copy back.",
        "operations.md#the-key-of-the-draws",
        setting_checks.find_unreadable_key,
        NOTHING,
    ),
    Check(
        "certificate_unreadable",
        ERROR,
        "The certificate of the service cannot be read, or does not fit its key.",
        "Correct `CARTULARY_CERTIFICATE` and `CARTULARY_KEY`: both name files in PEM.",
        "operations.md#a-certificate-of-its-own",
        setting_checks.find_bad_certificate,
        NOTHING,
    ),
    Check(
        "certificate_ended",
        ERROR,
        "The certificate of the service has ended: browsers refuse to show it.",
        "Replace the file; the service takes the new certificate within a second.",
        "operations.md#a-certificate-of-its-own",
        setting_checks.find_ended_certificate,
        NOTHING,
    ),
    Check(
        "certificate_ending",
        WARNING,
        "The certificate of the service ends within three weeks, and nothing has renewed it.",
        "Renew it, and look why it was not renewed by itself.",
        *(
            "operations.md#a-certificate-of-its-own",
            setting_checks.find_ending_certificate,
            NOTHING,
        ),
    ),
)

_STORE: Final = make_section(
    "store",
    Check(
        "store_unknown",
        ERROR,
        "It is not known where the store is: the service does not run, or runs elsewhere.",
        "Start `cartulary serve`; where the processes run by themselves, run the doctor with their "
        "environment.",
        "operations.md#running-the-processes",
        server_checks.find_no_store,
        NOTHING,
    ),
    Check(
        "store_silent",
        ERROR,
        "A server does not answer: every request about a game gets 503.",
        "Start the server, and look into its log; `valkey-cli -u URL PING` asks it. While it loads "
        "its data it answers nothing else.",
        "operations.md#running-the-processes",
        server_checks.find_silence,
        NOTHING,
    ),
    Check(
        "store_old",
        ERROR,
        "A server is older than Valkey or Redis 7, whose commands the service needs.",
        "Upgrade the server.",
        "operations.md#running-the-processes",
        server_checks.find_old_server,
    ),
    Check(
        "store_is_replica",
        ERROR,
        "An address leads to a replica, which takes no writes.",
        "Let the address name the master; after a failure `REPLICAOF NO ONE` makes a master of the "
        "replica.",
        "operations.md#a-cluster-for-the-games",
        server_checks.find_replica,
    ),
    Check(
        "store_forgets",
        ERROR,
        "A server has no append-only file: at its end, all since the last snapshot is lost.",
        "`valkey-cli CONFIG SET appendonly yes`, and `appendonly yes` in its configuration.",
        "operations.md#running-the-processes",
        server_checks.find_no_file,
    ),
    Check(
        "store_fsync_off",
        ERROR,
        "The system writes the append-only file when it likes: half a minute of moves is lost with "
        "the power.",
        "`valkey-cli CONFIG SET appendfsync everysec`, or `always`, and the same in its "
        "configuration.",
        "operations.md#what-an-answer-promises",
        server_checks.find_no_fsync,
    ),
    Check(
        "store_config_hidden",
        WARNING,
        "A server does not show its configuration, so what it promises of its disk is unknown.",
        "Look into the page of the service that runs it: `appendfsync` has to be `everysec` or "
        "`always`.",
        "operations.md#what-an-answer-promises",
        server_checks.find_hidden_config,
    ),
    Check(
        "store_promise_broken",
        ERROR,
        "The settings promise more than the server does, and the service answers by the settings.",
        "`valkey-cli CONFIG SET appendfsync always`, or unset `CARTULARY_DURABILITY`.",
        "operations.md#what-an-answer-promises",
        server_checks.find_broken_promise,
    ),
    Check(
        "store_write_failed",
        ERROR,
        "A server could not write to its disk: it refuses writes, or will soon.",
        "Make room on its disk, and look into its log; writing goes on without a restart.",
        "operations.md#what-an-answer-promises",
        server_checks.find_failed_writes,
    ),
    Check(
        "store_evicts",
        ERROR,
        "A server whose memory is full removes keys: games, tokens and leases are lost without a "
        "word.",
        "`valkey-cli CONFIG SET maxmemory-policy noeviction`, and the same in its configuration.",
        "operations.md#running-the-processes",
        server_checks.find_eviction,
    ),
    Check(
        "memory_short",
        WARNING,
        "The memory of a server is nearly full; a full one takes no writes.",
        "Archive games sooner (`CARTULARY_ARCHIVE_AFTER`, `cartulary archive --now`), raise "
        "`maxmemory`, or add memory.",
        "operations.md#how-it-grows",
        server_checks.find_short_memory,
    ),
    Check(
        "disk_short",
        ERROR,
        "A disk on which the service writes is nearly full: writes get 503 then.",
        "Make room: old backups and logs first, never the files of Valkey or the archive.",
        "operations.md#how-it-grows",
        server_checks.find_short_disk,
        NOTHING,
    ),
    Check(
        "replica_missing",
        ERROR,
        "An append counts when a replica has it, and there is no replica: every move gets 503.",
        "Start a replica (`REPLICAOF`), or unset `CARTULARY_DURABILITY`.",
        "operations.md#what-an-answer-promises",
        server_checks.find_no_replica,
    ),
    Check(
        "replica_late",
        WARNING,
        "A replica does not follow its master: what the master has stored since is lost with it.",
        "Look into the log of the replica and at the network between the two.",
        "operations.md#a-cluster-for-the-games",
        server_checks.find_late_replicas,
    ),
    Check(
        "slots_missing",
        ERROR,
        "Slots of the cluster have no master: their games get 503.",
        "Start the master or a replica of it; `valkey-cli --cluster check HOST:PORT` names them.",
        "operations.md#a-cluster-for-the-games",
        server_checks.find_missing_slots,
    ),
    Check(
        "cluster_all_or_nothing",
        WARNING,
        "One missing slot would stop the games of all slots.",
        "`valkey-cli CONFIG SET cluster-require-full-coverage no` on each node.",
        "operations.md#a-cluster-for-the-games",
        server_checks.find_full_coverage,
    ),
)

_TIME: Final = make_section(
    "time",
    Check(
        "clock_off",
        ERROR,
        "This machine has another time than the store: clocks of games and outages follow it.",
        "Set the clock by NTP: `timedatectl set-ntp true`, `chronyc tracking`.",
        "operations.md#time",
        clock_checks.find_own_clock,
    ),
    Check(
        "clock_of_process_off",
        ERROR,
        "A machine of the service has another time than the store: clocks run wrongly, and two web "
        "machines that differ make one long outage.",
        "Set the clock of that machine by NTP.",
        "operations.md#time",
        clock_checks.find_other_clocks,
    ),
    Check(
        "outage_ahead",
        ERROR,
        "An outage lies in the future, so no clock runs until then: a clock was far ahead.",
        "When the time is right again: `valkey-cli ZREM outages FROM-UNTIL`.",
        "operations.md#time",
        clock_checks.find_outage_ahead,
        GAMES,
    ),
)

_KEYS: Final = make_section(
    "keys",
    Check(
        "format_newer",
        ERROR,
        "A newer release has written to the store, so this one may not work on it.",
        "Use the newer release, also for this command.",
        "operating/upgrades.md#the-format-of-the-store",
        format_checks.find_newer_format,
    ),
    Check(
        "format_held_back",
        WARNING,
        "The store keeps an earlier format: a process of an earlier release works, or did a moment "
        "ago.",
        "Upgrade or end the earlier process; `cartulary status` names it.",
        "operating/upgrades.md#the-format-of-the-store",
        format_checks.find_low_format,
        GAMES,
    ),
    Check(
        "restore_unfinished",
        ERROR,
        "A restore was interrupted, so the store is incomplete and no process works on it.",
        "Run the same `cartulary restore` again, or begin with an empty store.",
        "operations.md#backup",
        format_checks.find_half_restored,
    ),
    Check(
        "key_missing",
        ERROR,
        "The key of the draws is not here: processes that run by themselves do not start.",
        "Set `CARTULARY_SECRET` (or `CARTULARY_SECRET_FILE`) to the key of all other processes.",
        "operations.md#the-key-of-the-draws",
        setting_checks.find_no_key,
        GAMES,
    ),
    Check(
        "key_wrong",
        ERROR,
        "The key of the draws here is another than that of the store: draws get 503.",
        "Put the right key back; when it is lost, `cartulary serve --renew-draws`.",
        "operations.md#the-key-of-the-draws",
        setting_checks.find_wrong_key,
        GAMES,
    ),
    Check(
        "key_differs",
        ERROR,
        "A process has another key of the draws than the store: draws there get 503.",
        "Give all processes the same `CARTULARY_SECRET`; after a change of the key run `cartulary "
        "rotate-secret`.",
        "operations.md#the-key-of-the-draws",
        process_checks.find_other_keys,
        GAMES,
    ),
    Check(
        "keys_unknown",
        WARNING,
        "The store has keys that no release of this software knows: others write into it, or a "
        "newer release has.",
        "Give the service a server, or a database number, of its own.",
        "ledger.md#keys",
        key_checks.find_unknown_keys,
    ),
    Check(
        "keys_lasting",
        WARNING,
        "Keys that should expire have no time at which they do, so they stay for ever.",
        "They may be deleted at any moment: `valkey-cli UNLINK KEY`. Tell us which they are.",
        "ledger.md#keys",
        key_checks.find_lasting_keys,
    ),
)

_GAMES: Final = make_section(
    "games",
    Check(
        "game_damaged",
        ERROR,
        "The events of a game cannot be read: it gets 503 `game_damaged`.",
        "`cartulary audit` says what is wrong; a backup from before has the game whole.",
        "operations.md#audit",
        list_checks.find_damaged,
        GAMES,
    ),
    Check(
        "summary_missing",
        ERROR,
        "A game is in no list: no player finds it, and nothing goes on in it by itself.",
        "`cartulary rebuild`, while the service runs.",
        "ledger.md#keys",
        list_checks.find_unlisted,
        GAMES,
    ),
    Check(
        "summary_differs",
        ERROR,
        "A list says other than the events of a game.",
        "`cartulary rebuild`, while the service runs.",
        "ledger.md#keys",
        list_checks.find_differing,
        GAMES,
    ),
    Check(
        "summary_without_game",
        WARNING,
        "A list shows a game that neither the store nor the archive has: the store has lost it.",
        "Look for what the store has lost (`cartulary audit`); a restart of the dispatcher removes "
        "such lists.",
        "ledger.md#keys",
        list_checks.find_orphans,
        GAMES,
    ),
)

_PROCESSES: Final = make_section(
    "processes",
    Check(
        "web_missing",
        ERROR,
        "No web process works: nothing is served, and clocks stand still.",
        "Start one (`cartulary-web.service`), and look into its log.",
        "operations.md#running-the-processes",
        process_checks.find_no_web,
        GAMES,
    ),
    Check(
        "dispatcher_missing",
        ERROR,
        "No dispatcher works: bots do not move, lists stand still, `/readyz` is 503.",
        "Start one (`cartulary-dispatcher.service`), and look into its log.",
        "operations.md#running-the-processes",
        process_checks.find_no_dispatcher,
        GAMES,
    ),
    Check(
        "worker_missing",
        ERROR,
        "No worker works: bots do not move, and no game is scored.",
        "Start one with `--fast` and one without.",
        "processes.md#the-background",
        process_checks.find_no_worker,
        GAMES,
    ),
    Check(
        "thinker_missing",
        ERROR,
        "Each worker takes quick jobs only: bots that think do not move, and nothing is analysed.",
        "Start a worker without `--fast` (`cartulary-worker@1.service`).",
        "processes.md#the-background",
        process_checks.find_no_thinker,
        GAMES,
    ),
    Check(
        "notifier_missing",
        WARNING,
        "No notifier works: push messages, webhooks and e-mails are not sent.",
        "Start one (`cartulary-notifier.service`); `CARTULARY_NOTICES=0` says that none is wanted.",
        "notices.md#for-operators",
        process_checks.find_no_notifier,
        GAMES,
    ),
    Check(
        "release_differs",
        WARNING,
        "A process is of another release than this command: an upgrade is under way, or was not "
        "finished.",
        "Restart that process, or upgrade its machine.",
        "operating/upgrades.md",
        process_checks.find_other_releases,
        GAMES,
    ),
)

_WORK: Final = make_section(
    "work",
    Check(
        "outbox_stuck",
        ERROR,
        "Appends wait for a dispatcher: lists stand still and bots do not move.",
        "Look into the log of the dispatcher; start another one.",
        "processes.md#the-background",
        queue_checks.find_stuck_outbox,
        GAMES,
    ),
    Check(
        "queue_stuck",
        ERROR,
        "Jobs wait for a worker for too long.",
        "Look into the logs of the workers; start more of them, one for each core.",
        "processes.md#the-background",
        queue_checks.find_stuck_queues,
        GAMES,
    ),
    Check(
        "jobs_failed",
        WARNING,
        "Jobs have failed within the last day; the sweep repeats each that is still needed.",
        "Look for the id in the logs of the workers.",
        "processes.md#the-background",
        queue_checks.find_failed_jobs,
        GAMES,
    ),
    Check(
        "game_waits",
        ERROR,
        "A game waits for a bot, a score or a timer, and no process sees to it.",
        "Look for its id in the logs of dispatcher and workers; `cartulary audit` checks it.",
        "processes.md#the-background",
        queue_checks.find_waiting_games,
        GAMES,
    ),
    Check(
        "timers_late",
        ERROR,
        "Flags fall late: the dispatcher has more to do than it can.",
        "Start another dispatcher; look at the cores of its machine.",
        "operations.md#metrics",
        queue_checks.find_late_timers,
        GAMES,
    ),
    Check(
        "notices_late",
        WARNING,
        "Messages to players are late: one notifier is too few, or none works.",
        "Start another notifier.",
        "notices.md#for-operators",
        queue_checks.find_late_notices,
        GAMES,
    ),
)

_ARCHIVE: Final = make_section(
    "archive",
    Check(
        "archive_failing",
        ERROR,
        "The archive does not answer, or is not that of this store: archived games get 503, and "
        "finished games fill the store.",
        "Start the database, or correct `CARTULARY_ARCHIVE_URL`.",
        "ledger.md#archive",
        archive_checks.find_failing_archive,
        ARCHIVE,
    ),
    Check(
        "archive_behind",
        WARNING,
        "Games that are over stay in the store: no worker without `--fast` has time for them.",
        "`cartulary archive --now`, and another worker.",
        "ledger.md#archive",
        archive_checks.find_unarchived,
        ARCHIVE,
    ),
    Check(
        "mining_stuck",
        WARNING,
        "`CARTULARY_MINING_SECONDS` asks for the archive to be mined for puzzles, and it is not.",
        "Restart the dispatcher with the setting; start a worker without `--fast`; where workers "
        "have no time to spare, another one, or set it to 0.",
        "making-puzzles.md#a-service-that-mines",
        mining_checks.find_stuck_mining,
        GAMES,
    ),
    Check(
        "archive_damaged",
        ERROR,
        "An archived game cannot be read, or is another than its row says.",
        "`cartulary audit` names all of them; a backup from before has them whole.",
        "operations.md#audit",
        archive_checks.find_damaged_archive,
        ARCHIVE,
    ),
)

_BACKUP: Final = make_section(
    "backup",
    Check(
        "backup_missing",
        WARNING,
        "No backup is proven: what is lost with the disk is lost for good.",
        "`cartulary backup TARGET` every night; it is restored and audited before it counts.",
        "operations.md#backup",
        backup_checks.find_no_backup,
        GAMES,
    ),
    Check(
        "backup_old",
        ERROR,
        "The last proven backup is older than two days.",
        "Look into the log of the timer that makes it; `cartulary backup TARGET` makes one now.",
        "operations.md#backup",
        backup_checks.find_old_backup,
        GAMES,
    ),
)

CHECK_FAILED: Final = Check(
    "check_failed",
    ERROR,
    "A check could not be made: a server or the archive has refused what it asked for.",
    "Mend what the message says, and run the doctor again.",
    "operations.md#running-the-processes",
    lambda _place: (),
    section="doctor",
)
"""No check, but what is found where a check ends with an error."""

CHECKS: Final = (
    *_SETTINGS,
    *_STORE,
    *_TIME,
    *_KEYS,
    *_GAMES,
    *_PROCESSES,
    *_WORK,
    *_ARCHIVE,
    *_BACKUP,
)
"""All checks; a section is a run of rows."""
