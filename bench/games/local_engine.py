"""What the engine in the browser takes: CPU time until it is ready, memory, CPU time of thinking.

In a real Chromium, from what was kept for the train. CPU times are those of all processes of the
browser; on a processor that is four times slower they take four times as long, if nothing waits.
Memory is what the renderer with the worker has in addition (proportional set size, Linux alone).
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright

from bench.service._chromium import ARGUMENTS, find
from bench.service._served import CONFIGURATION, cpu_seconds, run_service
from cartulary.cli.embedded.embedded import EmbeddedValkey

KEPT: Final = "[data-key=forget-kept]"
PATIENCE: Final = 180_000  # ms
MEGABYTE: Final = 1_000_000
MOVES: Final = 24

START: Final = """
async () => {
  const list = await (await fetch("/built/engine/engine.json")).json();
  const worker = new Worker("/engine.worker.js", { type: "module" });
  window.send = (data) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { failed, text } }) => failed ? reject(failed) : resolve(text);
    worker.postMessage({ id: 1, ...data });
  });
  const began = performance.now();
  await send({ start: list });
  return performance.now() - began;
}
"""


class Processes:
    """The processes of a browser, found by the folder of its profile."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def list_all(self) -> list[int]:
        """Return the ids of the browser and of all processes that it has started."""
        parents, mains = {}, set()
        for path in Path("/proc").glob("[0-9]*"):
            try:
                stat = (path / "stat").read_text().rpartition(")")[2].split()
                command = (path / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue  # it has ended meanwhile
            parents[int(path.name)] = int(stat[1])
            if f"--user-data-dir={self._folder}" in command:
                mains.add(int(path.name))
        found = set(mains)
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return sorted(found)

    def cpu_seconds(self) -> float:
        """Return the CPU time of all that still run."""
        total = 0.0
        for pid in self.list_all():
            try:
                total += cpu_seconds(pid)
            except OSError:
                continue
        return total

    def memory(self) -> float:
        """Return the MB of the largest renderer."""
        sizes = [0]
        for pid in self.list_all():
            try:
                if b"--type=renderer" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                    continue
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            except OSError:
                continue
            sizes += [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
        return max(sizes) * 1024 / MEGABYTE


def main(seconds: float = 20.0, runs: int = 3) -> dict[str, Any]:
    """Measure an engine of this build; each run starts the browser again with the same profile."""
    del seconds
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as folder,
        EmbeddedValkey(Path(folder) / "valkey") as valkey,
    ):
        environment = {"CARTULARY_EVENTS_URL": str(valkey.url), "CARTULARY_LOG_REQUESTS": "0"}
        with run_service(["-c", CONFIGURATION], environment) as port:
            profile = Path(folder) / "profile"
            found = [_visit(playwright, profile, port, first=at == 0) for at in range(runs + 1)]
    return {"first": found[0], "from what was kept (median)": _medians(found[1:])}


def _visit(playwright: Any, profile: Path, port: int, *, first: bool) -> dict[str, float]:
    context = playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=find(playwright),
        args=list(ARGUMENTS),
        base_url=f"http://127.0.0.1:{port}",
        locale="en-GB",
    )
    try:
        page, processes = context.pages[0], Processes(profile)
        page.goto("/local")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        if first:
            page.locator("[data-key=keep]").click()
        page.locator(KEPT).wait_for(timeout=PATIENCE)
        page.goto("/settings")
        time.sleep(2)  # what the page loads later is no part of the engine
        return _measure(page, processes)
    finally:
        context.close()


def _measure(page: Page, processes: Processes) -> dict[str, float]:
    memory, cpu = processes.memory(), processes.cpu_seconds()
    took = page.evaluate(START)
    ready = processes.cpu_seconds() - cpu
    found = {"ready, s": took / 1000, "ready, CPU-s": ready}
    found["memory when ready, MB"] = processes.memory() - memory
    for game in ("carcassonne", "caylus"):
        for bot in ("medium", "hard"):
            times = _think(page, processes, game, bot)
            found |= {f"{game}, {bot}: {name}": value for name, value in times.items()}
    found["memory at the end, MB"] = processes.memory() - memory
    found["memory of the whole page, MB"] = processes.memory()
    return found


def _ask(page: Page, **message: Any) -> Any:
    return json.loads(page.evaluate("message => send({ message })", message))["answer"]


def _think(page: Page, processes: Processes, game: str, bot: str) -> dict[str, float]:
    """Let a bot play some moves of a game; the slowest is what a person waits for."""
    seats, now = [{"kind": "me"}] * 2, 1_790_000_000_000
    begun = {"game": game, "seats": seats, "person": {"id": "p", "name": "bench"}, "seed": "1"}
    _ask(page, type="new_game", game_id="g", now=now, **begun)
    times = []
    for _ in range(MOVES):
        before = processes.cpu_seconds()
        move = _ask(page, type="think", game_id="g", bot=bot)["move"]
        times.append(processes.cpu_seconds() - before)
        _ask(page, type="play", game_id="g", move=move, now=now)
    return {"CPU-s (median)": statistics.median(times), "CPU-s (slowest)": max(times)}


def _medians(found: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(one[key] for one in found) for key in found[0]} if found else {}
