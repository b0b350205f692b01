"""What an event consists of, in numbers: for the page after a copy, and for the page before a deletion."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.crew.phones import PhoneCount, count_phones
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize
from scorekeeper.standings.models import Revision
from scorekeeper.stops.models import Slot, Stop


@dataclass(frozen=True)
class EventContents:
    """How many of everything an event has. Bikes that were merged into others do not count."""

    stops: int
    contests: int
    turns: int
    groups: int
    crew: int
    dice_sets: int
    check_items: int
    prizes: int
    bikes: int
    people: int
    entries: int
    in_review: int
    practice_events: int
    phones: PhoneCount


def get_event_contents(event: Event) -> EventContents:
    """Count what the event consists of."""
    return EventContents(
        stops=Stop.objects.filter(event=event).count(),
        contests=Contest.objects.filter(event=event).count(),
        turns=Slot.objects.filter(contest__event=event).count(),
        groups=Group.objects.filter(event=event).count(),
        crew=CrewMember.objects.filter(group__event=event).count(),
        dice_sets=DiceSet.objects.filter(group__event=event).count(),
        check_items=CheckItem.objects.filter(event=event).count(),
        prizes=Prize.objects.filter(event=event).count(),
        bikes=Bike.objects.filter(event=event, merged_into=None).count(),
        people=Player.objects.filter(event=event).count(),
        entries=Entry.objects.filter(chain__event=event).count(),
        in_review=ReviewItem.objects.filter(contest__event=event, settled_at=None).count(),
        practice_events=Event.objects.filter(practice_of=event).count(),
        phones=count_phones(event),
    )


def has_official_result(event: Event) -> bool:
    """Return whether a contest of the event was ever official. Results of a practice event are never official."""
    return not event.is_practice and Revision.objects.filter(contest__event=event).exists()
