"""Reads the roster and its sign-ups, and how people are named for whom.

Invariant: public pages get names only from this module. The organiser decides how they are shown
(`Event.people_shown`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, FurtherSheet, label_bike
from scorekeeper.bikes.numbers import pad_number
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.common.names import make_sort_key
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.sheet_setting import get_holder_index
from scorekeeper.players.models import Player, SignUp

BikeSortKey = Literal["number", "rider", "group"]

MAX_DECIDED = 100  # shown below those that need a decision
CONTACT_KEPT_FOR = dt.timedelta(days=14)  # after the day of the ride, by the date in UTC


class GroupRoster(NamedTuple):
    """A group and its bikes with their people; `group` is None for bikes without a group."""

    group: Group | None
    bikes: list[Bike]


def list_bikes_with_people(event: Event) -> QuerySet[Bike]:
    """Return the event's bikes by number, with their group, and `players` prefetched."""
    return list_bikes(event).prefetch_related("players")


def list_roster(event: Event) -> list[GroupRoster]:
    """Return every group with its bikes; bikes without a group come last, if there are any."""
    rosters = {group.pk: GroupRoster(group, []) for group in list_groups(event)}
    without = GroupRoster(None, [])
    for bike in list_bikes_with_people(event):
        (rosters[bike.group_id] if bike.group_id else without).bikes.append(bike)
    return [*rosters.values(), *([without] if without.bikes else [])]


def sort_bikes(bikes: Iterable[Bike], key: BikeSortKey, *, is_descending: bool = False) -> list[Bike]:
    """Return the bikes sorted by their number (12, 12A, 13), the names on them, or their group, and then by number.

    Bikes without anyone or without a group come last either way.

    Args:
        bikes: with their group and people.
    """

    def get_key(bike: Bike) -> Any:
        match key:
            case "number":
                return pad_number(bike.number), bike.suffix
            case "rider":
                return make_sort_key(riders) if (riders := format_riders(bike)) else None
            case "group":
                return (bike.group.ordinal, bike.group.name) if bike.group else None

    by_number = sorted(bikes, key=lambda bike: (pad_number(bike.number), bike.suffix))
    sortable = [bike for bike in by_number if get_key(bike) is not None]
    others = [bike for bike in by_number if get_key(bike) is None]
    return [*sorted(sortable, key=get_key, reverse=is_descending), *others]


def list_people_without_bike(event: Event) -> list[Player]:
    """Return the people without a bike, by name."""
    return sorted(event.players.filter(bike=None).order_by("pk"), key=lambda player: make_sort_key(player.name))


def get_rider(bike: Bike) -> str:
    """Return the rider's name; "" if there is no rider."""
    return next((player.name for player in bike.players.all() if player.role == Player.Role.RIDER), "")


def list_passengers(bike: Bike) -> tuple[str, ...]:
    """Return the names of everyone on the bike but the rider."""
    rider = next((player.pk for player in bike.players.all() if player.role == Player.Role.RIDER), None)
    return tuple(player.name for player in bike.players.all() if player.pk != rider)


def get_sign_up_event(slug: str) -> Event | None:
    """Return an event that has a page to sign up, also a draft; None if there is none at this address."""
    event = Event.objects.filter(slug=slug).first()
    return event if event is not None and event.has_sign_up else None


def list_pending_sign_ups(event: Event) -> QuerySet[SignUp]:
    """Return the sign-ups that need a decision, the oldest first."""
    return event.sign_ups.filter(decision="").select_related("group").order_by("created_at", "pk")


def list_untold_sign_ups(event: Event) -> list[SignUp]:
    """Return the sign-ups that were decided and whose riders were not told yet, the oldest decision first.

    There are none once the contacts are erased: nobody has to hear any more whether they may join a ride that is over.
    """
    if are_contacts_erased(event):
        return []
    untold = event.sign_ups.exclude(decision="").filter(told_at=None).select_related("bike__group")
    return list(untold.order_by("decided_at", "pk"))


