"""Forms of an event's page: its words, poster, programme, distances and sponsors, and what a GPX file brings.

Invariant: what was typed is kept whatever else is wrong. So no text field has a limit that the browser enforces by
cutting off what is pasted.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scorekeeper.common.date_wording import format_date
from scorekeeper.common.event_dates import EventDateFormField
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.names import fold_name
from scorekeeper.common.pictures import MAX_UPLOAD_BYTES, SizedPicture, make_sized_pictures
from scorekeeper.event_page import gpx
from scorekeeper.event_page.distances import METRES, Unit, format_distance, to_metres, to_unit
from scorekeeper.event_page.links import check_web_address, complete_web_address
from scorekeeper.event_page.models import (
    MAX_ALT,
    MAX_LIST,
    MAX_PROGRAMME,
    MAX_TEXT,
    MAX_TRACK,
    PHONE_NUMBER,
    EventPage,
    EventSponsor,
    ProgrammeItem,
)
from scorekeeper.event_page.selectors import (
    format_weekday,
    get_unit,
    list_poster_images,
    list_programme,
    propose_alt,
    to_point,
)
from scorekeeper.event_page.services import PlaceEntry, ProgrammeEntry
from scorekeeper.event_page.track import (
    MAX_POINTS,
    Point,
    Track,
    encode_points,
    find_position,
    load_track,
    make_track,
    measure,
)
from scorekeeper.events.models import Event
from scorekeeper.prizes.forms import PICTURE_ATTRS, LogoField
from scorekeeper.stops.coordinates import STORED_DIGITS, Coordinates, InvalidCoordinates, parse_coordinates
from scorekeeper.stops.models import MAX_DISTANCE, Stop
from scorekeeper.stops.selectors import list_stops

POSTER_WIDTHS = (400, 800, 1600)  # pixels
DAYS_BEFORE, DAYS_AFTER = 3, 7  # that the programme offers
FIRST_ROWS, MORE_ROWS = 5, 3  # empty rows of a new programme, and below one that exists
SAME_PLACE = 500.0  # metres: a waypoint so near to a stop is that stop
MAX_NUMBER = 100_000  # of a distance that is typed
NEW_STOP = "new"  # among the stops that a waypoint can be
PARTS = ("day", "time", "text")  # of a row of the programme
_ITEM_TEXT = re.compile(r"(item_[0-9a-f-]{36})_text")


def format_megabytes(size: int) -> str:
    """Return how large a file is, for people."""
    return filesizeformat(size)


class LongTextField(forms.CharField):
    """A long text. Line ends count as one character, whatever the browser sends, and too long a text stays as it is."""

    def __init__(self, *, most: int, rows: int, **options: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": rows}), **options)
        self.most = most

    def to_python(self, value: Any) -> str:
        """Return the text with the line ends of a file."""
        return str(super().to_python(value) or "").replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: str) -> None:
        """Reject a text that is too long, and say by how much."""
        super().validate(value)
        if len(value) > self.most:
            text = _("This has %(count)s characters, and there is room for %(most)s. Shorten it.")
            raise ValidationError(text % {"count": f"{len(value):,}", "most": f"{self.most:,}"})


class EventPageForm(forms.Form):
    """What the page says in words."""

    text = LongTextField(
        label=gettext_lazy("Text"),
        most=MAX_TEXT,
        rows=12,
        help_text=gettext_lazy(
            "What riders should know. An empty line begins a paragraph, “# ” a heading, “- ” a point of a list. "
            "**Two stars** make bold. A link is [its words], with the address in round brackets right after them."
        ),
    )
    what_to_bring = LongTextField(
        label=gettext_lazy("What to bring"),
        most=MAX_LIST,
        rows=5,
        help_text=gettext_lazy("One thing on each line, such as “Cash for the BBQ”."),
    )
    contact_name = NameFormField(
        label=gettext_lazy("Contact: name"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("Whom riders ask. Everyone can read the name, the mail address and the number."),
    )
    contact_email = forms.EmailField(
        label=gettext_lazy("Contact: email"),
        required=False,
        error_messages={"invalid": gettext_lazy("Enter a mail address, such as club@example.org.")},
    )
    contact_phone = forms.CharField(
        label=gettext_lazy("Contact: phone"),
        required=False,
        max_length=40,
        validators=[PHONE_NUMBER],
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )
    next_date = EventDateFormField(
        label=gettext_lazy("Next date"),
        required=False,
        help_text=gettext_lazy("Once the event is over, its page says “See you next year” with this date."),
    )
    distance_unit = forms.ChoiceField(
        label=gettext_lazy("Distances in"), choices=EventPage.DistanceUnit.choices, widget=forms.RadioSelect
    )

    def __init__(self, data: Any = None, files: Any = None, *, event: Event, page: EventPage) -> None:
        initial = {name: getattr(page, name) for name in self.base_fields}
        super().__init__(data, files, initial={**initial, "distance_unit": get_unit(event, page)})
        self.label_suffix = ""
        self._event = event

    def clean_next_date(self) -> dt.date | None:
        """Return the next date; it is after that of the event."""
        date: dt.date | None = self.cleaned_data["next_date"]
        if date is not None and date <= self._event.date:
            text = _("This is not after %(date)s, the date of this event. Enter that of the next one.")
            raise ValidationError(text % {"date": format_date(self._event.date)})
        return date


class PosterField(forms.FileField):
    """An optional poster. Its value is the poster in the widths that are stored; None if none was sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            help_text=gettext_lazy(
                "A PNG, JPEG or WebP file of up to 10 MB. It is made smaller for phones, and what a camera wrote into "
                "it, such as the place, is removed."
            ),
            widget=forms.FileInput(attrs=dict(PICTURE_ATTRS)),
            error_messages={"empty": gettext_lazy("This file is empty. Choose a PNG, JPEG or WebP file.")},
            **options,
        )

    def clean(self, data: Any, initial: Any = None) -> list[SizedPicture] | None:
        """Return the poster.

        Raises:
            ValidationError: it is too large, or not accepted.
        """
        upload = super().clean(data)  # the initial value is which poster is stored, and not a file
        if not upload:
            return None
        if not hasattr(upload, "poster"):  # the form is made more than once
            try:
                upload.poster = _make_poster(upload)
            except ValidationError as refusal:
                upload.poster = refusal
        if isinstance(upload.poster, ValidationError):
            raise upload.poster
        pictures: list[SizedPicture] = upload.poster
        return pictures


