"""The tables behind first answers about odds are up to date: `python -m tools.odds_tables` would make them again."""

from __future__ import annotations

from random import Random

import pytest

from games.drag_rage.odds import opening_values
from games.drag_rage.odds.openings import UNUSED, list_moments, read_openings
from games.drag_rage.odds.values import HeatValues, make_key
from tests.faults.scale import FULL, scaled
from tools.odds_tables import TABLES, compute_code_digest, compute_rules_digest, get_file, list_rules_modules, main

SAMPLE = scaled(20, 6)
LATE = 8 if FULL else 10  # moments with both cars beyond this space take least
CODE = 'COUNT = 7\nTOO_MANY = gettext_noop("Too many.")\n\n\ndef count():\n    return COUNT\n'


@pytest.mark.parametrize("game", ["go_500", "rock_yahtzee"])
def test_a_table_is_what_its_rules_make(game: str) -> None:
    assert get_file(game).read_text("ascii") == TABLES[game][1]()


def test_the_openings_of_drag_rage_were_made_by_the_present_rules() -> None:
    """Making them takes two minutes, so a digest of the rules stands for that; the next test looks at some of them."""
    assert compute_rules_digest() == opening_values.RULES, "python -m tools.odds_tables drag_rage"


def test_openings_of_drag_rage_are_what_the_recursion_finds() -> None:
    known, solver = read_openings(), HeatValues()
    moments = sorted(list_moments(UNUSED))
    assert {make_key(*moment) for moment in moments} == known.keys()
    late = [moment for moment in moments if min(moment[:2]) > LATE]
    for moment in Random(7).sample(late, SAMPLE):
        assert solver.get_advance_value(*moment) == known[make_key(*moment)], moment


def test_the_digest_is_about_all_rules_of_the_game() -> None:
    names = {name.rpartition(".")[2] for name in list_rules_modules()}

    assert {"state", "rules", "transitions", "heat_results", "values", "alone", "chances", "openings"} <= names
    assert not {"opening_values", "options", "game"} & names


@pytest.mark.parametrize(
    "code",
    [
        f'"""About it."""\n{CODE}',
        CODE.replace("7", "7  # a week"),
        CODE.replace("Too many.", "That is too many."),
        CODE.replace("count():", 'count():\n    """Count."""'),
    ],
)
def test_words_do_not_change_the_digest(code: str) -> None:
    assert code != CODE
    assert compute_code_digest({"count": code}) == compute_code_digest({"count": CODE})


@pytest.mark.parametrize(
    "code", [CODE.replace("7", "8"), CODE.replace("COUNT\n", "COUNT + 0\n"), f"{CODE}COUNT += 1\n"]
)
def test_any_other_change_does(code: str) -> None:
    assert code != CODE
    assert compute_code_digest({"count": code}) != compute_code_digest({"count": CODE})


def test_a_table_of_no_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["whist"])
    assert "invalid choice: 'whist'" in capsys.readouterr().err