def list_decided_sign_ups(event: Event) -> QuerySet[SignUp]:
    """Return the last sign-ups that were decided, the latest first."""
    decided = event.sign_ups.exclude(decision="").select_related("bike")
    return decided.order_by("-decided_at", "pk")[:MAX_DECIDED]


def count_pending_sign_ups(event: Event) -> int:
    """Return how many sign-ups need a decision."""
    return event.sign_ups.filter(decision="").count()


def are_contacts_erased(event: Event) -> bool:
    """Return whether the ride was so long ago that nothing says how to reach who had signed up."""
    return timezone.localdate(timezone=dt.UTC) - CONTACT_KEPT_FOR >= event.date


def get_sign_up(event: Event, sign_up_id: UUID) -> SignUp | None:
    """Return a sign-up of the event."""
    return event.sign_ups.filter(pk=sign_up_id).first()


def format_public_name(event: Event, name: str) -> str:
    """Return the full name, the initials ("A. B.") or "", depending on the event's setting."""
    match event.people_shown:
        case Event.PeopleShown.NAMES:
            return name
        case Event.PeopleShown.INITIALS:
            return get_initials(name)
        case _:
            return ""


def label_without_name(bike: str, role: str) -> str:
    """Return a label for a person's row or seat if the event shows no names: "Rider of bike 57".

    Args:
        bike: the bike's label; "" for a person without a bike.
    """
    if not bike:
        return _("Someone without a bike")
    words = {"number": bike}
    if role == Player.Role.PASSENGER:
        return _("Passenger of bike %(number)s") % words
    return _("Rider of bike %(number)s") % words


def format_public_riders(event: Event, bike: Bike) -> str:
    """Return the public names of the people on the bike, rider first; "" if the event shows none.

    For several bikes, prefetch `bike.players`.
    """
    names = (format_public_name(event, player.name) for player in bike.players.all())
    return join_names(name for name in names if name)


def join_names(names: Iterable[str]) -> str:
    """Join the names of the people on a bike, rider first."""
    return ", ".join(names)


def format_riders(bike: Bike) -> str:
    """Return the full names of the people on the bike, rider first, for organisers and crew."""
    return join_names(player.name for player in bike.players.all())


def get_initials(name: str) -> str:
    """Return the first letter of each part of a name; parts that do not begin with a letter are omitted."""
    return " ".join(f"{part[0].upper()}." for part in name.replace("-", " ").split() if part[0].isalpha())


def get_public_names(event: Event, contest: Contest | None = None) -> Mapping[UUID, str]:
    """Return the public names of every bike, further sheet and player, as the event shows people.

    A bike whose riders are not shown is left out.

    Args:
        contest: if each rider has a scorecard in it, a bike is named after the one whose scorecard is its own.
    """
    labels: dict[UUID, str] = {}
    riders: dict[UUID, list[str]] = {}
    # A leaderboard needs all names each time it is rendered, so each person is read once, as plain values.
    people: dict[UUID, list[Holder]] = {}
    columns = ("pk", "name", "role", "bike_id", "bike__number", "bike__suffix")
    for player_id, full_name, role, bike_id, number, suffix in event.players.values_list(*columns):
        name = format_public_name(event, full_name)
        labels[player_id] = name or label_without_name("" if bike_id is None else label_bike(number, suffix), role)
        if bike_id is not None:
            people.setdefault(bike_id, []).append(Holder(player_id, role, name))
            if name:
                riders.setdefault(bike_id, []).append(name)
    names = {**labels, **{bike: join_names(names) for bike, names in riders.items()}}
    return {**names, **_name_sheets(event, contest, people)}


def get_full_names(event: Event, contest: Contest | None = None) -> Mapping[UUID, str]:
    """Return the full names of every bike, further sheet and player, for organisers.

    Args:
        contest: as for `get_public_names`.
    """
    bikes = list(list_bikes_with_people(event))
    riders = {bike.pk: format_riders(bike) for bike in bikes}
    people = {bike.pk: [Holder(one.pk, one.role, one.name) for one in bike.players.all()] for bike in bikes}
    names = {player.pk: player.name for player in event.players.all()}
    return {**riders, **names, **_name_sheets(event, contest, people)}


