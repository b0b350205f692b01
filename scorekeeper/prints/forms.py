"""The form that says how the certificates of an event look."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.prints.certificate_wording import check_wording
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prizes.forms import LogoField


class CertificateForm(forms.Form):
    """Design, heading, wording, signature and logo. What is left empty is as usual."""

    edit_units = {"remove_logo": "logo"}

    design = forms.ChoiceField(
        label=gettext_lazy("Design"),
        choices=CertificateSettings.Design.choices,
        widget=forms.RadioSelect,
        required=False,
        help_text=gettext_lazy("Every design shows the place, the prizes and the sponsors’ logos."),
    )
    heading = forms.CharField(label=gettext_lazy("Heading"), max_length=60, required=False)
    wording = forms.CharField(
        label=gettext_lazy("Wording"),
        max_length=400,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "This is below the name. {place}, {name}, {total}, {contest} and {event} are filled in on each one. With "
            "{place} or {total}, a prize winner without a place has “Awarded in {contest}” instead."
        ),
    )
    signed_by = NameFormField(
        label=gettext_lazy("Signed by"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("This is below the line for a signature, such as “Ride captain, Thunderbird Riders”."),
    )
    logo = LogoField(label=gettext_lazy("Logo of the club"))
    remove_logo = forms.BooleanField(label=gettext_lazy("Remove the logo"), required=False)

    def __init__(
        self, data: Any = None, files: Any = None, *, settings: CertificateSettings, heading: str, wording: str
    ) -> None:
        """Make the form.

        Args:
            heading, wording: the usual ones, in the language of the event.
        """
        initial = {
            "design": settings.design,
            "heading": settings.heading or heading,
            "wording": settings.wording or wording,
            "signed_by": settings.signed_by,
            "logo": settings.logo_id,
        }
        super().__init__(data, files, initial=initial)
        self.label_suffix = ""
        designs = self.fields["design"].widget
        assert isinstance(designs, forms.RadioSelect)
        designs.option_template_name = "prints/_design_option.html"  # with a picture
        if settings.logo_id is None:
            del self.fields["remove_logo"]

    def clean_design(self) -> str:
        """Return the design; without a choice, as from a page of an older version, the one it has."""
        return self.cleaned_data["design"] or str(self.initial["design"])

    def clean_wording(self) -> str:
        """Return the wording on one line.

        Raises:
            ValidationError: something in braces is not one of the placeholders.
        """
        return check_wording(self.cleaned_data["wording"])
