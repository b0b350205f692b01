"""The group with the best mean: of all its members in the ranking, or of its best few."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, pick_best
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms
from scorekeeper.standings.group_totals import compute_group_total


class BestGroup(AwardRule):
    """Won by a group."""

    key = "best_group"
    is_for_groups = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return the group with the best mean. Retired seats count with their points."""
        totals = {entrant.holder_id: entrant.total for entrant in facts.entrants}
        found = [
            (group_id, total)
            for group_id, members in facts.groups.items()
            if (
                total := compute_group_total(
                    [totals[member] for member in members if member in totals],
                    terms.best_of,
                    lowest_wins=facts.lowest_wins,
                )
            )
        ]
        sign = -1 if facts.lowest_wins else 1
        return AwardResult(
            tuple(
                AwardCandidate(
                    group_id, "", None, {"points": total.points, "counted": total.counted, "members": total.members}
                )
                for group_id, total in pick_best(found, lambda pair: sign * pair[1].mean)
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what is compared."""
        if terms.best_of is None:
            return _("Best group, by the mean of all")
        return ngettext("Best group, by its best %(count)s", "Best group, by its best %(count)s", terms.best_of) % {
            "count": terms.best_of
        }

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the mean and what it is made of."""
        mean = number_format(figures["points"] / figures["counted"], decimal_pos=1)
        params = {"mean": mean, "counted": figures["counted"], "members": figures["members"]}
        if figures["counted"] == figures["members"]:
            return (
                ngettext(
                    "Mean %(mean)s, of %(counted)s card", "Mean %(mean)s, of %(counted)s cards", figures["counted"]
                )
                % params
            )
        return _("Mean %(mean)s, of the best %(counted)s of %(members)s cards") % params
