"""What differs between the two kinds of card is asked of the kind, and nowhere else is asked which kind it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from games.core.game import RecordedBy
from scorekeeper.common.game_adapter import list_games
from scorekeeper.scorecards.card_kinds import CARD_KINDS, get_kind

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    "scorekeeper/scorecards/card_kinds.py",
    "scorekeeper/scorecards/by_turn.py",
    "scorekeeper/scorecards/by_action.py",
}
KINDS_APPS = ("scorekeeper/scorecards/", "scorekeeper/tables/")
SOURCES = sorted(
    path
    for folder in (ROOT / "scorekeeper", ROOT / "templates", ROOT / "config")
    for path in folder.rglob("*")
    if path.suffix in (".py", ".html", ".txt")
)


def list_lines(pattern: str) -> list[str]:
    """Return the places of all lines that match: "templates/a.html:7"."""
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


def test_only_the_kinds_read_how_a_game_is_recorded() -> None:
    found = list_lines(r"\brecorded_by\b")

    assert {place.partition(":")[0] for place in found} >= KINDS  # the search finds something
    assert [place for place in found if place.partition(":")[0] not in KINDS] == []


def test_only_the_apps_of_the_kinds_ask_which_kind_a_contest_is() -> None:
    found = list_lines(r"\bis_of_kind\b|\bisinstance\([^)]*\b(ByTurn|ByAction)\b|\b(ByTurn|ByAction)\(\)")

    assert found
    assert [place for place in found if not place.startswith(KINDS_APPS)] == []


def test_no_template_names_a_kind() -> None:
    found = list_lines(r"is_at_table|at_tables|is_table_game|is_shared_by_crew|enters_roster|\.recorded_by")

    assert [place for place in found if place.endswith((".html", ".txt"))] == []


def test_every_game_has_a_kind() -> None:
    assert {kind.recorded_by for kind in CARD_KINDS} == set(get_args(RecordedBy))
    assert {get_kind(game).recorded_by for game in list_games().values()} == {"turn", "action"}


@pytest.mark.parametrize("kind", list(CARD_KINDS), ids=lambda kind: kind.recorded_by)
def test_closing_is_described_for_none_one_and_several_unfinished_cards(kind) -> None:
    ruleset = next(game.ruleset() for game in list_games().values() if game.recorded_by == kind.recorded_by)
    assert len({kind.describe_closing(ruleset, count) for count in (0, 1, 2)}) == 3
