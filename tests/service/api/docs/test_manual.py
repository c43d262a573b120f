"""The documentation as a site: what the service sends with and without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cartulary.service.api.docs import manual
from tests.service.support.caller import Caller
from tests.service.support.scene import problem


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of one page and one file in place of the built one."""
    made = tmp_path / "docs"
    (made / "api").mkdir(parents=True)
    (made / "index.html").write_text("<script>1</script>first")
    (made / "api" / "index.html").write_text("reference")
    (made / "style.css").write_text("p {}")
    (made / "scripts.json").write_text(json.dumps(["'sha256-abc='"]))
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(manual, "_SITE", made)
    manual.read_digests.cache_clear()
    return made


def test_the_first_page_is_at_docs_with_a_slash(visitor: Caller, site: Path) -> None:
    assert visitor.client.get("/docs").headers["Location"] == "/docs/"
    answer = visitor.client.get("/docs/")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "first" in answer.text


def test_a_page_without_its_slash_leads_to_the_page(visitor: Caller, site: Path) -> None:
    assert visitor.client.get("/docs/api").headers["Location"] == "/docs/api/"
    assert visitor.client.get("/docs/api/").text == "reference"


def test_a_page_may_run_its_own_scripts_and_no_others(visitor: Caller, site: Path) -> None:
    policy = visitor.client.get("/docs/").headers["Content-Security-Policy"]
    assert "script-src 'self' 'sha256-abc=';" in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    "path",
    ["nothing", "nothing/", "scripts.json", "../secret.txt", "..%2fsecret.txt", "style.css/"],
)
def test_what_is_no_page_and_no_file_is_not_found(visitor: Caller, site: Path, path: str) -> None:
    problem(visitor.client.get(f"/docs/{path}"), 404, "not_found")


def test_files_of_the_site_are_sent_with_their_type(visitor: Caller, site: Path) -> None:
    assert visitor.client.get("/docs/style.css").mimetype == "text/css"


@pytest.mark.slow
def test_a_service_without_the_site_says_so_and_leads_to_what_is_there(
    visitor: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, "_SITE", tmp_path)
    answer = visitor.client.get("/docs/")
    assert answer.status_code == 200
    for link in ("/docs/api/try", "/docs/problems", "/docs/fairness", "/openapi.yaml"):
        assert f'href="{link}"' in answer.text
        assert visitor.client.get(link).status_code == 200
    problem(visitor.client.get("/docs/http/"), 404, "not_found")
