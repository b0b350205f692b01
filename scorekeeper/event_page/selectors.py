"""Reads what the page of an event says."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scorekeeper.common.date_wording import format_date
from scorekeeper.event_page.distances import format_distance, get_usual_unit
from scorekeeper.event_page.gpx import RoutePlace, write_gpx
from scorekeeper.event_page.markdown_text import render_text, summarise_text
from scorekeeper.event_page.models import EventPage, EventSponsor, PosterImage, ProgrammeItem, RouteTrack
from scorekeeper.event_page.track import Point, Track, decode_points, find_positions, load_track
from scorekeeper.events.models import Event
from scorekeeper.prizes.selectors.audience_prizes import list_sponsors as list_prize_sponsors
from scorekeeper.stops.coordinates import Coordinates
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import list_stops


@dataclass(frozen=True, slots=True)
class Poster:
    """The poster as pages show it.

    Attributes:
        url: of the widest one.
        srcset: the addresses of all with their widths, for browsers to choose from.
        width, height: of the widest one, in pixels.
        alt: what it shows.
    """

    url: str
    srcset: str
    width: int
    height: int
    media_type: str
    alt: str


@dataclass(frozen=True, slots=True)
class ProgrammeDay:
    """A day of the programme.

    Attributes:
        is_named: whether its date is shown: there are several days, or it is not that of the event.
    """

    date: dt.date
    items: Sequence[ProgrammeItem]
    is_named: bool


@dataclass(frozen=True, slots=True)
class RouteStop:
    """A stop on the way.

    Attributes:
        distance_text: from the stop before; "" if it is not known.
    """

    stop: Stop
    distance_text: str


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a ride.

    Attributes:
        total_text: how long all of it is; "" if a part of it is not known.
        gpx_url: of the file for navigation devices; "" if nothing of the way is known.
    """

    stops: Sequence[RouteStop]
    total_text: str
    gpx_url: str

    def __bool__(self) -> bool:
        return bool(self.stops or self.gpx_url)

    @property
    def has_hours(self) -> bool:
        """Whether a stop has hours."""
        return any(one.stop.hours for one in self.stops)

    @property
    def start_address(self) -> str:
        """Where the ride starts; "" if that is not known."""
        return self.stops[0].stop.address if self.stops else ""


@dataclass(frozen=True, slots=True)
class PageSponsor:
    """Somebody who helps with the event, or gives a prize.

    Attributes:
        name: "" for one with only a picture.
        link: "" without a website.
        logo_url: "" without a picture.
    """

    name: str
    link: str
    logo_url: str


@dataclass(frozen=True, slots=True)
class EventInvitation:
    """Everything that the page of an event says beside its contests.

    Attributes:
        summary: the beginning of the text, without markup.
        next_text: when the next ride is; "" if that is not known.
    """

    page: EventPage
    poster: Poster | None
    text_html: SafeString
    summary: str
    programme: Sequence[ProgrammeDay]
    route: Route
    sponsors: Sequence[PageSponsor]
    next_text: str

    def __bool__(self) -> bool:
        page = self.page
        words = self.text_html or page.what_to_bring or page.has_contact
        return bool(self.poster or words or self.programme or self.route or self.sponsors)


def get_invitation(event: Event, *, is_preview: bool = False) -> EventInvitation:
    """Return what the page of an event says, in a fixed number of statements.

    Args:
        is_preview: whether it is for organisers, who see the poster of a draft too.
    """
    page = get_page(event)
    return EventInvitation(
        page=page,
        poster=_get_poster(event, page, is_preview=is_preview),
        text_html=render_text(page.text),
        summary=summarise_text(page.text) if page.text else "",
        programme=list_programme_days(event),
        route=get_route(event, page),
        sponsors=list_page_sponsors(event),
        next_text=describe_next_date(event, page),
    )


def get_page(event: Event) -> EventPage:
    """Return what the page says in words; an unsaved, empty one if nothing is entered."""
    return EventPage.objects.filter(event=event).first() or EventPage(event=event)


def get_unit(event: Event, page: EventPage) -> str:
    """Return the unit in which distances of an event are shown."""
    return page.distance_unit or get_usual_unit(event.time_zone)


def propose_alt(event: Event) -> str:
    """Return what a poster shows, if nobody says it better."""
    return _("Poster of %(event)s, %(date)s") % {"event": event.name, "date": format_date(event.date, "DATE_FORMAT")}


def list_poster_images(event: Event) -> list[PosterImage]:
    """Return the poster in its widths, the smallest first, without their bytes."""
    return list(event.poster_images.defer("content").order_by("width", "pk"))


def _get_poster(event: Event, page: EventPage, *, is_preview: bool) -> Poster | None:
    images = list_poster_images(event)
    if not images:
        return None
    route = "event_page:desk_poster" if is_preview else "event_page:poster_image"
    urls = [reverse(route, args=[event.slug, image.pk]) for image in images]
    srcset = ", ".join(f"{url} {image.width}w" for url, image in zip(urls, images, strict=True))
    widest, alt = images[-1], page.poster_alt or propose_alt(event)
    return Poster(urls[-1], srcset, widest.width, widest.height, widest.media_type, alt)


