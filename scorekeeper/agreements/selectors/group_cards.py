"""The cards of a crew's group, with whether they are agreed to, in each contest whose turns are rolled at the stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Prefetch

from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.selectors.agreements import CardAgreement, compare_agreements, list_agreements
from scorekeeper.agreements.sheet_digest import compute_card_digest
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import derive_card_id, make_contest_rules
from scorekeeper.scorecards.display_names import format_result, format_riders, label_slots
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops, list_slots
from scorekeeper.scorecards.selectors.folded_cards import FoldedTurnCard, fold_turn_cards


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A bike of the group.

    Attributes:
        turns: its turns in order: the name of the slot, and the result in words.
        agreement: None while its card has no turn, or if the log of the card is damaged.
    """

    bike: Bike
    riders: str
    total: int = 0
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
    people = Prefetch("players", Player.objects.order_by("-role", "name"))
    of_group = Bike.objects.filter(group=group, event=group.event_id, merged_into=None)
    bikes = list(of_group.order_by("number", "suffix").prefetch_related(people))
    contests = list_contests_at_stops(group.event)
    agreements = list_agreements(contest.pk for contest in contests)
    found = []
    for contest in contests:
        cards, names = _read_cards(contest, bikes)
        by_bike = agreements.get(contest.pk, {})
        rows = [_make_row(bike, cards.get(bike.pk), names, by_bike.get(bike.pk, ())) for bike in bikes]
        found.append(GroupCards(contest, rows))
    return found


def _read_cards(contest: Contest, bikes: Sequence[Bike]) -> tuple[Mapping[UUID, FoldedTurnCard], Mapping[UUID, str]]:
    """Return the cards by bike, and the names of the contest's slots."""
    slots = list_slots(contest)
    card_ids = [derive_card_id(contest.pk, bike.pk) for bike in bikes]
    cards = fold_turn_cards(make_contest_rules(contest, slots), card_ids, include_damaged=True)
    return {card.bike.pk: card for card in cards}, label_slots(slots)


def _make_row(
    bike: Bike, card: FoldedTurnCard | None, names: Mapping[UUID, str], agreements: Sequence[Agreement]
) -> AgreementRow:
    riders = format_riders(player.name for player in bike.players.all())
    if card is None or card.damaged_from is not None or not card.turn_count:
        return AgreementRow(bike, riders, is_damaged=card is not None and card.damaged_from is not None)
    turns = [(names[slot], format_result(result)) for slot, result in card.list_turns()]
    total = card.contest.ruleset.game.sheet(card.state).totals[0]
    agreement = compare_agreements(agreements, compute_card_digest(card))
    return AgreementRow(bike, riders, total, turns, agreement)
