"""The form that takes a crew link as text: an installed app has no other way to open one.

Invariant: only the token of a link is used, so a link never leads to another site.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.crew.selectors import get_former_device, get_invitation

MAX_LENGTH = 2_000  # characters: room for the message around the link
JOIN_PATH = "crew/join/"
BIKE_PATH = "b/"
# A host and a path anywhere in the text. Messengers and people drop the “https://”.
_LINK = re.compile(r"(?:https?://)?((?:\w[\w.-]*|\[[\da-f:]+\])(?::\d+)?)/(\S*)", re.IGNORECASE)
_JOIN = re.compile(rf"{JOIN_PATH}([\w-]+)", re.ASCII)


class CrewLinkForm(forms.Form):
    """The field for a crew link; its cleaned value is the token of a link that works.

    Args:
        host: the host by which this site was opened, with its port.
    """

    link = forms.CharField(
        label=_("Crew link"),
        max_length=MAX_LENGTH,
        widget=forms.Textarea(
            attrs={
                "rows": 3,
                "inputmode": "url",
                "autocapitalize": "none",
                "autocomplete": "off",
                "spellcheck": "false",
            }
        ),
        error_messages={
            "required": _("Paste your crew link here. It is in the organiser’s message, or a QR code on your card."),
            "max_length": _("This text is too long. Paste only the link."),
        },
    )

    def __init__(self, *args: Any, host: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hosts = {host.lower(), urlsplit(settings.BASE_URL).netloc.lower()}

    def clean_link(self) -> str:
        """Return the token in the text; say what is wrong with a text or link that does not work."""
        token = self._read_token(self.cleaned_data["link"])
        invitation = get_invitation(token)
        if invitation is None:
            former = get_former_device(token)
            if former is None:
                raise ValidationError(
                    _(
                        "We don’t know this link. Part of it may be missing: copy all of it again, or ask the "
                        "organiser for a new one."
                    )
                )
            raise ValidationError(
                _("This link was for %(event)s, which was deleted. Ask the organiser of your event for a link."),
                params={"event": former.event.name},
            )
        if invitation.consumed_at is not None:
            raise ValidationError(
                _("This link has been used. A link works for one phone only. Ask the organiser for a new one.")
            )
        if not invitation.is_usable():
            raise ValidationError(
                _(
                    "This link has expired. A link works for seven days, or until a newer one is created. Ask the "
                    "organiser for a new one."
                )
            )
        return token

    def _read_token(self, text: str) -> str:
        links = [(host.lower(), path) for host, path in _LINK.findall(text)]
        for host, path in links:
            found = _JOIN.match(path)
            if found and host in self._hosts:
                return found[1]
        for host, path in links:
            if path.startswith(JOIN_PATH) and host not in self._hosts:
                raise ValidationError(
                    _(
                        "This link is for another site, %(host)s, and this app is for %(own)s. Check that you have "
                        "the link for this event, or ask its organiser for a new one."
                    ),
                    params={"host": host, "own": urlsplit(settings.BASE_URL).netloc},
                )
        if any(path.startswith(BIKE_PATH) for _host, path in links):
            raise ValidationError(
                _(
                    "This is the code of a bike, not a crew link. Use the link in the organiser’s message, or the QR "
                    "code on your own crew card."
                )
            )
        raise ValidationError(
            _("There is no crew link in this text. Copy all of the link: it begins with %(start)s"),
            params={"start": f"{settings.BASE_URL}/{JOIN_PATH}"},
        )
