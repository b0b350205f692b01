"""Changing how the certificates of an event look."""

from __future__ import annotations

from django.db import transaction

from scorekeeper.events.models import Event
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.prizes.services.prizes import add_logo


@transaction.atomic
def change_certificates(
    event: Event,
    heading: str,
    wording: str,
    signed_by: str,
    new_logo: tuple[str, bytes] | None,
    *,
    removes_logo: bool = False,
) -> CertificateSettings:
    """Change the settings; "" stands for what is usual.

    Args:
        new_logo: the kind and the content of a picture; None to leave the logo as it is.
        removes_logo: whether the certificates have no logo any more.
    """
    settings, _is_new = CertificateSettings.objects.get_or_create(event=event)
    settings.heading, settings.wording, settings.signed_by = heading, wording, signed_by
    logo: PrizeLogo | None = None if removes_logo else settings.logo
    settings.logo = logo if new_logo is None else add_logo(event, *new_logo)
    settings.save()
    return settings
