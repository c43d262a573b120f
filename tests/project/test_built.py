"""The built files of the client: of the sources of today, and sent instead of them."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import brotli
import pytest

from cartulary.service.api.site import built_client, built_engine, client

ROOT = Path(__file__).parents[2]
BUNDLER = ROOT / "script" / "bundler"
STALE = "run script/bundle and commit web/built"


def test_the_built_files_come_from_the_sources_of_today() -> None:
    """Without node; with node `script/bundle --check` compares the bytes."""
    record = built_client.read_built()
    assert record.sources == built_client.digest_sources(), STALE
    files = [BUNDLER / name for name in ("bundle.mjs", "package-lock.json")]
    assert record.bundler == built_client.digest_files(BUNDLER, files), STALE


def test_the_engine_for_the_browser_comes_from_the_sources_of_today() -> None:
    engine = built_engine.read_engine()
    stale = "run script/engine and commit web/built/engine"
    assert engine.sources == built_engine.digest_package(ROOT), stale
    wanted = json.loads((ROOT / "script" / "pyodide" / "package.json").read_text(encoding="utf-8"))
    assert engine.pyodide == wanted["dependencies"]["pyodide"], stale
    parts = [ROOT / "script" / "engine", ROOT / "script" / "pyodide" / "compile.mjs"]
    recipe = sha256(b"".join(sha256(part.read_bytes()).digest() for part in parts)).hexdigest()
    assert engine.recipe == recipe, stale


def test_each_file_of_the_engine_is_what_the_list_says_and_there_are_no_others() -> None:
    folder, listed = built_client.WEB / "built" / "engine", built_engine.read_engine().files
    for one in listed.values():
        packed = (folder / f"{one.path}.br").read_bytes()
        body = brotli.decompress(packed)
        assert (len(packed), len(body)) == (one.sent, one.bytes)
        assert sha256(body).hexdigest() == one.sha256
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {"engine.json", *(f"{one.path}.br" for one in listed.values())}


def test_the_record_names_the_built_files_and_there_are_no_others() -> None:
    record = built_client.read_built()
    names = {path.name for path in (built_client.WEB / "built").iterdir() if path.is_file()}
    scripts = {record.script, record.later, record.tournaments, record.puzzles, record.studies}
    assert names == {"built.json", record.style, record.early, *scripts}


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the client whose built files are of its sources."""
    web = tmp_path / "web"
    shutil.copytree(built_client.WEB, web)
    monkeypatch.setattr(built_client, "WEB", web)
    caches = (
        *(
            built_client.read_built,
            built_client.is_stale,
            built_client.read_early,
            built_client.digest_early,
        ),
        *(client._make_page, client._add_tags),
    )
    for cached in caches:
        cached.cache_clear()
    record = (web / "built" / "built.json").read_text(encoding="utf-8")
    today = record.replace(built_client.read_built().sources, built_client.digest_sources())
    (web / "built" / "built.json").write_text(today, encoding="utf-8")
    built_client.read_built.cache_clear()
    yield web
    for cached in caches:
        cached.cache_clear()


def page(wanted: str) -> str:
    return client._make_page(wanted, "words").body.decode()


@pytest.mark.slow
@pytest.mark.parametrize("change", ["js/main.js", "css/base.css", "index.html"])
def test_a_change_of_a_source_makes_the_built_files_stale(web: Path, change: str) -> None:
    assert not built_client.is_stale()
    built_client.is_stale.cache_clear()
    with (web / change).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert built_client.is_stale()


@pytest.mark.slow
def test_a_page_names_modules_only_while_the_built_files_are_stale_and_somebody_develops(
    web: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    assert "/built/app." in page("built")
    assert "/built/app." in page("current")
    assert not caplog.records
    (web / "js" / "more.js").write_text("export {};\n", encoding="utf-8")
    built_client.is_stale.cache_clear()
    client._make_page.cache_clear()
    assert "/js/main.js" in page("current")
    assert "/built/app." not in page("current")
    # In production the built files stay, and the log says so.
    assert "/built/app." in page("built")
    assert "run script/bundle" in caplog.text


def test_without_built_files_a_service_says_what_to_run(web: Path) -> None:
    shutil.rmtree(web / "built")
    built_client.read_built.cache_clear()
    with pytest.raises(RuntimeError, match="run script/bundle"):
        page("built")
    assert "/js/main.js" in page("current")
