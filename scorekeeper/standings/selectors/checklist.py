"""The checklist of what is left to do before a contest can be published.

It lists cards with missing turns, unfinished tables, entries that are under review or still on phones, ties, and cards
that are not agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from scorekeeper.agreements.selectors import compare_agreements, list_agreements
from scorekeeper.agreements.sheet_digest import compute_card_digest
from scorekeeper.crew.phones import PhoneCount, count_phones
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.players.selectors import get_bike_number
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.standings.award_source import AWARD_SOURCES, AwardData
from scorekeeper.standings.class_ranking import rank_class
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.entrants import FoldedContest, fold_contest, get_sort_key
from scorekeeper.standings.leaderboard import BoardClass, CountedCut, LeaderboardRow, NextStep, TieRule
from scorekeeper.standings.selectors.class_boards import count_tie_places
from scorekeeper.standings.selectors.cuts import Cut, describe_counted_cuts, list_class_cuts, list_cuts
from scorekeeper.standings.selectors.reports import add_other_rows, make_report, number_cards
from scorekeeper.stops.models import Slot


@dataclass(frozen=True, slots=True)
class ChecklistCard:
    """A card on which something is left to do.

    Attributes:
        number: the number of the card, in order of creation; 0 if it has none.
        seats: the id of each entrant, with the number of a bike.
        stops: the stops whose turns nobody recorded, in order: "Parks", "Finale (2 turns)".
    """

    card_id: UUID
    number: int
    seats: tuple[tuple[UUID, str], ...]
    stops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """Tied entrants at a prize place, and the next step.

    Attributes:
        board_class: the class in which they are tied; None for the whole contest.
    """

    rank: int
    rows: tuple[LeaderboardRow, ...]
    next_step: NextStep
    board_class: BoardClass | None = None


@dataclass(frozen=True, slots=True)
class AgreedCards:
    """Which cards of a contest are agreed.

    Attributes:
        are_required: whether publishing needs a reason while one is not.
        agreed: how many are.
        open: those that are not, because nobody has agreed or because they have changed since.
        changed: how many of those have changed since.
    """

    are_required: bool
    agreed: int = 0
    open: tuple[ChecklistCard, ...] = ()
    changed: int = 0

    @property
    def are_shown(self) -> bool:
        """Whether they are worth a line: where they are required, or where somebody has agreed."""
        return bool(self.are_required or self.agreed or self.changed)

    @property
    def are_missing(self) -> bool:
        """Whether publishing needs a reason because of them."""
        return self.are_required and bool(self.open)


@dataclass(frozen=True, slots=True)
class Checklist:
    """What is left to do.

    Attributes:
        unfinished: cards with missing turns, and tables where the game is not finished.
        damaged: tables whose logs cannot be read or replayed to the end; they are not counted.
        in_review: how many entries are under review.
        conflicts: how many of them differ from another entry of the same turn.
        phones: what the crew's phones have yet to send. Phones that have not reported are listed, but block nothing.
        ties: those at prize places; also shown before closing, when cards are not cut yet.
        stale_cuts: cuts that no longer count, also those of classes.
        class_ties: those at places of classes with a prize, unless they are among `ties`, too.
        awards: all prizes of the contest with their winners.
        undecided: those of them for which several are tied, until the organiser decides.
        not_given: those of them that the organiser gives by hand and has given to nobody yet. They block nothing.
        agreed_cards: which cards are agreed; None where riders do not agree to cards.
    """

    report: ContestReport
    unfinished: tuple[ChecklistCard, ...]
    damaged: tuple[ChecklistCard, ...]
    in_review: int
    conflicts: int
    phones: PhoneCount
    ties: tuple[Tie, ...]
    stale_cuts: tuple[Cut, ...]
    class_ties: tuple[Tie, ...] = ()
    awards: tuple[AwardData, ...] = ()
    undecided: tuple[AwardData, ...] = ()
    not_given: tuple[AwardData, ...] = ()
    agreed_cards: AgreedCards | None = None

    @property
    def all_ties(self) -> tuple[Tie, ...]:
        """The ties at prize places, in the whole contest and in its classes."""
        return (*self.ties, *self.class_ties)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left."""
        left = self.unfinished or self.damaged or self.in_review or self.ties or self.class_ties or self.undecided
        is_agreed = self.agreed_cards is None or not self.agreed_cards.are_missing
        return is_agreed and not (left or self.phones.with_pending or self.phones.lost)


