"""How a bridge speaks: with the program of another engine, and by the line protocol with us."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

from cartulary.engine.core import Json


class Program:
    """A program that answers each line of JSON on stdin with one on stdout."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, question: Json) -> Any:
        """Return the answer; raises `RuntimeError` when the program has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        if not (answer := self._process.stdout.readline()):
            raise RuntimeError(f"the engine has ended with {self._process.wait()}")
        return json.loads(answer)


def answer_questions(name: str, author: str, think: Callable[[Json], Json]) -> None:
    """Answer the questions of the line protocol on stdin until `quit`."""
    for line in sys.stdin:
        question = json.loads(line)
        answer: Json = {}
        if question["type"] == "quit":
            return
        if question["type"] == "hello":
            answer = {"name": name, "author": author}
        elif question["type"] == "think":
            answer = think(question)
        print(json.dumps({"id": question["id"], **answer}), flush=True)
