"""Events and what is set up for them: stops, groups, bikes, people and contests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet

from scorekeeper.api.access import READING
from scorekeeper.api.pagination import paginate_rows
from scorekeeper.api.query_parameters import (
    BikeParameters,
    ContestParameters,
    EventParameters,
    GroupParameters,
    PageParameters,
    PlayerParameters,
    StopParameters,
)
from scorekeeper.api.serializers.setup import (
    BikeSerializer,
    ContestSerializer,
    EventClassSerializer,
    EventSerializer,
    GroupSerializer,
    PlayerSerializer,
    StopSerializer,
)
from scorekeeper.api.views.read_view import ReadView
from scorekeeper.audience.visible_standings import EventStandings, get_event_standings
from scorekeeper.bikes.models import FurtherSheet
from scorekeeper.bikes.selectors import list_further_sheets
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import AccessToken, Event
from scorekeeper.events.selectors import get_freeze, list_contests, list_events, list_listed_events
from scorekeeper.players.class_members import list_classes, read_named_classes
from scorekeeper.players.selectors import list_bikes_with_people
from scorekeeper.stops.selectors import list_stops

BY_CLASS = {"class": "class_members__event_class"}  # how bikes and people are filtered


class ListView(ReadView):
    """Reads a page of a list.

    Attributes:
        order: the columns that the rows are ordered by (see `paginate_rows`).
    """

    query_class = PageParameters
    is_list = True
    order: Sequence[str]

    def get_rows(self) -> QuerySet[Any]:
        """Return all rows of the list."""
        raise NotImplementedError

    def get_data(self) -> Any:
        """Return the page."""
        rows, cursor = paginate_rows(self.get_rows(), self.order, self.query)
        return self.make_page(rows, cursor)

    def get_serializer_context(self) -> dict[str, Any]:
        """Say whether the caller sees what is not public."""
        return {**super().get_serializer_context(), "sees_setup": self.reader.sees_setup}

    def filter_rows(self, rows: QuerySet[Model], columns: Mapping[str, str]) -> QuerySet[Any]:
        """Return the rows that have the values in the query, by the parameters' columns."""
        wanted = {column: self.query[name] for name, column in columns.items() if name in self.query}
        return rows.filter(**wanted)


class EventsView(ListView):
    """List the events: those on the front page, or with a token that reads, those that its person organises.

    An app of the crew gets its own.
    """

    route = "events"
    serializer_class = EventSerializer
    query_class = EventParameters
    order = ("-date", "name", "id")

    def get_rows(self) -> QuerySet[Event]:
        events = self._list_own_events()
        events = events.prefetch_related(None).select_related("freeze")
        return self.filter_rows(events, {"since": "date__gte", "until": "date__lte", "state": "state"})

    def _list_own_events(self) -> QuerySet[Event]:
        match self.token:
            case AccessToken(scope=scope, user=user) if scope in READING:
                return list_events(user)
            case Device(member=member):
                return Event.objects.filter(pk=member.group.event_id)
            case _:
                return list_listed_events()

    def get_serializer_context(self) -> dict[str, Any]:
        return dict(ReadView.get_serializer_context(self))


class EventView(ReadView):
    """Read an event. Without a token, any event that is open can be read by anyone who knows its address."""

    route = "event"
    serializer_class = EventSerializer

    def get_data(self) -> Any:
        return self.serialize(self.reader.event)


class StopsView(ListView):
    """List the stops of the ride, in their order."""

    route = "stops"
    serializer_class = StopSerializer
    query_class = StopParameters
    order = ("ordinal", "id")

    def get_rows(self) -> QuerySet[Any]:
        stops = list_stops(self.reader.event)
        contest = self.find_wanted_contest()
        return stops if contest is None else stops.filter(pk__in=contest.slots.values("stop"))


class GroupsView(ListView):
    """List the groups with their crews and dice sets, in their order."""

    route = "groups"
    serializer_class = GroupSerializer
    query_class = GroupParameters
    order = ("ordinal", "name", "id")
    tag = "Roster"

    def get_rows(self) -> QuerySet[Any]:
        groups = list_groups(self.reader.event).prefetch_related("crew", "dice_sets")
        return self.filter_rows(groups, {"bike": "bikes"})


class ClassesView(ListView):
    """List the classes of the event, in their order. A bike that is registered can be given some by their ids."""

    route = "classes"
    serializer_class = EventClassSerializer
    order = ("ordinal", "name", "id")
    tag = "Roster"

    def get_rows(self) -> QuerySet[Any]:
        return list_classes(self.reader.event)


class _WithClasses(ListView):
    """Gives the serializer the classes that each bike and person was given."""

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "classes": read_named_classes(self.reader.event)}


class BikesView(_WithClasses):
    """List the bikes with the people on them and their further sheets, by number.

    A bike that was merged into another is not listed.
    """

    route = "bikes"
    further_sheets: Mapping[UUID, Sequence[FurtherSheet]] = {}
    serializer_class = BikeSerializer
    query_class = BikeParameters
    order = ("number", "suffix", "id")
    tag = "Roster"

    def get_rows(self) -> QuerySet[Any]:
        columns = {name: name for name in ("group", "number", "did_not_start")}
        return self.filter_rows(list_bikes_with_people(self.reader.event), {**columns, **BY_CLASS})

    def make_page(self, rows: Sequence[Any], cursor: str | None) -> dict[str, Any]:
        """Return a page of bikes, whose further sheets are read in one statement."""
        self.further_sheets = list_further_sheets(rows)
        return super().make_page(rows, cursor)

    def get_serializer_context(self) -> dict[str, Any]:
        """Add the further sheets of the bikes on the page."""
        return {**super().get_serializer_context(), "further_sheets": self.further_sheets}


class PlayersView(_WithClasses):
    """List the people, with or without a bike, by name."""

    route = "players"
    serializer_class = PlayerSerializer
    query_class = PlayerParameters
    order = ("name", "id")
    tag = "Roster"

    def get_rows(self) -> QuerySet[Any]:
        return self.filter_rows(self.reader.event.players.all(), {"bike": "bike", "role": "role", **BY_CLASS})


class _ContestContext(ReadView):
    """Gives a contest's serializer what the caller may see of its status."""

    serializer_class = ContestSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {
            **super().get_serializer_context(),
            "sees_setup": self.reader.sees_setup,
            "standings": self._get_standings(),
        }

    def _get_standings(self) -> EventStandings | None:
        """Return the standings that say what the status is; None if the caller sees the current one."""
        if self.reader.sees_setup or get_freeze(self.reader.event) is None:
            return None
        return get_event_standings(self.reader.event)


class ContestsView(_ContestContext, ListView):
    """List the contests of the event, in their order."""

    route = "contests"
    query_class = ContestParameters
    order = ("ordinal", "name", "id")
    tag = "Contests"

    def get_rows(self) -> QuerySet[Any]:
        contests = list_contests(self.reader.event).prefetch_related("slots")
        return self.filter_rows(contests, {"game": "game_key"})


class ContestView(_ContestContext):
    """Read a contest."""

    route = "contest"
    tag = "Contests"

    def get_data(self) -> Any:
        return self.serialize(self.contest)
