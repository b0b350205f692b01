"""Changes what the page of an event says. Callers hold the event's lock (`events.edit_lock`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from scorekeeper.common.ordering import move_by_one
from scorekeeper.common.pictures import Picture, SizedPicture
from scorekeeper.event_page.models import (
    MAX_SPONSORS,
    EventPage,
    EventSponsor,
    PosterImage,
    ProgrammeItem,
    RouteTrack,
)
from scorekeeper.event_page.selectors import get_track, list_event_sponsors, propose_distances
from scorekeeper.event_page.track import Track, encode_points
from scorekeeper.events.models import Event
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.prizes.services import add_logo
from scorekeeper.stops.coordinates import Coordinates
from scorekeeper.stops.models import MAX_DISTANCE, Stop
from scorekeeper.stops.selectors import list_stops
from scorekeeper.stops.services import add_stop


class TooManySponsors(Exception):
    """The page has `MAX_SPONSORS`."""


@dataclass(frozen=True, slots=True)
class ProgrammeEntry:
    """A point of the programme as it was entered; its values are those of `ProgrammeItem`."""

    day: int
    time: Any
    text: str


@dataclass(frozen=True, slots=True)
class PlaceEntry:
    """A place of a GPX file that becomes a stop, or where a stop is.

    Attributes:
        stop_id: the stop that is there; None for a new one.
        name: of a new stop.
    """

    stop_id: UUID | None
    name: str
    coordinates: Coordinates


def save_page(page: EventPage, values: Mapping[str, Any]) -> None:
    """Store what the page says in words.

    Args:
        values: by column.
    """
    for name, value in values.items():
        setattr(page, name, value)
    page.save()


@transaction.atomic
def replace_poster(event: Event, pictures: Sequence[SizedPicture]) -> None:
    """Store the poster in its widths, in place of the one before; without any, delete it."""
    event.poster_images.all().delete()
    PosterImage.objects.bulk_create(PosterImage(event=event, **picture._asdict()) for picture in pictures)


@transaction.atomic
def save_programme(
    event: Event, changed: Mapping[UUID, ProgrammeEntry | None], added: Sequence[ProgrammeEntry]
) -> None:
    """Change and add points of the programme.

    Args:
        changed: by id; None deletes one.
    """
    items = {item.pk: item for item in event.programme.all()}
    for pk, entry in changed.items():
        item = items.get(pk)
        if item is not None and entry is None:
            item.delete()
        elif item is not None and entry is not None:
            item.day, item.time, item.text = entry.day, entry.time, entry.text
            item.save(update_fields=["day", "time", "text"])
    ProgrammeItem.objects.bulk_create(
        ProgrammeItem(event=event, day=entry.day, time=entry.time, text=entry.text) for entry in added
    )


@transaction.atomic
def add_sponsor(event: Event, name: str, link: str, logo: Picture | None) -> EventSponsor:
    """Return a new sponsor, the last of the page.

    Raises:
        TooManySponsors: there are as many as there can be.
    """
    if event.page_sponsors.count() >= MAX_SPONSORS:
        raise TooManySponsors
    last = event.page_sponsors.aggregate(last=Max("position"))["last"] or 0
    return EventSponsor.objects.create(
        event=event, position=last + 1, name=name, link=link, logo=_store_logo(event, logo)
    )


@transaction.atomic
def change_sponsor(sponsor: EventSponsor, name: str, link: str, logo: Picture | None, *, removes_logo: bool) -> None:
    """Change a sponsor.

    Args:
        logo: a new picture; None leaves the old one.
    """
    sponsor.name, sponsor.link = name, link
    if logo is not None or removes_logo:
        sponsor.logo = _store_logo(sponsor.event, logo)
    sponsor.save(update_fields=["name", "link", "logo"])


def _store_logo(event: Event, logo: Picture | None) -> PrizeLogo | None:
    return None if logo is None else add_logo(event, logo.media_type, logo.content)


@transaction.atomic
def move_sponsor(sponsor: EventSponsor, *, upwards: bool) -> None:
    """Swap a sponsor with its neighbour; at the end of the list nothing changes."""
    move_by_one(list_event_sponsors(sponsor.event), sponsor, upwards=upwards, column="position")


def save_distances(event: Event, distances: Mapping[UUID, int | None]) -> None:
    """Store distances between stops, in metres, by the stop's id."""
    stops = [stop for stop in list_stops(event) if stop.pk in distances]
    for stop in stops:
        stop.distance = distances[stop.pk]
    Stop.objects.bulk_update(stops, ["distance"])


@transaction.atomic
def apply_gpx(
    event: Event, places: Sequence[PlaceEntry], track: Track | None, *, sets_distances: bool, keeps_track: bool
) -> None:
    """Take over what was chosen of a GPX file: places of stops, new stops, the road, and distances along it.

    Args:
        places: in order; a new stop becomes the last of the ride.
        sets_distances: whether distances are worked out along the track.
    """
    stops = {stop.pk: stop for stop in list_stops(event)}
    for place in places:
        stop = stops.get(place.stop_id) if place.stop_id else add_stop(event, place.name)
        if stop is not None:
            stop.latitude, stop.longitude = place.coordinates
            stop.save(update_fields=["latitude", "longitude"])
    if track is not None and keeps_track:
        save_track(event, track)
    if track is not None and sets_distances:
        set_distances_along(event, track)


def save_track(event: Event, track: Track) -> None:
    """Store the road of the ride, in place of the one before."""
    length = min(round(track.length), MAX_DISTANCE)
    RouteTrack.objects.update_or_create(event=event, defaults={"points": encode_points(track.points), "length": length})


def delete_track(event: Event) -> None:
    """Delete the road of the ride. Stops and distances stay."""
    RouteTrack.objects.filter(event=event).delete()


def set_distances_along(event: Event, track: Track | None = None) -> int:
    """Work out the distances between stops along the road, and return how many were found. Others stay."""
    track = track or get_track(event)
    stops = list(list_stops(event))
    found = propose_distances(track, stops) if track else []
    known = (
        {stop.pk: distance for stop, distance in zip(stops, found, strict=True) if distance is not None}
        if track
        else {}
    )
    save_distances(event, known)
    return len(known)
