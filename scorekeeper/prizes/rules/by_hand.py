"""A prize for which the organiser chooses who wins."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardResult, AwardRule, Figures
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms


class ByHand(AwardRule):
    """Won by whomever the organiser chooses, for a reason."""

    key = "by_hand"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return nobody: no figure decides it."""
        return AwardResult()

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Chosen by the organisers")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return nothing: the reason is in the log, for organisers."""
        return ""
