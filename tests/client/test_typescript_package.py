"""The package for browsers and node: what is in it, and that a stranger's folder can use it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cartulary.client import Client
from tests.support.missing_tools import missing

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients" / "typescript"
TSC = ROOT / "script" / "checker" / "node_modules" / ".bin" / "tsc"

USE = """
import { ApiProblem, Client } from "cartulary-client";
const answer = (status, body) => new Response(JSON.stringify(body), { status });
const answers = [answer(503, { code: "unavailable" }), answer(200, { id: "g" })];
answers.push(answer(404, { code: "not_found" }));
const fetch = async () => answers.shift();
const client = new Client("http://service", { fetch, sleep: async () => {} });
console.log((await client.readGame("g")).id);
try {
  await client.readGame("g");
} catch (error) {
  console.log(error instanceof ApiProblem, error.code);
}
const resets = ['"x"', "null", "0"].map((version) => `{"reset": {"version": ${version}}}`);
answers.push(new Response(`${resets.join("\\n")}\\n{"version": 1, "type": "game_aborted"}\\n`));
const seen = [];
for await (const line of client.followGame("g")) seen.push(`${line.kind} ${line.version}`);
console.log(seen.join(", "));
answers.push(answer(200, { public_key: {} }), answer(201, { token: "new" }));
await client.beginSignIn();
await client.signIn({ passkey: { id: "p" }, label: "Phone" });
console.log(client.token);
console.log(JSON.stringify(Object.getOwnPropertyNames(Client.prototype)));
"""
READ = """
import { Client, type Event, type Game } from "cartulary-client";
import type { CarcassonneView, Fact } from "cartulary-client/types";
const policy = { attempts: 1, first: 1, longest: 1, patience: 1 };
const client = new Client("http://service", { token: "t", policy });
export async function read(): Promise<string[]> {
  const game: Game = await client.readGame("g");
  const first: Event = (await client.readEvents("g")).events[0];
  // What a later release says is read without a change of the types.
  const later: unknown = first.weather;
  const seen: string[] = [game.status, first.type, String(later)];
  for await (const line of client.followGames({ g: 3 }, { inbox: true })) {
    if (line.kind === "closed") seen.push(line.reason);
    else if (line.kind === "item") seen.push(line.item.type);
    else if (line.line.kind === "event") {
      const facts: Fact[] = line.line.event.facts ?? [];
      seen.push(...facts.map((fact) => fact.type));
    }
  }
  return seen;
}
export const count = (view: CarcassonneView): number => view.board.length;
"""


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of a machine that may lack it."""
    if shutil.which(str(command[0])) is None:
        missing(f"{command[0]} is missing")
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with the packed package, as npm unpacks it."""
    folder = tmp_path_factory.mktemp("stranger")
    packed = run("npm", "pack", "--json", "--offline", f"--pack-destination={folder}", cwd=PACKAGE)
    (report,) = json.loads(packed.stdout)
    target = folder / "node_modules" / "cartulary-client"
    target.mkdir(parents=True)
    archive = folder / report["filename"]
    run("tar", "-xzf", archive, "--strip-components=1", "-C", target, cwd=folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.mark.process
def test_the_packed_package_works_in_an_empty_folder(installed: Path) -> None:
    (installed / "use.js").write_text(USE)
    read, refused, seen, token, methods = run("node", "use.js", cwd=installed).stdout.splitlines()
    assert (read, refused) == ("g", "true not_found")
    assert seen == "reset 0, event 1", "a version that is no number says nothing"
    assert token == "new"
    assert {*json.loads(methods)} - {"constructor", "token"} == python_methods() - {"close"}


@pytest.mark.process
def test_the_types_of_the_packed_package_compile_and_read_later_releases(installed: Path) -> None:
    if not TSC.exists():
        missing("tsc is missing: script/client installs it")
    (installed / "read.ts").write_text(READ)
    # The types of the package are checked, those that tsc itself brings are not: two thirds of it.
    options = ("--noEmit", "--strict", "--target", "es2023", "--module", "nodenext")
    run(TSC, *options, "--skipDefaultLibCheck", "read.ts", cwd=installed)


def python_methods() -> set[str]:
    """Return the public methods of the client for Python in the spelling of JavaScript."""
    names = [name for name in vars(Client) if not name.startswith("_")]
    return {re.sub(r"_(\w)", lambda found: found[1].upper(), name) for name in names}


def test_the_package_has_its_code_its_types_and_nothing_else() -> None:
    package: dict[str, Any] = json.loads((PACKAGE / "package.json").read_text())
    assert package["files"] == ["src", "types"]
    assert "private" not in package
    for target in (package["types"], *package["exports"]["."].values()):
        assert (PACKAGE / target).is_file(), target
    code = {path.stem for path in (PACKAGE / "src").iterdir()}
    types = {path.name.removesuffix(".d.ts") for path in (PACKAGE / "types").iterdir()}
    assert types == code | {"api"}
