"""Consequences have a text and a clause of the rule book at every moment of random games."""

from __future__ import annotations

from random import Random

import pytest

from games.core.game import Ruleset
from tests.games.all_games import list_rulesets
from tests.games.consequence_texts import NAMES, list_consequence_texts
from tests.games.sampling import walk

RULESETS = [ruleset for ruleset in list_rulesets() if ruleset.game.recorded_by == "action"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.game.key)
def test_every_consequence_is_a_whole_sentence_with_its_clause(ruleset: Ruleset, seed: int) -> None:
    low, high = ruleset.game.seat_limits
    seats = min(max(low, 3), high or len(NAMES))
    *_, last = walk(ruleset, seats, Random(seed))

    for sentences in list_consequence_texts(ruleset, seats, last.actions):
        for sentence in sentences:
            assert "%(" not in sentence
            text, _, rule = sentence.rpartition(" (")
            assert text.endswith(".")
            assert rule.removesuffix(")")
