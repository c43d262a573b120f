"""What a program has loaded is not looked at for garbage; what comes after it is."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cartulary.settings.garbage import load_uncollected

AT_MAIN = """
import gc, runpy, sys
from cartulary.workers.process import log

def look():
    print(gc.isenabled(), gc.get_freeze_count() > 50_000)
    raise SystemExit

log.configure_logging = look
runpy.run_module(sys.argv.pop(), run_name="__main__")
"""
"""Runs a program until it begins, and says whether its collector is enabled and keeps the rest."""
AT_WORK = """
import gc
from types import SimpleNamespace
from cartulary.service.process import gunicorn_conf as conf

conf.post_fork(None, SimpleNamespace(end_with_parent=lambda: None, age=1))
print(gc.isenabled())
app = SimpleNamespace(show_connections=None, start_pulse=lambda: None)
conf.post_worker_init(SimpleNamespace(wsgi=app))
print(gc.isenabled(), gc.get_freeze_count() > 10_000, gc.get_threshold()[0] > 2000)
"""


@pytest.fixture
def enabled() -> Iterator[None]:
    """Leave the collector enabled."""
    gc.enable()
    yield
    gc.enable()


def run(code: str, *arguments: str) -> list[str]:
    """Return the words that a process prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.slow
def test_a_program_of_the_service_collects_what_comes_after_its_imports() -> None:
    for program in ("dispatcher", "worker", "notices.notifier"):
        assert run(AT_MAIN, f"cartulary.workers.{program}") == ["True", "True"], program


@pytest.mark.slow
def test_a_web_process_collects_what_comes_after_its_app() -> None:
    assert run(AT_WORK) == ["False", "True", "True", "True"]


def test_the_collector_rests_while_a_command_is_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, enabled: None
) -> None:
    (tmp_path / "looks_at_garbage.py").write_text("import gc\nfound = gc.isenabled()\n")
    (tmp_path / "breaks_when_loaded.py").write_text("raise LookupError\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_uncollected("looks_at_garbage").found is False
    assert gc.isenabled()
    with pytest.raises(LookupError):
        load_uncollected("breaks_when_loaded")
    assert gc.isenabled()


def test_a_collector_that_a_caller_has_disabled_stays_so(enabled: None) -> None:
    gc.disable()
    load_uncollected("colorsys")
    assert not gc.isenabled()
