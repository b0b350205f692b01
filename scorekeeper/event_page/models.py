"""What the page of an event says beside its results: an invitation, a programme, a route, sponsors.

Terms:
- The *text* of an event is Markdown as organisers type it; `scorekeeper.event_page.markdown_text` makes HTML of it.
- A *poster* is one picture, stored in several widths, so that a phone does not download what only a screen can show.
- A *track* is the line of the road between the stops. It has no times, and nothing of who recorded it.

Invariants:
- Everything is optional. An event of which nothing is entered has no rows here.
- Times of the programme are those of the clock where the ride is, and days are counted from the date of the event. So
  another date, or a copy of the event, moves the whole programme.
- A picture never changes: another one is another row, with another address.
- Nothing here decides anything in a contest, so none of it is in the log.
"""

from __future__ import annotations

import datetime as dt

from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.event_dates import EventDateField
from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.event_page.links import check_web_address
from scorekeeper.events.models import Event
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.stops.models import MAX_DISTANCE

MAX_TEXT = 20_000  # characters of the text: some seven printed pages
MAX_LIST = 2_000  # characters of what to bring
MAX_ALT = 300
MAX_DAYS = 30  # that a point of the programme may be before or after the date of the event
MAX_PROGRAMME = 60  # rows
MAX_SPONSORS = 40
MAX_TRACK = 40_000  # characters of an encoded track; 2,000 points have some 15,000
PHONE_NUMBER = RegexValidator(
    r"^\+?[0-9][0-9 ()/.\-]{3,38}[0-9]$",
    _("Enter a phone number, such as +1 403 555 0133: digits, spaces, brackets, and a plus sign in front."),
)


class EventPage(models.Model):
    """What an event's page says in words.

    Attributes:
        what_to_bring: one thing a line.
        contact_name, contact_email, contact_phone: whom riders ask. They are personal data, and can be erased.
        next_date: of the next ride, for "see you next year"; None if it is not known.
        distance_unit: in which distances are shown; "" for what is usual where the ride is.
        poster_alt: what the poster shows, for those who cannot see it.
    """

    class DistanceUnit(models.TextChoices):
        KILOMETRES = "km", _("Kilometres")
        MILES = "mi", _("Miles")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="page")
    text = models.TextField(_("text"), blank=True, default="", validators=[MaxLengthValidator(MAX_TEXT)])
    what_to_bring = models.TextField(
        _("what to bring"), blank=True, default="", validators=[MaxLengthValidator(MAX_LIST)]
    )
    contact_name = NameField(_("name"), max_length=80, blank=True, default="")
    contact_email = models.EmailField(_("email"), blank=True, default="")
    contact_phone = models.CharField(_("phone"), max_length=40, blank=True, default="", validators=[PHONE_NUMBER])
    next_date = EventDateField(_("next date"), null=True, blank=True)
    distance_unit = models.CharField(_("distances in"), max_length=2, choices=DistanceUnit.choices, blank=True)
    poster_alt = models.CharField(_("what the poster shows"), max_length=MAX_ALT, blank=True, default="")

    def __str__(self) -> str:
        return str(self.event_id)

    @property
    def has_contact(self) -> bool:
        """Whether it names somebody to ask."""
        return bool(self.contact_name or self.contact_email or self.contact_phone)

    @property
    def things_to_bring(self) -> list[str]:
        """What to bring, each without the dash or bullet that people type before it."""
        lines = (line.strip().lstrip("-*•–").strip() for line in self.what_to_bring.splitlines())
        return [line for line in lines if line]

    @property
    def phone_uri(self) -> str:
        """The URI that calls the contact."""
        digits = "".join(character for character in self.contact_phone if character.isdigit())
        return f"tel:{'+' if self.contact_phone.startswith('+') else ''}{digits}"


class PosterImage(UUIDModel):
    """The poster in one width. All of an event are of the same picture."""

    class MediaType(models.TextChoices):
        PNG = "image/png", "PNG"
        JPEG = "image/jpeg", "JPEG"
        WEBP = "image/webp", "WebP"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="poster_images")
    width = models.PositiveSmallIntegerField(validators=[MinValueValidator(1), MaxValueValidator(10_000)])
    height = models.PositiveSmallIntegerField(validators=[MinValueValidator(1), MaxValueValidator(10_000)])
    media_type = models.CharField(max_length=20, choices=MediaType.choices)
    content = models.BinaryField()

    class Meta:
        ordering = ["width", "pk"]

    def __str__(self) -> str:
        return f"{self.width} x {self.height}"


class ProgrammeItem(UUIDModel):
    """A point of the programme.

    Attributes:
        day: counted from the date of the event: 0 is the day of the ride, 1 the day after.
        time: on the clock where the ride is; None for one without a time, which comes first on its day.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="programme")
    day = models.SmallIntegerField(
        _("day"), default=0, validators=[MinValueValidator(-MAX_DAYS), MaxValueValidator(MAX_DAYS)]
    )
    time = models.TimeField(_("time"), null=True, blank=True)
    text = models.CharField(_("what happens"), max_length=200)

    def __str__(self) -> str:
        return self.text

    @property
    def date(self) -> dt.date:
        """The date that it is on."""
        return self.event.date + dt.timedelta(days=self.day)


class EventSponsor(UUIDModel):
    """Somebody who helps with the event.

    Attributes:
        logo: None for one without a picture, or whose prizes have it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="page_sponsors")
    position = models.PositiveSmallIntegerField(_("order"))
    name = NameField(_("name"), max_length=80)
    link = models.CharField(_("website"), max_length=300, blank=True, default="", validators=[check_web_address])
    logo = models.ForeignKey(PrizeLogo, on_delete=models.PROTECT, null=True, blank=True, related_name="page_sponsors")

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.name


class RouteTrack(models.Model):
    """The line of the road that the ride takes.

    Attributes:
        points: at most `track.MAX_POINTS`, as an encoded polyline (`track.encode_points`).
        length: of the road in metres, which the points approximate.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="track")
    points = models.TextField(validators=[MaxLengthValidator(MAX_TRACK)])
    length = models.PositiveIntegerField(validators=[MaxValueValidator(MAX_DISTANCE)])

    def __str__(self) -> str:
        return f"{self.length} m"
