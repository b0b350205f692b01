"""A place in the contest.

- Tied seats share the places that they take up: two who share second place are tied for the second and the third.
- Where the game cuts cards for ties, the cut for the place decides. Retired seats do not cut (ROCK-27), and in other
  games tied places stay shared.
"""

from __future__ import annotations

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms
from scorekeeper.standings.wording import format_playing_card


class Place(AwardRule):
    """Won by whoever has a place."""

    key = "place"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return those who have the place, or share it."""
        place = terms.place or 1
        taken = max((entrant.rank for entrant in facts.entrants if entrant.rank <= place), default=0)
        there = [entrant for entrant in facts.entrants if entrant.rank == taken]
        if place >= taken + len(there):  # fewer are in the ranking
            return AwardResult()
        is_tied = len(there) > 1
        can_cut = facts.cuts_cards and not any(entrant.status == "retired" for entrant in there)
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(entrant, total=entrant.total, cards=list(entrant.cards))
                for entrant in there
            ),
            is_cut=not is_tied and bool(there[0].cards),
            waits_for_cards=is_tied and can_cut,
            is_shared=is_tied and not can_cut,
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return the place: "1st place"."""
        return _("%(ordinal)s place") % {"ordinal": ordinal(terms.place or 1)}

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the total, and the cards that were cut."""
        if not figures["cards"]:
            return _("Total %(total)s") % {"total": figures["total"]}
        cards = _(", then ").join(format_playing_card(card) for card in figures["cards"])
        return _("Total %(total)s, cut cards: %(cards)s") % {"total": figures["total"], "cards": cards}
