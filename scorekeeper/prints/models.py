"""Files that were made, the making of large ones, and how an event's certificates look.

Invariants:
- A file is a cache: it can be deleted at any time, and made again.
- It is found by a digest of everything that it shows. It may show names, so erasing a name deletes it.
- Links that only organisers may see are never in a file that is stored.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.common.models import ChecksummedModel, UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import LANGUAGE_LENGTH, Contest, Event
from scorekeeper.ledger.canonical import HASH_LENGTH
from scorekeeper.prints.certificate_wording import check_wording
from scorekeeper.prints.paper import Paper
from scorekeeper.prizes.models import PrizeLogo


class PrintFile(ChecksummedModel, UUIDModel):
    """A file.

    Attributes:
        digest: of everything that it shows.
        name: under which browsers save it.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="print_files")
    digest = models.CharField(max_length=HASH_LENGTH)
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    made_at = models.DateTimeField(db_index=True)

    checksum_fields = ("digest", "name", "content")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "digest"], name="print_file_once_per_event")]

    def __str__(self) -> str:
        return self.name


class PrintJob(UUIDModel):
    """The making of a file that takes longer than a page may.

    Attributes:
        kind: what is printed, a key of `print_kinds`.
        holder: the bike or player that is printed; None for all.
        is_public: whether it shows what the public may see, under public names.
        step: how far it is, of `STEPS`.
        attempts: how often it was started; it is started again if its process died.
        problem: why there is no file; "" if there is one, or may still be.
    """

    STEPS = 3

    class Step(models.IntegerChoices):
        QUEUED = 0, _("Waiting for its turn")
        READING = 1, _("Collecting the results")
        DRAWING = 2, _("Drawing the pages")
        DONE = 3, pgettext_lazy("a print", "Done")

    class Problem(models.TextChoices):
        FAILED = "failed", _("This document could not be made. The server’s log says why.")
        TOO_LARGE = "too_large", _("This document would be too large. Print it for one bike at a time.")
        GONE = "gone", _("What was to be printed is no longer there.")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="print_jobs")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=40)
    paper = models.CharField(max_length=10, choices=Paper.choices)
    language = models.CharField(max_length=LANGUAGE_LENGTH, default="", db_default="", blank=True)
    holder = models.UUIDField(null=True)
    is_public = models.BooleanField()
    step = models.PositiveSmallIntegerField(choices=Step.choices, default=Step.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=20, choices=Problem.choices, blank=True)
    file = models.ForeignKey(PrintFile, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    step_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def is_done(self) -> bool:
        """Whether nothing more happens to it."""
        return bool(self.problem) or self.step == self.Step.DONE


class CertificateSettings(models.Model):
    """How the certificates of an event look. Without a row, they look as usual.

    Attributes:
        design: how they are drawn, a function of `typst/certificates.typ`.
        wording: a text with the placeholders {place}, {name}, {total}, {contest} and {event}.
        signed_by: below the line for a signature.
        logo: the club's; never changes, as every logo.
    """

    class Design(models.TextChoices):
        CLASSIC = "classic", _("Classic: a gold border and a rosette")
        MODERN = "modern", _("Modern: big type and dice")
        ROAD = "road", _("Night ride: a road under the moon")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="certificate")
    design = models.CharField(
        _("design"), max_length=10, choices=Design.choices, default=Design.CLASSIC, db_default=Design.CLASSIC
    )
    heading = models.CharField(_("heading"), max_length=60, blank=True)
    wording = models.CharField(_("wording"), max_length=400, blank=True)
    signed_by = NameField(_("signed by"), max_length=80, blank=True)
    logo = models.ForeignKey(PrizeLogo, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.event}"

    def clean(self) -> None:
        """Reject a wording that the form would refuse or change."""
        if self.wording != check_wording(self.wording):
            raise ValidationError("the wording is not on one line")