def _make_poster(upload: Any) -> list[SizedPicture]:
    if upload.size > MAX_UPLOAD_BYTES:
        text = _("This picture has %(size)s, and it can have %(most)s. Choose a smaller one, or export it again.")
        sizes = {"size": format_megabytes(upload.size), "most": format_megabytes(MAX_UPLOAD_BYTES)}
        raise ValidationError(text % sizes)
    return make_sized_pictures(upload.read(), POSTER_WIDTHS)


def prepare_poster(files: Mapping[str, Any]) -> None:
    """Decode a poster that was sent, so that its form has it ready. What is wrong with it is said by the form."""
    with suppress(ValidationError):
        PosterField().clean(files.get("poster"))


class PosterForm(forms.Form):
    """The poster, and what it shows."""

    edit_units = {"remove_poster": "poster"}

    poster_alt = forms.CharField(
        label=gettext_lazy("What the poster shows"),
        max_length=MAX_ALT,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy(
            "For people who cannot see it: the name, the date, and what else it says in writing. Left empty, it says "
            "the name and the date of the event."
        ),
    )
    poster = PosterField(label=gettext_lazy("Poster"))
    remove_poster = forms.BooleanField(label=gettext_lazy("Remove the poster"), required=False)

    def __init__(self, data: Any = None, files: Any = None, *, event: Event, page: EventPage) -> None:
        images = list_poster_images(event)
        initial = {
            "poster": str(images[-1].pk) if images else None,
            "poster_alt": page.poster_alt or propose_alt(event),
        }
        super().__init__(data, files, initial=initial)
        self.label_suffix = ""
        self._proposed = propose_alt(event)
        if not images:
            del self.fields["remove_poster"]

    def clean_poster_alt(self) -> str:
        """Return what it shows; "" for what is proposed, which follows the name and the date of the event."""
        text: str = " ".join(self.cleaned_data["poster_alt"].split())
        return "" if text == self._proposed else text


