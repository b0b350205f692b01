"""The context of a page about a card: the actor, the bike and the contest. Crew and organisers share these pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from games.core.game import Ruleset
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.access import CrewRequest
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.display_names import format_bike, format_result, label_slots
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.selectors.cards import (
    find_contest_and_bike,
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
    """A bike's card in a contest, and the person using the page."""

    actor: Actor
    event: Event
    contest: Contest
    bike: Bike
    riders: str
    slots: Mapping[UUID, Slot]
    card: CardState  # its state at the time of the request; it is not locked

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

    def check_can_record(self) -> None:
        """Raise `NotAllowed` unless the actor may record on this card."""
        check_can_record(self.actor, self.bike, self.actor.can_take_over)


def get_crew_context(request: CrewRequest, bike_id: UUID) -> CardContext:
    """Return the context of a bike in the phone's event, in the requested contest or else the first.

    Raises:
        Http404: there is no such bike or contest in this event.
    """
    actor, event = Actor.from_device(request.device), request.device.member.group.event
    contest = choose_contest(list_contests_at_stops(event), get_request_data(request).get("contest"))
    try:
        bike = get_bike(event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    if contest is None:
        raise Http404
    return make_card_context(actor, event, contest, bike)


def get_organiser_context(actor: Actor, event: Event, card_id: UUID) -> CardContext:
    """Return the context of a card in the organiser's event, even without a turn, or raise `Http404`."""
    found = find_contest_and_bike(event, card_id)
    if found is None:
        raise Http404
    return make_card_context(actor, event, *found)


def make_card_context(actor: Actor, event: Event, contest: Contest, bike: Bike) -> CardContext:
    """Return the context, with the card read without a lock."""
    slots = {slot.pk: slot for slot in list_slots(contest)}
    return CardContext(actor, event, contest, bike, get_riders(bike), slots, get_card(contest, bike))


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


def get_request_data(request: HttpRequest) -> QueryDict:
    """Return the form's data, or the query string of a GET request."""
    return request.POST if request.method == "POST" else request.GET


def parse_uuid(text: object) -> UUID | None:
    """Return the text as a UUID, or None if it is not one."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def is_partial_request(request: HttpRequest) -> bool:
    """Whether htmx requests only the part of the page that changes."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def render_partial(
    request: HttpRequest, page: str, part: str, context: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """Render a page whose main part is `part`, or only that part for a partial request."""
    template = part if is_partial_request(request) else page
    response = render(request, template, {**context, "part": part}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
