"""What every game guarantees about the sentences on what a seat needs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games.core
from games.core.game import Ruleset
from tests.faults.scale import scaled
from tests.games.all_games import PACKAGES, get_game_folder, list_rulesets
from tests.games.sampling import walk

RULE_BOOKS = [folder / "rulebook.md" for folder in (*map(get_game_folder, PACKAGES), Path(games.core.__file__).parent)]
TEXT = "\n".join(path.read_text("utf-8") for path in RULE_BOOKS)


@pytest.mark.parametrize("ruleset", list(list_rulesets()), ids=lambda r: f"{r.game.key} {dict(r.options)}")
@settings(max_examples=scaled(10, 5), deadline=None)
@given(st.integers(0, 2**32))
def test_sentences_can_be_filled_and_name_a_clause_and_end_with_the_game(ruleset: Ruleset, seed: int) -> None:
    game = ruleset.game
    for moment in walk(ruleset, max(game.seat_limits[0], 2), Random(seed)):
        state = moment.state
        kinds = []
        for seat in range(game.seats(state)):
            prospects = game.prospects(state, seat)
            kinds += [prospect.kind for prospect in prospects]
            for prospect in prospects:
                assert prospect.text.fill(prospect.params).endswith(".")
                assert f'<a id="{prospect.rule}">' in TEXT
            if game.is_finished(state) or game.standing(state, seat).status == "retired":
                assert prospects == ()
        assert kinds.count("safe") <= 1
