"""`/llms.txt`: the form of llmstxt.org, and links that lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.service.support.caller import Caller

ROOT = Path(__file__).parents[4]
LINK = re.compile(r"^- \[([^\]]+)\]\(([^)]+)\): \S.*$")


@pytest.fixture
def page(visitor: Caller) -> str:
    answer = visitor.client.get("/llms.txt")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    known = {"If-None-Match": answer.headers["ETag"]}
    assert visitor.client.get("/llms.txt", headers=known).status_code == 304
    return answer.text


def test_the_page_has_a_title_a_summary_and_sections_of_links(page: str) -> None:
    lines = page.splitlines()
    assert re.fullmatch(r"# \S.*", lines[0])
    assert lines[2].startswith("> ")
    sections = page.split("\n## ")[1:]
    assert len(sections) >= 3
    for section in sections:
        listed = [line for line in section.splitlines()[1:] if line]
        assert listed
        assert all(map(LINK.match, listed)), section
    assert sections[-1].startswith("Optional\n")


@pytest.mark.slow
def test_every_link_leads_to_a_page_that_exists(page: str, visitor: Caller) -> None:
    links = [found[2] for line in page.splitlines() if (found := LINK.match(line))]
    assert len(links) >= 12
    for link in links:
        if link.startswith("/docs/"):
            assert (ROOT / f"{link.strip('/')}.md").is_file(), link
        else:
            assert visitor.client.get(link).status_code == 200, link


def test_every_call_that_the_page_names_is_described(page: str) -> None:
    described = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    named = re.findall(r"`(?:GET|POST) (/api/v1/[^`?]+)", page)
    assert len(named) == 3
    for path in named:
        assert f"{path.replace('{id}', '{game_id}')}:" in described, path
