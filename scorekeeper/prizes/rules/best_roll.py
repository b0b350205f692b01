"""The turn with the most points, at a stop or on the whole ride. Whoever has two such turns is named once."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, pick_best
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms


class BestRoll(AwardRule):
    """Won by the best single turn."""

    key = "best_roll"
    needs_turns = True
    uses_stop = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever scored the most with one turn; turns that were missed do not count."""
        turns = [
            (entrant, turn)
            for entrant in facts.entrants
            for turn in entrant.turns
            if not turn.is_missed and (not terms.ordinals or turn.ordinal in terms.ordinals)
        ]
        sign = -1 if facts.lowest_wins else 1
        best = pick_best(turns, lambda pair: sign * pair[1].points)
        found: dict[UUID, AwardCandidate] = {}
        for entrant, turn in best:
            found.setdefault(
                entrant.holder_id,
                AwardCandidate.from_entrant(
                    entrant, points=turn.points, stop=turn.stop, turn=turn.ordinal, dice=list(turn.dice)
                ),
            )
        return AwardResult(tuple(found.values()))

    def describe(self, terms: AwardTerms) -> str:
        """Return where the roll counts."""
        return _("Best roll at %(stop)s") % {"stop": terms.stop} if terms.stop else _("Best roll of the ride")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the points, where they were rolled, and the dice."""
        text = ngettext("%(points)s point at %(stop)s", "%(points)s points at %(stop)s", figures["points"])
        roll = text % {"points": figures["points"], "stop": figures["stop"]}
        if not figures["dice"]:
            return roll
        return _("%(roll)s with %(dice)s") % {"roll": roll, "dice": " ".join(map(str, figures["dice"]))}
