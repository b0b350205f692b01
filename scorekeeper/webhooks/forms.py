"""The form that adds a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.webhooks.models import CHOOSABLE, MAX_URL
from scorekeeper.webhooks.receiver_url import UnusableUrl, parse_receiver_url

# By the reason why an address cannot be used.
URL_PROBLEMS = {
    "unreadable": _("Enter a complete web address, with https:// at its beginning."),
    "scheme": _("Enter an address that starts with https://."),
    "credentials": _("Enter the address without a name and password in it. The signature shows who sent a message."),
    "fragment": _("Enter the address without the part from # on, which is not sent."),
    "private": _("Enter an address on the public internet. Messages are not sent to private networks."),
}


class WebhookForm(forms.Form):
    """Where messages go, and which."""

    url = forms.CharField(
        label=_("Address"),
        help_text=_("The address of the program that receives the messages. It starts with https://."),
        max_length=MAX_URL,
        widget=forms.URLInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": URL_PROBLEMS["unreadable"]},
    )
    kinds = forms.MultipleChoiceField(
        label=_("Messages"),
        choices=[(kind.value, kind.label) for kind in CHOOSABLE],
        initial=[kind.value for kind in CHOOSABLE],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one kind of message.")},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, label_suffix="")

    def clean_url(self) -> str:
        """Return the address if messages may be sent to it."""
        url: str = self.cleaned_data["url"]
        try:
            parse_receiver_url(url)
        except UnusableUrl as unusable:
            raise ValidationError(URL_PROBLEMS[unusable.args[0]]) from unusable
        return url
