"""Local games while two things happen at once: the account, two devices, a table that is left.

A page without the client runs modules of it. The engine of these pages is a worker that tells of
each message before it answers, so that a test does something while a message waits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.network.test_local_games import PUT_GAME, nearly_over, put_game
from tests.browser.network.test_local_storage import NAME, kept, moves_of
from tests.browser.support.account import Account
from tests.browser.support.chromium import window
from tests.support.real_serve import Served

pytestmark = [pytest.mark.browser, pytest.mark.real]

GAMES = "/players/me/local_games"

ENGINE = """
() => {
  const open = new Set();
  window.starts = true; // whether the engine starts
  const game = { status: "running" };
  window.course = null;   // the transcript that the engine has
  window.heard = () => {}; // called with each message before it is answered
  const answers = {
    load: ({ game_id, transcript }) => (open.add(game_id), (window.course = transcript), game),
    close: ({ game_id }) => void open.delete(game_id),
    play: ({ move }) => ((window.course = move.course), { game, events: [], version: 2 }),
    transcript: () => window.course,
    moves: () => ({ version: 2, decision: { seat: 0 }, moves: [] }),
    game: () => game,
    board_svg: () => "<svg/>",
  };
  const answer = ({ start, message }) => {
    if (start) return { answer: {} };
    const isKnown = message.type === "load" || open.has(message.game_id);
    if (!isKnown) return { problem: { status: 404, code: "not_found" } };
    return { answer: answers[message.type](message) ?? null };
  };
  window.Worker = class extends EventTarget {
    last = Promise.resolve();
    terminate() {}
    postMessage(data) {
      window.heard(data.message ?? {});
      this.last = this.last.then(() => new Promise((next) => setTimeout(next))).then(() => {
        const said = window.starts ? { text: JSON.stringify(answer(data)) } : { failed: "broken" };
        this.dispatchEvent(new MessageEvent("message", { data: { id: data.id, ...said } }));
      });
    }
  };
}
"""

BEGIN = """
async () => {
  const names = ["local_table", "engine", "game_store", "sending"];
  const modules = await Promise.all(names.map((name) => import(`/js/local/${name}.js`)));
  const [{ LocalTable }, { theEngine }, { changeGame }, { sendGames }] = modules;
  const engine = await theEngine();
  window.openTable = async (id) => (window.table = await LocalTable.open(engine, id)).mayWrite;
  Object.assign(window, { changeGame, sendGames });
}
"""
OPEN = "id => openTable(id)"
PLAY = "course => table.write('play', { move: { course } }).then(() => null)"
SEND = "() => sendGames()"
OPEN_AT_THE_FIRST_WRITING = """
id => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (record) {
    window.opening ??= openTable(id);
    return put.call(this, record);
  };
}
"""


def bare(route: Route) -> None:
    places = '<div id="notes"></div><div id="news"></div>'
    route.fulfill(body=f"<!doctype html>{places}", content_type="text/html")


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """A page without the client, with an engine that knows no rules."""
    with window(browser, served.url) as opened:
        opened.may_fail_to_load = True
        opened.page.route("**/bare", bare)
        opened.page.add_init_script(f"({ENGINE})()")
        yield opened.page


@pytest.fixture
def account(page: Page, served: Served) -> Account:
    """The account of this device, whose game it has taken."""
    found = Account(served, "Ada")
    found.enter(page)
    store(found, 12)
    page.goto("/bare")
    page.evaluate(BEGIN)
    page.evaluate(SEND)
    return found


def store(account: Account, left: int) -> int:
    """Store a course of the game as another device does; return how many moves it has."""
    transcript = nearly_over("carcassonne", left)
    account.ask("PUT", f"{GAMES}/{NAME}", {"transcript": transcript})
    return len(transcript["moves"])


def courses(account: Account) -> list[int]:
    """How many moves each game of the account has."""
    games: list[dict[str, Any]] = account.ask("GET", GAMES)["games"]
    return sorted(one["moves"] for one in games)


def test_the_course_of_another_device_is_not_lost_to_a_table_that_is_open(
    page: Page, account: Account
) -> None:
    assert page.evaluate(OPEN, NAME)
    theirs = store(account, 8)
    page.evaluate(SEND)
    own = nearly_over("carcassonne", 10)
    page.evaluate(PLAY, own)
    page.evaluate(SEND)
    assert courses(account) == [theirs]
    page.evaluate("() => table.close()")
    page.evaluate(SEND)
    assert courses(account) == sorted([theirs, len(own["moves"])])
    assert moves_of(kept(page)[NAME]) == theirs


def test_a_table_that_is_opened_while_the_account_brings_a_course_shows_that_course(
    page: Page, account: Account
) -> None:
    theirs = store(account, 8)
    page.evaluate(OPEN_AT_THE_FIRST_WRITING, NAME)
    page.evaluate(SEND)
    assert page.evaluate("() => opening"), "nobody else plays it"
    assert page.evaluate("() => table.record.transcript.moves.length") == theirs


NOTE_AT_THE_NEXT_READING = """
known => {
  const { get } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.get = function (id) {
    IDBObjectStore.prototype.get = get;
    window.noting = changeGame(id, (kept) => [{ ...kept, ...known }]).then(() => null);
    return get.call(this, id);
  };
}
"""
"""Let another tab change a game as soon as its record is read."""


def test_a_move_that_is_kept_while_the_account_answers_is_not_replaced_by_the_older_course(
    page: Page, account: Account
) -> None:
    later = "2026-11-22T10:00:00.000Z"
    page.evaluate(PUT_GAME, {**kept(page)[NAME], "updated_at": "2026-11-21T10:00:00.000Z"})
    page.evaluate(
        f"""known => {{
          const {{ fetch }} = window;
          window.fetch = async (address, request) => {{
            const answer = await fetch(address, request);
            if (request?.method === "PUT") ({NOTE_AT_THE_NEXT_READING})(known);
            return answer;
          }};
        }}""",
        {"updated_at": later},
    )
    page.evaluate(SEND)
    page.evaluate("() => noting")
    record, [stored] = kept(page)[NAME], account.ask("GET", GAMES)["games"]
    assert (record["updated_at"], record["stored_at"]) == (later, stored["stored_at"])


def test_what_the_account_has_is_not_forgotten_by_a_move_that_is_kept_meanwhile(
    page: Page, account: Account
) -> None:
    assert page.evaluate(OPEN, NAME)
    page.evaluate(
        f"""known => {{
          const note = {NOTE_AT_THE_NEXT_READING};
          window.heard = ({{ type }}) => type === "transcript" && note(known);
        }}""",
        {"stored_at": "later"},
    )
    page.evaluate(PLAY, nearly_over("carcassonne", 10))
    page.evaluate("() => noting")
    record = kept(page)[NAME]
    assert record["stored_at"] == "later"
    assert moves_of(record) == len(nearly_over("carcassonne", 10)["moves"])


LEAVE_WHILE_A_MOVE_WAITS = """
async ([id, course]) => {
  const [{ api, newKey }, { leaveGame, openDesk }] = await Promise.all(
    ["platform/api", "local/desk"].map((name) => import(`/js/${name}.js`)));
  openDesk();
  await api.game(id);
  window.heard = ({ type }) => type === "play" && leaveGame(id);
  const answer = await api.move(id, { course }, 1, newKey(), { layout: "tall" });
  await api.move(id, { course }, 2, newKey(), { layout: "tall" });
  return answer.board;
}
"""


def test_a_table_that_is_left_keeps_the_move_on_its_way_and_can_be_opened_again(page: Page) -> None:
    page.goto("/bare")
    put_game(page, NAME, nearly_over("carcassonne", 12))
    course = nearly_over("carcassonne", 10)
    assert page.evaluate(LEAVE_WHILE_A_MOVE_WAITS, [NAME, course]) == "<svg/>"
    assert moves_of(kept(page)[NAME]) == len(course["moves"])
    page.wait_for_function("() => navigator.locks.query().then(({ held }) => !held.length)")


def test_a_move_of_this_device_is_not_sent_to_the_service(page: Page, account: Account) -> None:
    asked = list[str]()
    page.on("request", lambda one: asked.append(one.url) if one.method == "POST" else None)
    page.evaluate(
        """async ([id, other]) => {
          const { startCourier } = await import("/js/table/move_courier.js");
          const entry = { move: {}, after: [], version: 1, key: "k", title: "", made: 0 };
          for (const game of [id, other])
            localStorage.setItem(`cartulary.unsent.${game}`, JSON.stringify(entry));
          startCourier();
          dispatchEvent(new Event("online"));
        }""",
        [NAME, "zzz"],
    )
    page.wait_for_function("() => !localStorage.getItem('cartulary.unsent.zzz')")  # asked later
    assert page.evaluate("id => localStorage.getItem(`cartulary.unsent.${id}`)", NAME)
    assert {url.split("/")[-2] for url in asked if "/moves?" in url} == {"zzz"}


def test_pieces_come_from_the_service_where_the_engine_does_not_start_which_is_tried_once(
    page: Page,
) -> None:
    page.goto("/bare")
    found = page.evaluate(
        """async () => {
          const [{ api }, { beginGame, openDesk }] = await Promise.all(
            ["platform/api", "local/desk"].map((name) => import(`/js/${name}.js`)));
          const Made = window.Worker;
          let starts = 0;
          window.Worker = class extends Made { begun = (starts += 1); };
          window.starts = false;
          openDesk();
          const ask = () => api.pieces("carcassonne", {});
          const answers = [await ask(), await ask()];
          const asked = starts;
          await beginGame("carcassonne", []).catch(() => {}); // a person tries again
          return [...answers.map(Object.keys), [asked, starts]];
        }"""
    )
    known = page.evaluate(
        "async () => Object.keys(await (await fetch('/api/v1/catalogue/carcassonne')).json())"
    )
    assert found == [known, known, [1, 2]]


def test_a_page_of_a_puzzle_that_is_closed_leaves_the_table_of_another_page(page: Page) -> None:
    page.goto("/bare")
    names = page.evaluate(
        """async () => {
          const [{ api }, { PuzzleDesk }] = await Promise.all(
            ["platform/api", "puzzles/puzzle_desk"].map((name) => import(`/js/${name}.js`)));
          const puzzle = (id, game) => ({ id, game, seats: 2, seat: 0, moves: [] });
          const open = (id, game) => new PuzzleDesk(puzzle(id, game), {}, () => {});
          const [first, second] = [open("a", "first"), open("a", "second")];
          const other = open("b", "other");
          first.close();
          const games = [await api.game(second.id), await api.game(other.id)];
          other.close();
          return [...games, await api.game(second.id)].map(({ game }) => game);
        }"""
    )
    assert names == ["second", "other", "second"]


BREAK = """
() => {
  const { fetch } = window;
  const broken = () => new ReadableStream({
    start: (control) => control.enqueue(new Uint8Array(9)),
    pull: (control) => control.error(new TypeError("network error")),
  });
  window.fetch = async (address, how) =>
    address.endsWith("pyodide.mjs") ? new Response(broken()) : fetch(address, how);
  return import("/js/local/keep_button.js").then(({ keepSection }) => {
    document.body.append(keepSection(() => {}));
  });
}
"""


def test_a_line_that_breaks_inside_a_kept_file_is_said_and_it_can_be_tried_again(
    page: Page,
) -> None:
    page.goto("/bare")
    page.evaluate(BREAK)
    page.locator("[data-key=keep]").click()
    expect(page.locator("#notes")).to_have_text("ui.errors.unreachable")  # no words are loaded
    expect(page.locator("[data-key=keep]")).to_be_enabled()
    expect(page.locator("progress")).to_have_count(0)