class ProgrammeRow(NamedTuple):
    """The fields of a point of the programme, and a title for the group."""

    title: str
    day: BoundField
    time: BoundField
    text: BoundField


class ProgrammeForm(forms.Form):
    """The programme: a row for each point, and empty ones. A row without a text and a time is deleted.

    A point that somebody else has deleted meanwhile shows again as a new one, with an error. Saving once more adds it.
    """

    def __init__(self, data: Any = None, files: Any = None, *, event: Event) -> None:
        self._event, self._items = event, list_programme(event)
        self._keys = [f"item_{item.pk}" for item in self._items]
        room = max(0, MAX_PROGRAMME - len(self._items))
        sent = {} if data is None else data
        rows = max([0, *(number for number in range(1, room + 1) if f"new_{number}_text" in sent)])
        deleted = sorted({found[1] for name in sent if (found := _ITEM_TEXT.fullmatch(name))} - set(self._keys))
        deleted = [key for key in deleted if sent[f"{key}_text"].strip()][: room - rows]
        self._deleted = [f"new_{number}" for number in range(rows + 1, rows + len(deleted) + 1)]
        if deleted:
            data = data.copy()
            for key, new_key in zip(deleted, self._deleted, strict=True):
                for part in PARTS:
                    data[f"{new_key}_{part}"] = data.get(f"{key}_{part}", "")
        super().__init__(data, files)
        self.label_suffix = ""
        empty = max(rows + len(deleted), min(FIRST_ROWS if not self._items else MORE_ROWS, room))
        self._new_keys = [f"new_{number}" for number in range(1, empty + 1)]
        self.edit_units: dict[str, str] = {}
        choices = list(self._list_days())
        for key, item in zip(self._keys, self._items, strict=True):
            self._add_row(key, choices, item)
        for key in self._new_keys:
            self._add_row(key, choices, None)

    def _list_days(self) -> Iterator[tuple[int, str]]:
        days = {*range(-DAYS_BEFORE, DAYS_AFTER + 1), *(item.day for item in self._items)}
        for day in sorted(days):
            yield day, format_weekday(self._event.date + dt.timedelta(days=day))

    def _add_row(self, key: str, choices: Sequence[tuple[int, str]], item: ProgrammeItem | None) -> None:
        self.edit_units |= {f"{key}_{part}": key for part in PARTS}
        self.fields[f"{key}_day"] = forms.TypedChoiceField(
            label=_("Day"), choices=choices, coerce=int, initial=item.day if item else 0
        )
        self.fields[f"{key}_time"] = forms.TimeField(
            label=pgettext("of an entry", "Time"),
            required=False,
            initial=item.time if item else None,
            widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"}),
            error_messages={"invalid": _("Enter a time as hours and minutes, such as 09:30.")},
        )
        self.fields[f"{key}_text"] = forms.CharField(
            label=_("What happens"), max_length=200, required=False, initial=item.text if item else ""
        )

    @property
    def rows(self) -> list[ProgrammeRow]:
        """The rows, those that exist first."""
        keys = [*self._keys, *self._new_keys]
        return [
            ProgrammeRow(_("Point %(number)s") % {"number": number}, *(self[f"{key}_{part}"] for part in PARTS))
            for number, key in enumerate(keys, 1)
        ]

    def clean(self) -> dict[str, Any]:
        """Ask what happens at a time that stands alone."""
        cleaned = super().clean() or self.cleaned_data
        for key in (*self._keys, *self._new_keys):
            time = cleaned.get(f"{key}_time")
            if time is not None and not cleaned.get(f"{key}_text") and f"{key}_text" not in self.errors:
                text = _("Enter what happens at %(time)s, or clear the time.")
                self.add_error(f"{key}_text", text % {"time": f"{time:%H:%M}"})
        for key in self._deleted:
            text = _("Someone else has deleted this point while you had the page open. Clear it, or save to keep it.")
            self.add_error(f"{key}_text", text)
        return cleaned

    def get_changed(self) -> dict[UUID, ProgrammeEntry | None]:
        """Return the points that exist as they were entered; None for those without a text."""
        keys = zip(self._items, self._keys, strict=True)
        return {item.pk: self._get_entry(key) for item, key in keys}

    def get_added(self) -> list[ProgrammeEntry]:
        """Return the new points."""
        entries = (self._get_entry(key) for key in self._new_keys)
        return [entry for entry in entries if entry is not None]

    def _get_entry(self, key: str) -> ProgrammeEntry | None:
        day, time, text = (self.cleaned_data[f"{key}_{part}"] for part in PARTS)
        return ProgrammeEntry(day, time, text) if text else None


