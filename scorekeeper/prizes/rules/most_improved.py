"""The most places gained between a stop and the end.

- The place after a stop is by the points of all turns up to and including it. Points that a card gets beyond its turns,
  such as bonuses, come at the end and do not count there.
- Only those take part who had rolled by then; the others had no place to improve. Tied seats share a place.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, pick_best
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms
from scorekeeper.standings.place_history import rank_after


class MostImproved(AwardRule):
    """Won by whoever gained the most places; at least one."""

    key = "most_improved"
    needs_turns = True
    uses_stop = True
    requires_stop = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever gained the most places since the stop."""
        if not terms.ordinals:
            return AwardResult()
        before = _rank_after(facts, max(terms.ordinals))
        improved = [
            (before[entrant.holder_id] - entrant.rank, entrant)
            for entrant in facts.entrants
            if before.get(entrant.holder_id, 0) > entrant.rank
        ]
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(
                    entrant, gained=gained, before=before[entrant.holder_id], rank=entrant.rank, stop=terms.stop
                )
                for gained, entrant in pick_best(improved, lambda pair: pair[0])
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return since when places count."""
        return _("Most places gained since %(stop)s") % {"stop": terms.stop}

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the places then and now."""
        gained = ngettext("Up %(count)s place", "Up %(count)s places", figures["gained"]) % {"count": figures["gained"]}
        params = {
            "gained": gained,
            "before": ordinal(figures["before"]),
            "stop": figures["stop"],
            "rank": ordinal(figures["rank"]),
        }
        return _("%(gained)s: %(before)s after %(stop)s, %(rank)s at the end") % params


def _rank_after(facts: AwardFacts, last: int) -> dict[UUID, int]:
    """Return the places by the points of the turns up to this one, of everyone who had rolled one of them."""
    rolled = {
        entrant.holder_id: {turn.ordinal: turn.points for turn in entrant.turns if not turn.is_missed}
        for entrant in facts.entrants
    }
    places = rank_after(rolled, last, lowest_wins=facts.lowest_wins)
    return {holder: place.rank for holder, place in places.items()}
