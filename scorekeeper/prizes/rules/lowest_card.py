"""The worst total of those who finished. Whoever missed a turn or retired did not roll a low card, so is left out.

Where the lowest total wins a game, the highest is the worst.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, pick_best
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms


class LowestCard(AwardRule):
    """Won by the worst finished scorecard."""

    key = "lowest_card"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the worst total and played every turn."""
        sign = 1 if facts.lowest_wins else -1
        finished = [
            entrant
            for entrant in facts.entrants
            if entrant.status == "done" and not any(turn.is_missed for turn in entrant.turns)
        ]
        worst = pick_best(finished, lambda entrant: sign * entrant.total)
        return AwardResult(
            tuple(AwardCandidate.from_entrant(entrant, total=entrant.total, cards=len(finished)) for entrant in worst)
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Lowest scorecard")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the total, and how many scorecards it was compared with."""
        if figures["cards"] == 1:
            return _("Total %(total)s, on the only finished scorecard") % {"total": figures["total"]}
        return _("Total %(total)s, the lowest of %(count)s finished scorecards") % {
            "total": figures["total"],
            "count": figures["cards"],
        }
