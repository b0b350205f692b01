"""The source of awards that this app registers with the standings, which publish them with the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.prizes.award import Award, Outcome
from scorekeeper.prizes.selectors import prize_lists
from scorekeeper.prizes.selectors.awards import get_award_names, present_award, sort_by_importance
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.prizes.selectors.revision_awards import compute_awards, make_awards, read_award_cuts
from scorekeeper.standings.award_source import AwardData, AwardWords
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.entrants import FoldedContest


class PrizeAwards:
    """The source of awards that this app registers (`scorekeeper.standings.award_source`)."""

    def compute_list_digest(self, contest: Contest) -> str:
        """Return a digest of the contest's prize list; "" if nothing can be won."""
        return prize_lists.compute_list_digest(contest)

    def list_awards(self, contest: Contest, folded: FoldedContest, report: ContestReport) -> Sequence[AwardData]:
        """Return the awards according to the current log, in the order in which they are announced."""
        return [award.to_data() for award in compute_awards(contest, folded, report)]

    def is_undecided(self, award: AwardData) -> bool:
        """Return whether the organiser has to decide who of the tied wins. A prize given by hand may stay open."""
        return bool(award["outcome"] == Outcome.TIED)

    def is_not_given(self, award: AwardData) -> bool:
        """Return whether the prize is given by hand and nobody has it yet, or its number is still to be drawn."""
        is_drawn_later = award["rule"] == "drawn_number" and award["terms"].get("number_drawn") is None
        return bool((award["rule"] == "by_hand" or is_drawn_later) and award["outcome"] == Outcome.NOBODY)

    def describe(
        self, contest: Contest, awards: Sequence[AwardData], people: Mapping[UUID, str]
    ) -> Sequence[AwardWords]:
        """Return awards as people read them, the first place first."""
        names = get_award_names(contest.event, people)
        shown = [present_award(contest, Award.from_data(award), names, is_published=True) for award in awards]
        return [
            AwardWords(
                award.prize_id,
                award.title,
                ", ".join(winner.name for winner in award.winners if award.is_decided) or award.outcome_text,
                frozenset(winner.id for winner in award.winners if award.is_decided),
            )
            for award in sort_by_importance(shown)
        ]

    def recompute_awards(
        self, contest: Contest, awards: Sequence[AwardData], folded: FoldedContest, report: ContestReport, length: int
    ) -> Sequence[AwardData]:
        """Return frozen awards with their winners worked out again from the log."""
        prizes = [Award.from_data(award).prize for award in awards]
        if not prizes:
            return []
        decisions = list_decisions(contest.pk, length)
        cuts = read_award_cuts(contest.pk, prizes, report, length)
        return [award.to_data() for award in make_awards(prizes, decisions, folded, report, cuts)]