def get_checklist(contest: Contest) -> Checklist:
    """Return what is left to do according to the current log, in a fixed number of statements."""
    contest_rules = get_contest_rules(contest.pk)
    folded = fold_contest(contest_rules)
    cuts = list_cuts(contest.pk)
    report = add_other_rows(contest, make_report(folded, [] if contest.status == Contest.Status.OPEN else cuts))
    stops = dict(Slot.objects.filter(contest=contest).values_list("pk", "stop__name"))
    numbers = number_cards(folded)
    cards = sorted(folded.cards, key=lambda card: (numbers.get(card.id, 0), get_sort_key(card.entrants[0])))
    awards, undecided, not_given = _list_awards(contest, folded, report)
    ties = list_ties(contest, report.rows)
    is_conflict = Q(reason=ReviewItem.Reason.CONFLICT)
    review = ReviewItem.objects.filter(contest=contest, settled_at=None)
    return Checklist(
        report,
        unfinished=tuple(
            _make_checklist_card(card, numbers, stops)
            for card in cards
            if card.damaged_from is None and card.is_unfinished
        ),
        damaged=tuple(_make_checklist_card(card, numbers, stops) for card in cards if card.damaged_from is not None),
        **review.aggregate(in_review=Count("pk"), conflicts=Count("pk", filter=is_conflict)),
        phones=count_phones(contest.event),
        ties=tuple(ties),
        stale_cuts=(
            *(cut for cut in cuts if cut.seq in report.stale_cuts),
            *_list_stale_class_cuts(contest, report),
        ),
        class_ties=tuple(_list_class_ties(contest, report, ties)),
        awards=awards,
        undecided=undecided,
        not_given=not_given,
        agreed_cards=_list_agreed_cards(contest, cards, numbers, stops),
    )


def _list_agreed_cards(
    contest: Contest, cards: Sequence[FoldedCard], numbers: Mapping[UUID, int], stops: Mapping[UUID, str]
) -> AgreedCards | None:
    if not get_kind(contest.game).is_agreed_to:
        return None
    agreements = list_agreements([contest.pk]).get(contest.pk, {})
    agreed, changed, left = 0, 0, []
    for card in cards:
        if card.damaged_from is not None or not card.turn_count:
            continue
        found = compare_agreements(agreements.get(card.entrants[0].pk, ()), compute_card_digest(card))
        if found.current is not None:
            agreed += 1
            continue
        changed += found.earlier is not None
        left.append(_make_checklist_card(card, numbers, stops))
    return AgreedCards(contest.asks_agreement, agreed, tuple(left), changed)


def _list_awards(
    contest: Contest, folded: FoldedContest, report: ContestReport
) -> tuple[tuple[AwardData, ...], tuple[AwardData, ...], tuple[AwardData, ...]]:
    """Return the awards, those of them that the organiser has to decide, and those not given to anybody yet."""
    source = AWARD_SOURCES.only
    if source is None:
        return (), (), ()
    awards = tuple(source.list_awards(contest, folded, report))
    undecided = tuple(award for award in awards if source.is_undecided(award))
    return awards, undecided, tuple(award for award in awards if source.is_not_given(award))


def _make_checklist_card(card: FoldedCard, numbers: Mapping[UUID, int], stops: Mapping[UUID, str]) -> ChecklistCard:
    seats = tuple((entrant.pk, get_bike_number(entrant)) for entrant in card.entrants)
    missing = _format_stops([stops[slot] for slot in card.list_missing_slots()])
    return ChecklistCard(card.id, numbers.get(card.id, 0), seats, missing)


def list_ties(contest: Contest, rows: Sequence[LeaderboardRow]) -> list[Tie]:
    """Return the tied groups at prize places, best first."""
    return _group_ties(rows, get_tie_rule(contest))


def _group_ties(rows: Sequence[LeaderboardRow], rule: TieRule) -> list[Tie]:
    by_rank: dict[int, list[LeaderboardRow]] = {}
    for row in rows:
        if rule.get_next_step(row) and row.rank is not None:
            by_rank.setdefault(row.rank, []).append(row)
    return [Tie(rank, tuple(tied_rows), rule.get_next_step(tied_rows[0])) for rank, tied_rows in by_rank.items()]


def _list_class_ties(contest: Contest, report: ContestReport, ties: Sequence[Tie]) -> Iterator[Tie]:
    """Yield the ties at places of classes with a prize. Who has to cut for the whole contest does that first."""
    places = count_tie_places(contest)
    busy = {row.entrant_id for tie in ties for row in tie.rows}
    for one in report.classes:
        rows = rank_class(report.rows, one.members, one.cuts, list_counted_cuts(contest, report))
        for tie in _group_ties(rows, TieRule(places.get(one.id, 0))):
            if busy.isdisjoint(row.entrant_id for row in tie.rows):
                yield replace(tie, board_class=one)


def list_counted_cuts(contest: Contest, report: ContestReport) -> tuple[CountedCut, ...]:
    """Return the cuts of the contest that its report counts."""
    if not any(row.cards for row in report.rows):
        return ()
    numbers = {row.entrant_id: row.number for row in report.rows}
    return describe_counted_cuts(list_cuts(contest.pk), report.stale_cuts, numbers)


def _list_stale_class_cuts(contest: Contest, report: ContestReport) -> list[Cut]:
    """Return the cuts of classes that no longer count; also of a class that has no member left."""
    counted = {cut.seq for one in report.classes for cut in one.cuts}
    found = [cut for cuts in list_class_cuts(contest.pk).values() for cut in cuts if cut.seq not in counted]
    return sorted(found, key=lambda cut: cut.seq)


def get_tie_rule(contest: Contest) -> TieRule:
    """Return which ties of a contest are to be broken with cards."""
    return TieRule(contest.prizes if contest.ruleset.tie_procedure == "cut_cards" else 0)


def _format_stops(stops: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        stop if count == 1 else _("%(stop)s (%(count)s turns)") % {"stop": stop, "count": count}
        for stop, count in Counter(stops).items()
    )
