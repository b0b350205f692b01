"""The standing after some turns is that of a card with them, but for points that a card gets beyond its turns."""

from __future__ import annotations

from random import Random

import pytest

from games.core.actions import Retire
from games.core.game import Ruleset
from games.core.replay import replay
from tests.faults.scale import scaled
from tests.games.all_games import list_rulesets
from tests.games.sampling import walk

RULESETS = [ruleset for ruleset in list_rulesets() if ruleset.game.slot_option is not None]


def get_id(ruleset: Ruleset) -> str:
    return f"{ruleset.game.key} {dict(ruleset.options)}"


@pytest.mark.parametrize("ruleset", RULESETS, ids=get_id)
def test_the_standing_after_its_turns_is_that_of_the_card(ruleset: Ruleset) -> None:
    game, random = ruleset.game, Random(1)
    for _ in range(scaled(20, 5)):
        *_, last = walk(ruleset, 1, random)
        actions = [action for action in last.actions if action["type"] not in (Retire.type, "cut")]
        ended = 0
        for count in range(1, len(actions) + 1):
            state = replay(ruleset, 1, actions[:count]).state
            turns = game.turns(state, 0)
            if len(turns) == ended:
                continue
            ended = len(turns)
            own, after = game.standing(state, 0), game.standing_after(ruleset, turns)
            beyond = own.total - sum(turn.points for turn in turns)
            if after.total == own.total:
                assert after.key == own.key
            else:
                assert after.total + beyond == own.total, "only points beyond the turns come at the end"