class Holder(NamedTuple):
    """A person on a bike, with a name as it is to be shown; "" if none is."""

    id: UUID
    role: str
    name: str


def list_holders(contest: Contest, sheet: int, people: Sequence[Holder]) -> Sequence[Holder]:
    """Return whose scorecard it is in a contest: that of one of the people on the bike, or of all of them.

    Args:
        sheet: which of the bike's scorecards it is, from 1.
        people: who is on the bike, the rider first.
    """
    index = get_holder_index(contest, sheet)
    return people if index is None or index >= len(people) else [sort_holders(people)[index]]


def sort_holders(people: Iterable[Holder]) -> list[Holder]:
    """Return the people on a bike in the order of their scorecards, which a corrected name does not change."""
    return sorted(people, key=lambda person: (person.role != Player.Role.RIDER, str(person.id)))


class Riders(NamedTuple):
    """The people on bikes, by bike, the rider first."""

    by_bike: Mapping[UUID, Sequence[Holder]]

    def list_names(self, contest: Contest, sheet: Bike) -> list[str]:
        """Return the full names of the people whose sheet it is in a contest."""
        return [one.name for one in list_holders(contest, sheet.sheet, self.by_bike.get(sheet.real_bike_id, ()))]


def read_riders(sheets: Iterable[Bike]) -> Riders:
    """Return the people on the bikes of these sheets, in one statement."""
    people: dict[UUID, list[Holder]] = {}
    rows = Player.objects.filter(bike__in={sheet.real_bike_id for sheet in sheets}).order_by("-role", "name")
    for bike_id, pk, role, name in rows.values_list("bike_id", "pk", "role", "name"):
        if bike_id is not None:
            people.setdefault(bike_id, []).append(Holder(pk, role, name))
    return Riders(people)


def list_riders(contest: Contest, sheets: Sequence[Bike]) -> Mapping[UUID, list[str]]:
    """Return the full names of the people whose sheets these are in a contest, the rider first, in one statement."""
    riders = read_riders(sheets)
    return {sheet.pk: riders.list_names(contest, sheet) for sheet in sheets}


def _name_sheets(event: Event, contest: Contest | None, people: Mapping[UUID, Sequence[Holder]]) -> Mapping[UUID, str]:
    """Return the names of further sheets: of the people on the bike, or of the one whose sheet it is.

    Args:
        contest: whose first sheets are named after one person, too.
    """
    names: dict[UUID, str] = {}
    if contest is not None and contest.sheets_for == Contest.SheetsFor.RIDER:
        names = {bike: join_names(one.name for one in list_holders(contest, 1, own)) for bike, own in people.items()}
    # As plain values, too: a leaderboard may have hundreds of them.
    sheets = list(FurtherSheet.objects.filter(event=event).values_list("pk", "sheet_of", "sheet", "sheet_contest"))
    contests = Contest.objects.in_bulk({of for _pk, _bike_id, _sheet, of in sheets}) if sheets else {}
    for pk, bike_id, sheet, of in sheets:
        holders = list_holders(contests[of], sheet, people.get(bike_id or pk, ()))
        if name := join_names(holder.name for holder in holders if holder.name):
            names[pk] = name
    return names


def get_bike_number(entrant: Bike | Player) -> str:
    """Return a bike's number; "" for a player: names are not part of the standings, so that they can be erased."""
    return entrant.label if isinstance(entrant, Bike) else ""


def format_entrant(number: str, people: str) -> str:
    """Return the name of an entrant: "Bike 57 (Ann, Bo)", or a player's name.

    Args:
        number: of the bike; "" for a player.
    """
    if not number:
        return people
    params = {"number": number, "riders": people}
    return _("Bike %(number)s (%(riders)s)") % params if people else _("Bike %(number)s") % params
