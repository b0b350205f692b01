"""The sizes of paper that documents are printed on."""

from __future__ import annotations

from django.db import models
from django.http import Http404, HttpRequest
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Event

# Canada, the United States, Mexico and much of Central America use Letter; the rest of the world A4.
_LETTER_ZONES = ("America/", "US/", "Canada/", "Mexico/")
_A4_ZONES = ("America/Argentina/", "America/Sao_Paulo", "America/Montevideo", "America/Lima", "America/Asuncion")


class Paper(models.TextChoices):
    """A size of paper. The values are in URLs."""

    A4 = "a4", _("A4")
    LETTER = "letter", _("US Letter")


def get_usual_paper(event: Event) -> Paper:
    """Return the paper that is usual where the event takes place, by its time zone."""
    zone = event.time_zone
    is_letter = zone.startswith(_LETTER_ZONES) and not zone.startswith(_A4_ZONES)
    return Paper.LETTER if is_letter else Paper.A4


def read_paper(request: HttpRequest, event: Event) -> Paper:
    """Return the paper that a URL asks for, `?paper=letter`; without that, the usual one of the event.

    Raises:
        Http404: there is no such paper.
    """
    value = request.GET.get("paper")
    if value is None:
        return get_usual_paper(event)
    if value not in Paper.values:
        raise Http404
    return Paper(value)
