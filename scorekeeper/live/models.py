"""The screens of an event, and the televisions that wait to be paired.

Terms:
- The *public screen* of an event is at its address, and anyone can open it. Without a row, it shows all contests.
- A *paired screen* is a television that shows what the organiser chose for it. It was paired by a code that it showed.
- A *part* is a contest, a class of one, or a kind of page beside the standings (`PartKind`).

Invariants:
- What a screen may show of the standings is decided by `scorekeeper.audience.visible_standings`, as for every page.
- Draws of cards come with the contests and classes of a screen; `PartKind.DRAWS` is for screens without them.
- Only digests of the televisions' secrets are stored.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import LANGUAGE_LENGTH, Event

ALL_CONTESTS = "contests"  # the part that stands for every contest of the event, with those added later
CODE_LENGTH = 6


class PartKind(models.TextChoices):
    """The kinds of pages that a screen shows beside contests, from `selectors.screen_parts`. Values are stored."""

    PRIZES = "prizes", _("Prizes")
    SPONSORS = "sponsors", _("Sponsors")
    RESULTS = "results", _("QR code to the results")
    DRAWS = "draws", _("Draws of cards")


def show_all_contests() -> list[str]:
    """Return the parts of a screen for which nothing was chosen."""
    return [ALL_CONTESTS]


class Screen(UUIDModel):
    """What a screen shows.

    Attributes:
        name: what the organiser calls a paired screen; "" for the public one.
        parts: what it shows, in order: ids of contests, `ALL_CONTESTS`, classes of contests as two ids with a dot
            between them, and values of `PartKind`.
        groups: what is shown of contests that compare their groups.
        has_messages: whether the organiser's messages to everyone appear on it.
        token_digest: of the secret of the paired television; None for the public screen.
        last_seen_at: when the television last asked for something.
        version: how often its settings have changed.
    """

    class Groups(models.TextChoices):
        WITH_PLACES = "with", _("Places, then groups")
        NOT_SHOWN = "without", _("Places only")
        ONLY = "only", _("Groups only")

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As the television is set")
        DAY = "day", _("Day: dark letters on light")
        NIGHT = "night", _("Night: light letters on dark")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="screens")
    is_public = models.BooleanField(default=False, editable=False)
    name = NameField(_("name"), max_length=40, blank=True)
    parts = models.JSONField(default=show_all_contests)
    groups = models.CharField(
        _("contests that compare groups"), max_length=10, choices=Groups.choices, default=Groups.WITH_PLACES
    )
    has_messages = models.BooleanField(_("show your messages to everyone"), default=True)
    seconds = models.PositiveSmallIntegerField(
        _("seconds for each page"), default=10, validators=[MinValueValidator(8), MaxValueValidator(12)]
    )
    theme = models.CharField(_("colours"), max_length=10, choices=Theme.choices, default=Theme.SYSTEM)
    # "" for the event's
    language = models.CharField(_("language"), max_length=LANGUAGE_LENGTH, blank=True, default="", db_default="")
    sponsor = NameField(_("sponsor line"), max_length=120, blank=True)
    token_digest = models.CharField(  # noqa: DJ001 - unique, so all public screens cannot have ""
        max_length=64, unique=True, null=True, editable=False
    )
    last_seen_at = models.DateTimeField(null=True, editable=False)
    version = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(is_public=True), name="one_public_screen_per_event"
            ),
            models.CheckConstraint(
                condition=models.Q(is_public=True, token_digest=None)
                | models.Q(is_public=False, token_digest__isnull=False),
                name="screen_public_or_paired",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"public screen of {self.event_id}"


class PairingCode(models.Model):
    """The code on a television that waits to be paired. A code that has expired is renewed by the television itself.

    Attributes:
        address_digest: a keyed digest of the network address it was first shown at, for the limit.
    """

    address_digest = models.CharField(max_length=64, db_index=True, editable=False)
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.code
