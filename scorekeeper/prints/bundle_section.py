"""How certificates look, in the bundle of an event. Without settings, the bundle has no such line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError

from scorekeeper.bundles.section_registry import UpperSection
from scorekeeper.events.models import Event
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prints.result_pages import check_wording
from scorekeeper.prizes.models import PrizeLogo


def list_certificate_lines(event: Event) -> Iterator[dict[str, Any]]:
    """Return the settings as a line."""
    for settings in CertificateSettings.objects.filter(event=event):
        yield {
            "heading": settings.heading,
            "logo": None if settings.logo_id is None else str(settings.logo_id),
            "signed_by": settings.signed_by,
            "wording": settings.wording,
        }


def read_certificate_line(event: Event, data: Mapping[str, Any]) -> CertificateSettings:
    """Return the settings from a line. The logo is in the database already.

    Raises:
        ValidationError: a form would refuse the wording.
    """
    logo = None if data["logo"] is None else PrizeLogo.objects.filter(event=event, pk=UUID(data["logo"])).first()
    if data["wording"] != check_wording(data["wording"]):
        raise ValidationError("the wording is not on one line")
    texts = {name: data[name] for name in ("heading", "signed_by", "wording")}
    return CertificateSettings(event=event, logo=logo, **texts)


CERTIFICATES = UpperSection("certificates", list_certificate_lines, read_certificate_line)
