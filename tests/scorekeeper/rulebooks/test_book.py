"""`/rules/` and `/rules/<game>/`: the rule books, open to everyone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.rulebooks.books import get_book, read_book
from tests.games.all_games import GAMES as ALL_GAMES
from tests.games.all_games import PACKAGES, TOY, get_game_folder
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import get_page_text

pytestmark = pytest.mark.django_db
CLAUSE = re.compile(r"\*\*([A-Z]+-\d+)\*\*")
GAMES = ALL_GAMES
FOLDERS = dict(zip(ALL_GAMES, map(get_game_folder, PACKAGES), strict=True))
CORE = get_game_folder("games.core")


@pytest.fixture(autouse=True)
def with_the_toy(settings) -> None:
    settings.EXTRA_GAMES = [TOY]


def url(key: str) -> str:
    return reverse("rulebooks:book", args=[key])


def test_the_list_links_to_the_book_of_every_game(client: Client) -> None:
    page = get_page_text(client.get("/rules/"))

    for key, game in GAMES.items():
        assert f'<a href="{url(key)}">{game.name.template}</a>' in page


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_clause_has_its_anchor_including_the_shared_ones(client: Client, key: str) -> None:
    clauses = [
        clause for folder in (FOLDERS[key], CORE) for clause in CLAUSE.findall((folder / "rulebook.md").read_text())
    ]

    page = get_page_text(client.get(url(key)))

    assert len(clauses) > len(CLAUSE.findall((CORE / "rulebook.md").read_text()))
    assert re.findall(r'id="([A-Z]+-\d+)"', page) == clauses
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "no id is on the page twice"


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_link_within_the_page_has_a_target(client: Client, key: str) -> None:
    page = get_page_text(client.get(url(key)))

    ids = set(re.findall(r' id="([^"]+)"', page))
    assert {link for link in re.findall(r'href="#([^"]+)"', page) if link not in ids} == set()


def test_the_contents_list_every_section(client: Client) -> None:
    page = get_page_text(client.get(url("rock-yahtzee")))

    contents = re.search(r"<nav class=\"rules__contents.*?</nav>", page)
    assert contents is not None
    headings = re.findall(r'<h2 id="(section-\d+)">(.*?)</h2>', page)
    assert re.findall(r'<a href="#(section-\d+)" lang="en">(.*?)</a>', contents[0]) == headings
    assert headings[-1][1] == "What holds in every game"


def test_an_unknown_game_is_not_found(client: Client, settings) -> None:
    assert client.get(url("no-such-game")).status_code == 404
    assert client.get(url("pig-race")).status_code == 200
    settings.EXTRA_GAMES = []
    assert client.get(url("pig-race")).status_code == 404


def test_a_page_that_has_not_changed_is_not_sent_again(client: Client) -> None:
    first = client.get(url("rock-yahtzee"))

    again = client.get(url("rock-yahtzee"), headers={"If-None-Match": first.headers["ETag"]})
    other = client.get(url("pig-race"), headers={"If-None-Match": first.headers["ETag"]})

    assert first.headers["Cache-Control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")
    assert other.status_code == 200


def test_a_signed_in_user_gets_the_page_with_a_link_to_their_events(
    client: Client, alice: User, sign_in: SignIn
) -> None:
    tag = client.get(url("rock-yahtzee")).headers["ETag"]

    page = sign_in(alice).get(url("rock-yahtzee"), headers={"If-None-Match": tag})

    assert page.status_code == 200
    assert "My events" in get_page_text(page)


def test_a_book_is_rendered_once_per_process() -> None:
    game = GAMES["rock-yahtzee"]

    assert get_book(game) is get_book(game)


def test_it_only_reads(client: Client) -> None:
    assert client.post(url("rock-yahtzee")).status_code == 405
    assert client.head(url("rock-yahtzee")).status_code == 200


def test_a_translation_is_used_only_if_both_parts_are_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "rally"
    folder.mkdir()
    (folder / "rulebook.md").write_text("# Race\n\nIn English.\n")
    assert read_book("rally", "de-ch").language == "en"
    read_book.cache_clear()

    (folder / "rulebook.de.md").write_text("# Rennen\n\nAuf Deutsch.\n")
    (folder / "rulebook.la.md").write_text("# Cursus\n\nLatine.\n")

    book = read_book("rally", "de-ch")
    assert book.language == "de"
    assert "In English" not in book.page.html
    assert read_book("rally", "la").language == "en", "the clauses of every game are not in Latin"
