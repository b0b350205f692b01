"""The group with the best mean: of all its members in the ranking, or of its best few."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms
from scorekeeper.standings.group_board import make_group_board
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.wording import round_mean


class BestGroup(AwardRule):
    """Won by a group."""

    key = "best_group"
    is_for_groups = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return the groups in the first place, which is that of the group standings with the same rule.

        The sum of the best few ranks groups as their mean does.
        """
        board = make_group_board(GroupRule(terms.best_of or 0, facts.lowest_wins), facts.entrants, facts.groups)
        return AwardResult(
            tuple(
                AwardCandidate(
                    row.group_id,
                    "",
                    None,
                    {"points": row.score.points, "counted": row.score.counted, "members": row.score.size},
                )
                for row in board.rows
                if row.score.rank == 1
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what is compared."""
        if terms.best_of is None:
            return _("Best group, by the mean of all totals")
        text = ngettext("Best group, by its best total", "Best group, by its best %(count)s totals", terms.best_of)
        return text % {"count": terms.best_of}

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the sum and the mean, as the group standings show one of them, and what they are made of."""
        mean = number_format(round_mean(figures["points"], figures["counted"]), 2)
        params = {"mean": mean, **figures}
        if figures["counted"] == figures["members"]:
            return (
                ngettext(
                    "Sum of %(counted)s total: %(points)s, mean %(mean)s",
                    "Sum of %(counted)s totals: %(points)s, mean %(mean)s",
                    figures["counted"],
                )
                % params
            )
        return _("Sum of the best %(counted)s of %(members)s totals: %(points)s, mean %(mean)s") % params