class DistanceField(forms.DecimalField):
    """A distance, with a decimal point or comma."""

    def __init__(self, **options: Any) -> None:
        texts = dict.fromkeys(
            ("invalid", "min_value", "max_value", "max_decimal_places", "max_digits", "max_whole_digits"),
            _("Enter a distance such as 12.4, or leave it empty."),
        )
        super().__init__(
            required=False,
            min_value=0,
            max_value=MAX_NUMBER,
            max_digits=12,
            widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
            error_messages=texts,
            **options,
        )

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]
        """Return the number."""
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class DistancesForm(forms.Form):
    """How far each stop is from the one before, in the unit that the page showed."""

    def __init__(self, data: Any = None, files: Any = None, *, event: Event, page: EventPage) -> None:
        super().__init__(data, files)
        self.label_suffix = ""
        unit = get_unit(event, page)
        self.stops = list(list_stops(event))
        self.fields["unit"] = forms.ChoiceField(choices=Unit.choices, initial=unit, widget=forms.HiddenInput)
        sent = self["unit"].value()
        self.unit = sent if sent in METRES else unit
        short = _("miles") if self.unit == Unit.MILES else _("km")
        for number, stop in enumerate(self.stops):
            label = _("To %(stop)s, in %(unit)s") if number else _("From the start to %(stop)s, in %(unit)s")
            shown = None if stop.distance is None else to_unit(stop.distance, self.unit)
            self.fields[self._get_name(stop)] = DistanceField(
                label=label % {"stop": stop.name, "unit": short}, initial=shown
            )

    @staticmethod
    def _get_name(stop: Stop) -> str:
        return f"stop_{stop.pk}"

    def clean(self) -> dict[str, Any]:
        """Reject what is longer than a continent."""
        cleaned = super().clean() or self.cleaned_data
        for stop in self.stops:
            value = cleaned.get(self._get_name(stop))
            if value is not None and to_metres(value, self.unit) > MAX_DISTANCE:
                most = format_distance(MAX_DISTANCE, self.unit)
                self.add_error(self._get_name(stop), _("No stop can be further than %(most)s.") % {"most": most})
        return cleaned

    def get_distances(self) -> dict[UUID, int | None]:
        """Return the distances in metres; one that was left as it was shown is not rounded."""
        found: dict[UUID, int | None] = {}
        for stop in self.stops:
            value = self.cleaned_data.get(self._get_name(stop))
            is_same = stop.distance is not None and value == to_unit(stop.distance, self.unit)
            found[stop.pk] = stop.distance if is_same else None if value is None else to_metres(value, self.unit)
        return found


class SponsorForm(forms.Form):
    """Somebody who helps with the event."""

    edit_units = {"remove_logo": "logo"}

    name = NameFormField(
        label=gettext_lazy("Name"), max_length=80, error_messages={"required": gettext_lazy("Enter the name.")}
    )
    link = forms.CharField(
        label=gettext_lazy("Website"),
        required=False,
        max_length=300,
        help_text=gettext_lazy("Such as example.org. Leave it empty if there is none."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )
    logo = LogoField(label=gettext_lazy("Logo"))
    remove_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)

    def __init__(self, data: Any = None, files: Any = None, *, sponsor: EventSponsor | None = None) -> None:
        initial = {} if sponsor is None else {"name": sponsor.name, "link": sponsor.link, "logo": sponsor.logo_id}
        super().__init__(data, files, initial=initial)
        self.label_suffix = ""
        if sponsor is None or sponsor.logo_id is None:
            del self.fields["remove_logo"]

    def clean_link(self) -> str:
        """Return the address with its scheme."""
        address = complete_web_address(self.cleaned_data["link"])
        if address:
            check_web_address(address)
        return address


