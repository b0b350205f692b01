"""The context of a page about a card: the actor, the bike and the contest. Crew and organisers share these pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from games.core.game import Ruleset
from scorekeeper.bikes.models import Bike
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.crew.access import CrewRequest
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.display_names import format_bike, format_result, label_slots
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.selectors.cards import (
    find_contest_and_bike,
    find_contest_with_slots,
    get_bike,
    get_card,
    list_contests_at_stops,
    list_slots,
)
from scorekeeper.scorecards.selectors.group import get_riders
from scorekeeper.scorecards.services.cards import check_can_record
from scorekeeper.stops.models import Slot

# Keys of a phone's session.
STOP_KEY = "stop"
DICE_SET_KEY = "dice_set"


@dataclass(frozen=True)
class CardContext:
    """A bike's card in a contest, and the person using the page.

    Attributes:
        riders: the people on the bike; read when a page names them.
        card: its state at the time of the request; it is not locked.
    """

    actor: Actor
    event: Event
    contest: Contest
    bike: Bike
    riders: str
    slots: Mapping[UUID, Slot]
    card: CardState

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the contest."""
        return self.contest.ruleset

    @property
    def name(self) -> str:
        """The bike's name in messages."""
        return format_bike(self.bike, self.riders)

    @cached_property
    def slot_names(self) -> Mapping[UUID, str]:
        """The name of every slot, by id."""
        return label_slots(self.slots.values())

    def list_free_slots(self) -> list[tuple[UUID, str]]:
        """Return the slots without a turn, with their names, in the order of play."""
        return [(slot, name) for slot, name in self.slot_names.items() if self.card.get_turn(slot) is None]

    def list_slots_at_same_stop(self, slot_id: UUID) -> list[Slot]:
        """Return all slots of the stop that the slot belongs to, in order."""
        return [slot for slot in self.slots.values() if slot.stop_id == self.slots[slot_id].stop_id]

    def describe_turn(self, turn: RecordedTurn) -> str:
        """Return the result of one of the card's turns: "Small straight, 30 points"."""
        return format_result(self.card.fold.results.get(turn.id))

    @property
    def takes_over(self) -> bool:
        """Whether the bike rides with another group than the crew member's."""
        return not self.actor.is_organiser and self.bike.group_id not in (None, self.actor.group_id)

    @property
    def can_retire(self) -> bool:
        """Whether the actor may retire the bike or bring it back: organisers and its own road captain may."""
        return self.actor.can_record("retire") and not self.takes_over

    def url(self, page: str) -> str:
        """Return the URL of a page about this card: for the crew by its bike, for organisers by the card."""
        if self.actor.is_organiser:
            name = "desk_card" if page in ("card", "history") else f"desk_{page}"
            return reverse(f"scorecards:{name}", args=[self.event.slug, self.card.id])
        return f"{reverse(f'scorecards:{page}', args=[self.bike.pk])}?contest={self.contest.pk}"

    def read_card(self) -> CardState:
        """Read the card again, after it may have changed."""
        return get_card(self.contest, self.slots.values(), self.bike)

    def check_can_record(self) -> None:
        """Raise `NotAllowed` unless the actor may record on this card."""
        check_can_record(self.actor, self.bike, self.actor.can_take_over)


def get_crew_context(request: CrewRequest, bike_id: UUID) -> CardContext:
    """Return the context of a bike in the phone's event, in the requested contest or else the first.

    Raises:
        Http404: there is no such bike or contest in this event.
    """
    actor, event = Actor.from_device(request.device), request.device.member.group.event
    contest, slots = _get_contest_with_slots(event, get_request_data(request).get("contest"))
    try:
        bike = get_bike(event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    return _make_card_context(actor, event, contest, slots, bike)


def _get_contest_with_slots(event: Event, requested: str | None) -> tuple[Contest, Sequence[Slot]]:
    contest_id = parse_uuid(requested)
    found = None if contest_id is None else find_contest_with_slots(event, contest_id)
    if found is not None:
        return found
    contest = choose_contest(list_contests_at_stops(event), requested)
    if contest is None:
        raise Http404
    return contest, list_slots(contest)


def get_organiser_context(actor: Actor, event: Event, card_id: UUID) -> CardContext:
    """Return the context of a card in the organiser's event, even without a turn, or raise `Http404`."""
    found = find_contest_and_bike(event, card_id)
    if found is None:
        raise Http404
    contest, bike = found
    return _make_card_context(actor, event, contest, list_slots(contest), bike)


def _make_card_context(actor: Actor, event: Event, contest: Contest, slots: Sequence[Slot], bike: Bike) -> CardContext:
    """Return the context, with the card read without a lock."""
    riders = cast(str, SimpleLazyObject(lambda: get_riders(bike)))
    by_id = {slot.pk: slot for slot in slots}
    return CardContext(actor, event, contest, bike, riders, by_id, get_card(contest, slots, bike))


def choose_contest(contests: Sequence[Contest], requested: str | None) -> Contest | None:
    """Return the requested contest; if none is requested, the first; None if there are no contests.

    Raises:
        Http404: the requested contest is not in the list.
    """
    if not requested:
        return contests[0] if contests else None
    chosen = next((contest for contest in contests if str(contest.pk) == requested), None)
    if chosen is None:
        raise Http404
    return chosen
