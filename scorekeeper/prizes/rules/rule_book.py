"""All rules, by their keys, and which of them a contest can use."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.events.models import Contest
from scorekeeper.prizes.rules.award_rule import AwardRule
from scorekeeper.prizes.rules.best_group import BestGroup
from scorekeeper.prizes.rules.best_roll import BestRoll
from scorekeeper.prizes.rules.by_hand import ByHand
from scorekeeper.prizes.rules.first_to_finish import FirstToFinish
from scorekeeper.prizes.rules.lowest_card import LowestCard
from scorekeeper.prizes.rules.most_improved import MostImproved
from scorekeeper.prizes.rules.most_sixes import MostSixes
from scorekeeper.prizes.rules.place import Place

RULES: Mapping[str, AwardRule] = {
    rule.key: rule
    for rule in (
        Place(),
        BestRoll(),
        MostSixes(),
        LowestCard(),
        MostImproved(),
        BestGroup(),
        FirstToFinish(),
        ByHand(),
    )
}


def fits_contest(rule: AwardRule, contest: Contest) -> bool:
    """Return whether prizes of a contest can be won by a rule."""
    return not rule.needs_turns or contest.game.slot_option is not None