class GpxForm(forms.Form):
    """A GPX file to look at. Once it is valid, `content` is what was read."""

    file = forms.FileField(
        label=gettext_lazy("GPX file"),
        help_text=gettext_lazy(
            "From your map or navigation device, up to 10 MB. You choose on the next page what is taken over."
        ),
        widget=forms.FileInput(
            attrs={
                "accept": ".gpx,application/gpx+xml,application/xml,text/xml",
                "data-max-bytes": str(gpx.MAX_BYTES),
                "data-too-large": gettext_lazy("This file has {size} MB, and it can have {most} MB."),
            }
        ),
        error_messages={
            "required": gettext_lazy("Choose a GPX file."),
            "empty": gettext_lazy("This file is empty. Choose a GPX file."),
        },
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        self.label_suffix = ""

    def clean_file(self) -> gpx.GpxFile:
        """Return what the file has."""
        upload = self.cleaned_data["file"]
        if upload.size > gpx.MAX_BYTES:
            text = _("This file has %(size)s, and it can have %(most)s.")
            sizes = {"size": format_megabytes(upload.size), "most": format_megabytes(gpx.MAX_BYTES)}
            raise ValidationError(text % sizes)
        try:
            found = gpx.read_gpx(upload.read())
        except gpx.InvalidGpx as invalid:
            raise ValidationError(str(invalid)) from invalid
        if not found.waypoints and len(found.points) < 2:
            raise ValidationError(_("This file has neither places nor a track. Export the route again."))
        return found


class WaypointRow(NamedTuple):
    """The fields of a waypoint, and what is known of it.

    Attributes:
        place: its coordinates.
        along: how far along the track it is; "" if it is not on it.
    """

    title: str
    place: Coordinates
    along: str
    point: BoundField
    taken: BoundField
    name: BoundField
    stop: BoundField


class GpxChoiceForm(forms.Form):
    """What to take over from a GPX file: which waypoints are which stops, the track, and the distances.

    The page carries what was read of the file, so that nothing is stored before somebody has chosen.
    """

    def __init__(self, data: Any = None, *, event: Event, page: EventPage, content: gpx.GpxFile | None = None) -> None:
        """Make the form.

        Args:
            data: what a page of this form sent.
            content: what was read, for the first page; None for what a page sends back.
        """
        super().__init__(data)
        self.label_suffix = ""
        self._unit, self._stops = get_unit(event, page), list(list_stops(event))
        self.track = _read_track(data) if content is None else make_track(content.points)
        self._waypoints = _read_waypoints(data) if content is None else content.waypoints
        # How far along the track each waypoint is.
        self._positions = [
            None if self.track is None else find_position(self.track, one.point) for one in self._waypoints
        ]
        if content is not None:
            self._sort()
        if self.track is not None:
            self._add_track_fields(self.track)
        matches = self._match()
        choices = [(NEW_STOP, _("a new stop")), *((str(stop.pk), stop.name) for stop in self._stops)]
        for number, waypoint in enumerate(self._waypoints):
            match = matches.get(number)
            is_proposed = match is not None or (not self._stops and bool(waypoint.name))
            self.fields[f"{number}_point"] = forms.CharField(
                widget=forms.HiddenInput, initial=str(_to_coordinates(waypoint.point)), required=False
            )
            self.fields[f"{number}_taken"] = forms.BooleanField(
                label=_("Take this place over"), required=False, initial=is_proposed
            )
            self.fields[f"{number}_stop"] = forms.ChoiceField(
                label=_("It is"), choices=choices, initial=str(match.pk) if match else NEW_STOP
            )
            self.fields[f"{number}_name"] = NameFormField(
                label=_("Name, if it is a new stop"), max_length=80, required=False, initial=waypoint.name
            )

    def _add_track_fields(self, track: Track) -> None:
        self.fields["track"] = forms.CharField(widget=forms.HiddenInput, initial=encode_points(track.points))
        self.fields["length"] = forms.IntegerField(
            widget=forms.HiddenInput, initial=min(round(track.length), MAX_DISTANCE)
        )
        length = format_distance(round(track.length), self._unit)
        self.fields["keeps_track"] = forms.BooleanField(
            label=_("Offer the track for download, %(length)s") % {"length": length},
            required=False,
            initial=True,
            help_text=_("Everyone can see where it begins and ends. It has no times."),
        )
        self.fields["sets_distances"] = forms.BooleanField(
            label=_("Work out the distances between the stops along the track"), required=False, initial=True
        )

    def _sort(self) -> None:
        """Put the waypoints into the order in which the track passes them; the others follow."""
        found = sorted(
            zip(self._positions, range(len(self._waypoints)), strict=True),
            key=lambda pair: (pair[0] is None, pair[0] or 0.0, pair[1]),
        )
        self._positions = [position for position, _number in found]
        self._waypoints = [self._waypoints[number] for _position, number in found]

    def _match(self) -> Mapping[int, Stop]:
        """Return which waypoints are probably which stops: by their names, or else by where they are."""
        matches: dict[int, Stop] = {}
        by_name = {fold_name(stop.name): stop for stop in self._stops}
        for number, waypoint in enumerate(self._waypoints):
            stop = by_name.pop(fold_name(waypoint.name), None)
            if stop is not None:
                matches[number] = stop
        free = {stop: to_point(stop.coordinates) for stop in by_name.values() if stop.coordinates is not None}
        for number, waypoint in enumerate(self._waypoints):
            near = [(measure(waypoint.point, point), stop.ordinal, stop) for stop, point in free.items()]
            if number not in matches and near and min(near)[0] <= SAME_PLACE:
                matches[number] = min(near)[2]
                del free[matches[number]]
        return matches

    @property
    def rows(self) -> list[WaypointRow]:
        """The waypoints."""
        rows = []
        for number, waypoint in enumerate(self._waypoints):
            position = self._positions[number]
            along = "" if position is None else format_distance(round(position), self._unit)
            title = waypoint.name or _("Place %(number)s") % {"number": number + 1}
            parts = (self[f"{number}_{part}"] for part in ("point", "taken", "name", "stop"))
            rows.append(WaypointRow(title, _to_coordinates(waypoint.point), along, *parts))
        return rows

    def clean(self) -> dict[str, Any]:
        """Ask for the names of new stops, and reject a stop that is chosen twice."""
        cleaned = super().clean() or self.cleaned_data
        chosen: set[str] = set()
        for number in range(len(self._waypoints)):
            if not cleaned.get(f"{number}_taken"):
                continue
            stop = cleaned.get(f"{number}_stop", NEW_STOP)
            if stop == NEW_STOP and not cleaned.get(f"{number}_name"):
                self.add_error(f"{number}_name", _("Enter the name of the new stop."))
            elif stop != NEW_STOP and stop in chosen:
                self.add_error(f"{number}_stop", _("This stop is chosen twice. Choose another one."))
            chosen.add(stop)
        return cleaned

    def get_places(self) -> list[PlaceEntry]:
        """Return the places that are taken over."""
        data = self.cleaned_data
        return [
            PlaceEntry(
                None if data[f"{number}_stop"] == NEW_STOP else UUID(data[f"{number}_stop"]),
                data[f"{number}_name"],
                _to_coordinates(waypoint.point),
            )
            for number, waypoint in enumerate(self._waypoints)
            if data[f"{number}_taken"]
        ]


def _to_coordinates(point: Point) -> Coordinates:
    latitude, longitude = (Decimal(str(value)).quantize(STORED_DIGITS) for value in point)
    return Coordinates(latitude, longitude)


def _read_track(data: Any) -> Track | None:
    """Return the track that a page sent back; None if there is none, or it is none."""
    encoded, length = str(data.get("track", "")), str(data.get("length", ""))
    if not 0 < len(encoded) <= MAX_TRACK or not length.isdecimal() or len(length) > len(str(MAX_DISTANCE)):
        return None
    try:
        track = load_track(encoded, min(int(length), MAX_DISTANCE))
    except ValueError:
        return None
    return track if len(track.points) <= MAX_POINTS else None


def _read_waypoints(data: Any) -> list[gpx.Waypoint]:
    waypoints = []
    for number in range(gpx.MAX_WAYPOINTS):
        try:
            coordinates = parse_coordinates(str(data.get(f"{number}_point", "")))
        except InvalidCoordinates:
            break
        waypoints.append(gpx.Waypoint(str(data.get(f"{number}_name", "")), to_point(coordinates)))
    return waypoints
