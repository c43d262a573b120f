"""Runs a program as a unit's sandbox does, as far as that needs no systemd.

`python …/sandboxed.py PROGRAM …`: system calls outside `@system-service` get EPERM, no
memory is writable and executable, and no program gets new privileges (systemd.exec(5)).
"""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
from collections.abc import Iterator

PR_SET_NO_NEW_PRIVS, PR_SET_MDWE = 38, 65
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
ALWAYS = {"execve", "exit", "exit_group", "rt_sigreturn", "arch_prctl", "prctl", "seccomp"}
"""What systemd allows besides the groups that a unit names."""


def list_calls(group: str) -> Iterator[str]:
    """Yield the system calls of a group, those of the groups in it included."""
    done = subprocess.run(
        ["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True
    )
    for line in done.stdout.splitlines()[1:]:
        word = line.strip()
        if word.startswith("@"):
            yield from list_calls(word)
        elif word and not word.startswith("#"):
            yield word


def enter(calls: set[str]) -> None:
    """Let this process, and all that it starts, make only these system calls."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(REFUSE)))
    for name in calls:
        number = library.seccomp_syscall_resolve_name(name.encode())
        # A call of another architecture has no number here.
        if number != -1:
            library.seccomp_rule_add_array(context, ctypes.c_uint32(ALLOW), number, 0, None)
    own = ctypes.CDLL(None, use_errno=True)
    for choice in (PR_SET_NO_NEW_PRIVS, PR_SET_MDWE):
        if own.prctl(choice, 1, 0, 0, 0) != 0 and choice == PR_SET_NO_NEW_PRIVS:
            sys.exit("the kernel refuses no_new_privs")
    if library.seccomp_load(context) != 0:
        sys.exit("the kernel refuses the filter")


if __name__ == "__main__":
    enter({*list_calls("@system-service"), *ALWAYS})
    os.execv(sys.argv[1], sys.argv[1:])
