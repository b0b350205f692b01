"""Every page whose form changes something stored, with what people enter there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.seasons.models import Season, SeasonRound
from scorekeeper.seasons.services import link_riders
from tests.scorekeeper.page_forms import Fields
from tests.scorekeeper.rights.small_ride import SmallRide
from tests.scorekeeper.seasons.conftest import make_ride

_numbers = count(1)

Entry = Callable[[Random, Fields], Fields]  # returns what somebody enters in a unit of the form with these values


@dataclass(frozen=True)
class EditPage:
    """A page whose form changes something stored.

    Attributes:
        units: what is entered, by the unit that is merged as a whole.
        is_shared: whether two organisers have the page; otherwise one person has it open in two browsers.
    """

    route: str
    address: str
    units: Mapping[str, Entry]
    is_shared: bool

    def open_twice(self, ride: SmallRide) -> tuple[Client, Client]:
        """Return the browsers of two people who may use the page."""
        other = Client()
        other.force_login(User.objects.get(username=f"{ride.word.lower()}-bob") if self.is_shared else ride.user)
        return ride.get_desk(), other


def texts(*names: str) -> dict[str, Entry]:
    """Units of one field each, in which nobody enters the same text twice."""

    def enter(name: str, _chance: Random, _form: Fields) -> Fields:
        return {name: f"Text {next(_numbers)}"}

    return {name: partial(enter, name) for name in names}


def choices(name: str, *values: Any) -> dict[str, Entry]:
    """A unit of one field with these values; None leaves a box unticked."""
    return together(name, *({name: value} for value in values))


def together(unit: str, *entries: Fields) -> dict[str, Entry]:
    """A unit in which one of these is entered."""
    return {unit: lambda chance, _form: chance.choice(entries)}


def box(name: str) -> dict[str, Entry]:
    return choices(name, "on", None)


def link_or_unlink(entrant: str) -> dict[str, Entry]:
    """Whether someone of a round counts for the season: “new” if not yet."""
    return {entrant: lambda _chance, form: {entrant: "new" if form[entrant] == "nobody" else "nobody"}}


def list_edit_pages(ride: SmallRide) -> list[EditPage]:
    """Return the pages, for a ride of its own season; one of its contests has no entries yet."""
    event = Event.objects.get(pk=ride.ids["event"])
    plain = Contest.objects.create(
        event=event, name="Plain", slug="plain", game_key="rock-yahtzee", rules_version=1, ordinal=9
    )
    published = make_ride(ride.user, "May run", 5, [(1, ["Ann"], 30), (2, ["Ben"], 20), (3, ["Cleo"], 10)])
    added = SeasonRound.objects.create(season=Season.objects.get(slug=ride.slugs["season"]), contest=published)
    entrants = [str(pk) for pk in published.event.bikes.values_list("pk", flat=True)]
    link_riders(added, dict.fromkeys(map(UUID, entrants)))
    ids = {name: str(pk) for name, pk in ride.ids.items()}
    stops = [f"stop_{ids['stop']}", f"stop_{ids['last_stop']}"]
    contests = [ids["yahtzee"], ids["campfire"]]

    def page(route: str, units: Mapping[str, Entry], *, is_shared: bool = True, address: str = "") -> EditPage:
        return EditPage(route, address or ride.get_url(route), units, is_shared)

    return [
        page(
            "events:edit",
            {
                **texts("name"),
                **choices("date", "2026-06-20", "2026-06-21", "2026-06-22"),
                **choices("time_zone", "UTC", "Europe/Zurich", "America/Edmonton"),
                **choices("people_shown", "names", "initials", "numbers"),
                **box("is_listed"),
                **box("is_sign_up_open"),
            },
        ),
        page(
            "events:edit_contest",
            {
                **texts("name"),
                **box("asks_agreement"),
                **together(
                    "groups_by",
                    *({"groups_by": by, "group_best": best} for by in ("", "best", "mean") for best in ("2", "3", "4")),
                ),
                **together(
                    "options.upper_bonus",
                    *(
                        {"options.upper_bonus.points": points, "options.upper_bonus.threshold": threshold}
                        for points in ("30", "35")
                        for threshold in ("60", "63")
                    ),
                ),
            },
            address=reverse("events:edit_contest", args=[event.slug, plain.slug]),
        ),
        page("events:edit_contest", {**texts("name"), **box("asks_agreement")}),
        page(
            "stops:slots",
            together("turns", *({stops[0]: first, stops[1]: last} for first in "123" for last in "345")),
            address=reverse("stops:slots", args=[event.slug, plain.slug]),
        ),
        page(
            "stops:edit",
            {
                **texts("name", "crew_note"),
                **together(
                    "address",
                    {"address": "Main Street", "coordinates": ""},
                    {"address": "Main Street", "coordinates": "51.05, -114.07"},
                    {"address": "", "coordinates": "51.06, -114.08"},
                ),
                **together(
                    "opens_at",
                    *({"opens_at": opens, "closes_at": closes} for opens in ("", "09:30") for closes in ("", "17:00")),
                ),
            },
        ),
        page("crew:group", texts("name", f"dice_set_{ids['dice_set']}")),
        page(
            "crew:member",
            {
                **texts("name"),
                **choices("role", "road_captain", "tail_gunner", "supervisor"),
                **choices("group", ids["group"], ids["other_group"]),
                **choices("any_bike_at", ids["stop"], ids["last_stop"], [ids["stop"], ids["last_stop"]]),
            },
        ),
        page(
            "players:edit_bike",
            {
                **texts("rider", "passengers", "make", "model"),
                **choices("group", "", ids["group"], ids["other_group"]),
            },
        ),
        page(
            "players:edit_player",
            {
                **texts("name"),
                **together(
                    "bike",
                    *(
                        {"bike": bike, "role": role}
                        for bike in (ids["other_bike"], ids["twin"])
                        for role in ("rider", "passenger")
                    ),
                ),
            },
        ),
        page("check_in:rename_item", texts("name")),
        page("players:edit_class", texts("name", "note")),
        page(
            "prizes:edit",
            {
                **texts("name", "sponsor"),
                **together(
                    "rule",
                    *({"rule": "place", "place": place} for place in "123"),
                    {"rule": "lowest_total", "place": ""},
                ),
            },
        ),
        page(
            "live:settings",
            {
                **texts("sponsor"),
                **choices("seconds", "8", "10", "12"),
                **choices("theme", "system", "day", "night"),
                **box("has_messages"),
                **choices("parts", contests, contests[::-1]),
            },
        ),
        page(
            "live:edit_screen",
            {**texts("name", "sponsor"), **choices("seconds", "8", "9", "12"), **box("has_messages")},
        ),
        page(
            "seasons:edit",
            {
                **texts("name"),
                **choices("points", "25 20 16", "10 6 3", "9 8 7"),
                **choices("points_below", "0", "1", "2"),
                **choices("best_count", "", "2", "3"),
                **box("is_listed"),
            },
            is_shared=False,
        ),
        page(
            "seasons:link",
            {
                **link_or_unlink(entrants[0]),
                **link_or_unlink(entrants[1]),
            },  # while somebody counts, nothing is proposed
            is_shared=False,
            address=reverse("seasons:link", args=[ride.slugs["season"], added.pk]),
        ),
        page(
            "event_page:edit",
            {
                **texts("text", "what_to_bring", "contact_name"),
                **choices("contact_email", "a@example.org", "b@example.org", ""),
                **choices("contact_phone", "555 0133", "+44 1632 960983", ""),
                **choices("next_date", "2037-06-20", "2037-06-27", ""),
                **choices("distance_unit", "km", "mi"),
            },
        ),
        page("event_page:poster", texts("poster_alt")),
        page(
            "event_page:programme",
            together(
                f"item_{ids['programme_item']}",
                *(
                    {f"item_{ids['programme_item']}_{part}": value for part, value in row.items()}
                    for row in (
                        {"day": "0", "time": "09:30", "text": "Breakfast"},
                        {"day": "1", "time": "00:30", "text": "Last orders"},
                        {"day": "-1", "time": "", "text": "Arrival"},
                    )
                ),
            ),
        ),
        page("event_page:route", {**choices(stops[0], "1", "2.5", ""), **choices(stops[1], "12.4", "20", "31")}),
        page("event_page:edit_sponsor", {**texts("name"), **choices("link", "", "https://a.org", "https://b.org/x")}),
        page("prints:certificate", texts("heading", "wording", "signed_by")),
        page("events:rename_passkey", texts("name"), is_shared=False),
    ]
