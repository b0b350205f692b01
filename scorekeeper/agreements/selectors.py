"""Reads which cards are agreed to, and the riders' objections."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import Promise

from scorekeeper.agreements.models import Agreement, Objection
from scorekeeper.agreements.sheet_digest import compute_card_digest
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import show_total
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.selectors import read_riders
from scorekeeper.scorecards.bike_card import FoldedBikeCard
from scorekeeper.scorecards.contest_rules import derive_card_id, make_contest_rules
from scorekeeper.scorecards.display_names import format_result, format_riders, label_slots
from scorekeeper.scorecards.selectors.cards import fold_bike_cards, list_contests_at_stops, list_slots

AgreementsByBike = Mapping[UUID, Sequence[Agreement]]  # oldest first
MAX_SETTLED = 100  # shown below those that are open


@dataclass(frozen=True, slots=True)
class CardAgreement:
    """Whether a card is agreed to.

    Attributes:
        digest: of the card's figures.
        current: the agreement to these figures, if there is one.
        earlier: otherwise the last agreement to others, if there is one: the card has changed since.
    """

    digest: str
    current: Agreement | None = None
    earlier: Agreement | None = None

    @property
    def by_label(self) -> str | Promise:
        """Who agreed, in words; "" if nobody did."""
        found = self.current or self.earlier
        return "" if found is None else Agreement.By(found.by).label


def list_agreements(contest_ids: Iterable[UUID], until: dt.datetime | None = None) -> Mapping[UUID, AgreementsByBike]:
    """Return the agreements of contests by contest and bike, in one statement. Those of an alias are its bike's.

    Args:
        until: only those that were recorded by then.
    """
    rows = Agreement.objects.filter(contest__in=list(contest_ids)).select_related("bike").order_by("seq")
    found: dict[UUID, dict[UUID, list[Agreement]]] = defaultdict(lambda: defaultdict(list))
    for row in rows if until is None else rows.filter(at__lte=until):
        found[row.contest_id][row.bike.merged_into_id or row.bike_id].append(row)
    return {contest: dict(by_bike) for contest, by_bike in found.items()}


def compare_agreements(agreements: Sequence[Agreement], digest: str) -> CardAgreement:
    """Return whether a card with these figures is agreed to.

    Args:
        agreements: of its bike in its contest, oldest first.
    """
    current = next((agreement for agreement in agreements if agreement.digest == digest), None)
    earlier = agreements[-1] if agreements and current is None else None
    return CardAgreement(digest, current, earlier)


def get_card_agreement(contest_id: UUID, bike_id: UUID, digest: str) -> CardAgreement:
    """Return whether the card of one bike is agreed to."""
    by_bike = list_agreements([contest_id]).get(contest_id, {})
    return compare_agreements(by_bike.get(bike_id, ()), digest)


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A bike of the group.

    Attributes:
        turns: its turns in order: the name of the slot, and the result in words.
        agreement: None while its card has no turn, or if the log of the card is damaged.
    """

    bike: Bike
    riders: str
    total: int | str = 0
    turns: Sequence[tuple[str, str]] = ()
    agreement: CardAgreement | None = None
    is_damaged: bool = False

    @property
    def is_open(self) -> bool:
        """Whether somebody still has to agree to the card."""
        return self.agreement is not None and self.agreement.current is None


@dataclass(frozen=True, slots=True)
class GroupCards:
    """A contest with the bikes of the group, by number."""

    contest: Contest
    rows: Sequence[AgreementRow]

    @property
    def open_rows(self) -> list[AgreementRow]:
        """The bikes whose cards somebody still has to agree to."""
        return [row for row in self.rows if row.is_open]

    @property
    def started(self) -> int:
        """How many bikes have a card that can be agreed to."""
        return sum(row.agreement is not None for row in self.rows)

    @property
    def agreed(self) -> int:
        """How many of them are agreed to."""
        return self.started - len(self.open_rows)


def list_group_cards(group: Group) -> list[GroupCards]:
    """Return the group's cards in each contest. The number of statements does not depend on the number of bikes."""
    of_group = Bike.entrants.filter(group=group, event=group.event_id, merged_into=None)
    sheets = list(of_group.order_by("number", "suffix", "sheet"))
    riders = read_riders(sheets)
    contests = list_contests_at_stops(group.event)
    agreements = list_agreements(contest.pk for contest in contests)
    found = []
    for contest in contests:
        bikes = [sheet for sheet in sheets if sheet.sheet_contest_id in (None, contest.pk)]
        cards, names = _read_cards(contest, bikes)
        by_bike = agreements.get(contest.pk, {})
        rows = [
            _make_row(
                bike,
                format_riders(riders.list_names(contest, bike)),
                cards.get(bike.pk),
                names,
                by_bike.get(bike.pk, ()),
            )
            for bike in bikes
        ]
        found.append(GroupCards(contest, rows))
    return found


def _read_cards(contest: Contest, bikes: Sequence[Bike]) -> tuple[Mapping[UUID, FoldedBikeCard], Mapping[UUID, str]]:
    """Return the cards by bike, and the names of the contest's slots."""
    slots = list_slots(contest)
    card_ids = [derive_card_id(contest.pk, bike.pk) for bike in bikes]
    cards = fold_bike_cards(make_contest_rules(contest, slots), card_ids, include_damaged=True)
    return {card.bike.pk: card for card in cards}, label_slots(slots)


def _make_row(
    bike: Bike,
    riders: str,
    card: FoldedBikeCard | None,
    names: Mapping[UUID, str],
    agreements: Sequence[Agreement],
) -> AgreementRow:
    if card is None or card.damaged_from is not None or not card.turn_count:
        return AgreementRow(bike, riders, is_damaged=card is not None and card.damaged_from is not None)
    game = card.contest.ruleset.game
    turns = [(names[slot], format_result(game, result)) for slot, result in card.list_turns()]
    total = show_total(game, game.sheet(card.state).totals[0])
    agreement = compare_agreements(agreements, compute_card_digest(card))
    return AgreementRow(bike, riders, total, turns, agreement)


def list_open_objections(event: Event) -> QuerySet[Objection]:
    """Return the objections that nobody has settled, the oldest first."""
    rows = event.objections.filter(settled_at=None).select_related("contest", "bike__merged_into")
    return rows.order_by("created_at", "pk")


def list_settled_objections(event: Event) -> QuerySet[Objection]:
    """Return the last objections that were settled, the latest first."""
    rows = event.objections.exclude(settled_at=None).select_related("contest", "bike__merged_into")
    return rows.order_by("-settled_at", "pk")[:MAX_SETTLED]


def count_open_objections(event: Event, contest: Contest | None = None) -> int:
    """Return how many objections nobody has settled, in the event or in one of its contests."""
    rows = event.objections.filter(settled_at=None)
    return rows.count() if contest is None else rows.filter(contest=contest).count()


def find_objection(event: Event, objection_id: UUID) -> Objection | None:
    """Return an objection of the event."""
    return event.objections.filter(pk=objection_id).first()
