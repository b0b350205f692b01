"""The most sixes on the last dice of all turns. Turns whose dice are not known, from paper cards, have none."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, pick_best
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms

SIX = 6


class MostSixes(AwardRule):
    """Won by the most sixes; at least one is needed."""

    key = "most_sixes"
    needs_turns = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the most sixes."""
        best = pick_best([entrant for entrant in facts.entrants if _count_sixes(entrant)], _count_sixes)
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(entrant, sixes=_count_sixes(entrant), turns=_count_rolled(entrant))
                for entrant in best
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Most sixes")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return how many sixes there were, and over how many turns."""
        sixes = ngettext("%(count)s six", "%(count)s sixes", figures["sixes"]) % {"count": figures["sixes"]}
        turns = ngettext("%(count)s turn", "%(count)s turns", figures["turns"]) % {"count": figures["turns"]}
        return _("%(sixes)s over %(turns)s") % {"sixes": sixes, "turns": turns}


def _count_sixes(entrant: AwardEntrant) -> int:
    return sum(die == SIX for turn in entrant.turns for die in turn.dice)


def _count_rolled(entrant: AwardEntrant) -> int:
    return sum(not turn.is_missed for turn in entrant.turns)
