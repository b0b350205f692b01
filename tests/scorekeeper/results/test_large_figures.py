"""A total of 1,000 or more is written with the same digits on every page and in every file."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.games.rogue.table import turn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.results.test_exports import read_sheets
from tests.scorekeeper.table_fixtures import (
    AddAction,
    AddTable,
    add_action,
    add_game_table,
    add_table,
    fetch_table,
    people,
    phone,
    pig_contest,
)
from tests.scorekeeper.table_forms import crew_url

__all__ = ["add_action", "add_game_table", "add_table", "fetch_table", "people", "phone", "pig_contest"]

pytestmark = pytest.mark.django_db

ALL_SIX = "C22222 C22222"  # 1,000 points
# 2,000 with anything between its digits, as a person or a spreadsheet might group them.
WRITTEN = re.compile(r"(?<![\d-])2\W?000(?!\d)")


@pytest.fixture
def table(add_game_table: AddTable, add_action: AddAction) -> UUID:
    """A table of Rogue where Ben has 2,000 points."""
    card = add_game_table("rogue", "Ben", "Cleo", war_at=1000, target=9999)
    for action in turn(0, ALL_SIX, ALL_SIX):
        add_action(card, action)
    return card


def test_two_thousand_points_are_written_alike_everywhere(table: UUID, phone: Any, client: Client) -> None:
    contest = Contest.objects.get(game_key="rogue")
    refresh_standings(contest.pk)
    slugs = [contest.event.slug, contest.slug]
    board = get_page_text(client.get(reverse("results:leaderboard", args=slugs)))
    links = re.findall(rf'href="({re.escape(reverse("results:leaderboard", args=slugs))}[^"?]*/)"', board)
    seen = {"leaderboard": board, "table": get_page_text(phone.get(crew_url(table)))}
    seen["history"] = get_page_text(phone.get(f"{crew_url(table)}history/"))
    seen |= {link: get_page_text(client.get(link)) for link in links}
    for file in ("export.csv", "cards.csv", "export.json", "export.xlsx"):
        content = client.get(reverse("results:export", args=[*slugs, file])).getvalue()
        seen[file] = str(read_sheets(content)) if file.endswith("xlsx") else content.decode()

    written = {name: set(WRITTEN.findall(text)) for name, text in seen.items()}

    assert {name for name, ways in written.items() if not ways} <= {"history"}
    assert set.union(*written.values()) == {"2000"}