def list_programme(event: Event) -> list[ProgrammeItem]:
    """Return the programme in the order in which it happens; what has no time comes first on its day."""
    items = list(event.programme.all())
    for item in items:
        item.event = event
    return sorted(items, key=lambda item: (item.day, item.time or dt.time.min, item.time is not None, item.text))


def list_programme_days(event: Event) -> list[ProgrammeDay]:
    """Return the programme day by day."""
    items = list_programme(event)
    are_named = {item.day for item in items} != {0}
    return [ProgrammeDay(date, list(of_day), are_named) for date, of_day in groupby(items, lambda item: item.date)]


def get_route(event: Event, page: EventPage) -> Route:
    """Return the way of the ride. The distance of a first stop is from where the ride starts, and may be missing."""
    stops, unit = list(list_stops(event)), get_unit(event, page)
    shown = [RouteStop(stop, format_distance(stop.distance, unit) if stop.distance else "") for stop in stops]
    later = [stop.distance for stop in stops[1:]]
    total = ""
    if later and None not in later:
        total = format_distance(sum(stop.distance or 0 for stop in stops), unit)
    has_gpx = any(stop.coordinates for stop in stops) or RouteTrack.objects.filter(event=event).exists()
    return Route(shown, total, reverse("event_page:gpx", args=[event.slug]) if has_gpx else "")


def get_track(event: Event) -> Track | None:
    """Return the road of the ride; None if it is not known, or what is stored is no track."""
    stored = RouteTrack.objects.filter(event=event).first()
    try:
        return None if stored is None else load_track(stored.points, stored.length)
    except ValueError:
        return None


def to_point(coordinates: Coordinates) -> Point:
    """Return coordinates as a point of a track."""
    return float(coordinates.latitude), float(coordinates.longitude)


def propose_distances(track: Track, stops: Sequence[Stop]) -> list[int | None]:
    """Return for each stop how far along the road it is from the one before, in metres; None where that is not known.

    That of a first stop is from the start of the track.
    """
    places = [to_point(stop.coordinates) if stop.coordinates else None for stop in stops]
    known = iter(find_positions(track, [place for place in places if place is not None]))
    positions = [None if place is None else next(known) for place in places]
    before: Sequence[float | None] = [0.0, *positions]
    return [
        None if position is None or start is None else max(0, round(position - start))
        for start, position in zip(before, positions, strict=False)
    ]


def make_route_file(event: Event) -> bytes | None:
    """Return the route for navigation devices; None if nothing of it is known."""
    places = [
        RoutePlace(stop.name, to_point(stop.coordinates), _describe(stop))
        for stop in list_stops(event)
        if stop.coordinates is not None
    ]
    stored = RouteTrack.objects.filter(event=event).first()
    points: Sequence[Point] = ()
    if stored is not None:
        try:
            points = decode_points(stored.points)
        except ValueError:
            points = ()
    if not places and not points:
        return None
    link = settings.BASE_URL + reverse("results:event", args=[event.slug])
    return write_gpx(event.name, format_date(event.date, "Y-m-d"), link, places, points)


def _describe(stop: Stop) -> str:
    return ", ".join(filter(None, (stop.address, stop.hours)))


def list_event_sponsors(event: Event) -> QuerySet[EventSponsor]:
    """Return the sponsors of the page in their order."""
    return event.page_sponsors.order_by("position", "pk")


def list_page_sponsors(event: Event) -> list[PageSponsor]:
    """Return the sponsors of the page, and then those who give prizes. One of the same name is there once."""
    of_prizes = list_prize_sponsors(event)
    logos = {sponsor.name.casefold(): sponsor.logo_url for sponsor in of_prizes if sponsor.name}
    own = list(list_event_sponsors(event))
    shown = [
        PageSponsor(one.name, one.link, get_logo_url(event, one) or logos.get(one.name.casefold(), "")) for one in own
    ]
    names = {one.name.casefold() for one in own}
    rest = [PageSponsor(one.name, "", one.logo_url) for one in of_prizes if one.name.casefold() not in names]
    return [*shown, *(one for one in rest if one.name or one.logo_url)]


def get_logo_url(event: Event, sponsor: EventSponsor) -> str:
    """Return the address of a sponsor's picture; "" if there is none, or if the event is a draft, which shows none."""
    return reverse("prizes:logo", args=[event.slug, sponsor.logo_id]) if sponsor.logo_id and event.is_open else ""


def format_weekday(date: dt.date) -> str:
    """Return a date with its day of the week and without its year: "Saturday, 20 June"."""
    parts = {"weekday": format_date(date, "l"), "date": format_date(date, "MONTH_DAY_FORMAT")}
    return _("%(weekday)s, %(date)s") % parts


def describe_next_date(event: Event, page: EventPage) -> str:
    """Return when the next ride is, in a sentence; "" if that is not known."""
    if page.next_date is None or page.next_date <= event.date:
        return ""
    date = format_date(page.next_date, "DATE_FORMAT")
    weekday = format_date(page.next_date, "l")
    if page.next_date.year == event.date.year + 1:
        return _("See you next year: %(weekday)s, %(date)s") % {"weekday": weekday, "date": date}
    return _("See you again: %(weekday)s, %(date)s") % {"weekday": weekday, "date": date}
