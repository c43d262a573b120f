"""An engine that plays the last legal move, or does what its first argument says."""

import json
import os
import sys
import time
from collections.abc import Callable


def write(line: str) -> None:
    """Write at once, whatever the engine does next."""
    sys.stdout.write(line)
    sys.stdout.flush()


def die(code: int) -> None:
    """End with a word."""
    print("out of memory", file=sys.stderr)
    sys.exit(code)


def close_stdout() -> None:
    """Stay, without a pipe to answer through."""
    os.close(1)
    time.sleep(60)


def stall() -> None:
    """Begin a line without an end."""
    write('{"id": ' * 20)
    time.sleep(60)


def die_twice(path: str) -> None:
    """End with an error in the first two processes; the file counts them."""
    with open(path, "ab+") as file:
        file.write(b".")
        if file.tell() < 3:
            sys.exit(3)


WAYS: dict[str, Callable[[], object]] = {
    "ten_megabytes": lambda: write("x" * 10_000_000 + "\n"),
    "no_newline": stall,
    "rubbish": lambda: write("Loading weights…\n" * 1000),
    "deep": lambda: write("[" * 5000 + "\n"),
    "list": lambda: write("[1, 2]\n"),
    "late": lambda: time.sleep(60),
    "other_id": lambda: write(json.dumps({"id": 99, "move": {}}) + "\n"),
    "no_id": lambda: write("{}\n"),
    "dies": lambda: die(3),
    "killed": lambda: os.kill(os.getpid(), 9),
    "closes": close_stdout,
    "dies_until": lambda: die_twice(sys.argv[2]),
}
"""What an engine must not do when it is asked for a move."""

ANSWERS: dict[str, dict[str, object]] = {
    "no_move": {"move": None},
    "illegal": {"move": {"type": "castle"}},
    "resign": {"resign": True},
    "twice": {"resign": True},
}
"""What else than a legal move an engine answers."""


def main() -> None:
    """Answer until the end."""
    how = sys.argv[1] if len(sys.argv) > 1 else ""
    if how == "says_pid":
        print("pid", os.getpid(), file=sys.stderr, flush=True)
    if how == "loud":
        sys.stderr.write("noise\n" * 200_000 + "n" * 1_000_000)
    for line in sys.stdin:
        request = json.loads(line)
        answer: dict[str, object] = {"id": request["id"]}
        if request["type"] == "hello":
            answer |= {"name": "Strange", "author": "a test"}
        elif request["type"] == "think":
            WAYS.get(how, lambda: None)()
            answer |= {"move": request["legal"][-1], "info": {"of": len(request["legal"])}}
            answer |= ANSWERS.get(how, {})
        elif request["type"] == "quit":
            if how == "ignores_quit":
                time.sleep(60)
            return
        write((json.dumps(answer) + "\n") * (1 + (how == "twice" and "move" in answer)))


main()
