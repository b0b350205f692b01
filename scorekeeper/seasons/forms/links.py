"""The form in which an organiser confirms who of a round is who of the season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from scorekeeper.seasons.selectors.proposals import HolderProposal

NEW, NOBODY = "new", "nobody"


class LinksForm(forms.Form):
    """A choice for everyone in the result of a round."""

    def __init__(self, data: Any, proposals: Sequence[HolderProposal], *, is_first_time: bool) -> None:
        """Make a field for everyone.

        Args:
            is_first_time: whether nobody of the round is linked yet, so that likely riders are proposed.
        """
        super().__init__(data)
        self.proposals = proposals
        for one in proposals:
            likely = str(one.likely) if one.likely else NEW
            initial = str(one.linked) if one.linked else (likely if is_first_time else NOBODY)
            choices = [(NEW, _("New in this season")), (NOBODY, _("Does not count"))]
            known = [(str(rider.id), _("Same as %(rider)s") % {"rider": rider.label}) for rider in one.possible]
            # A linked rider may be in no other round.
            if one.linked and str(one.linked) not in dict(known):
                known.append((str(one.linked), _("Counts")))
                choices = choices[1:]
            self.fields[str(one.holder_id)] = forms.ChoiceField(
                label=f"{one.place}. {one.label}", choices=[*known, *choices], initial=initial
            )

    @staticmethod
    def name_new_riders(data: QueryDict, proposals: Sequence[HolderProposal]) -> QueryDict:
        """Return the data with the rider instead of “new” for everyone who has become new in the season meanwhile."""
        named = data.copy()
        for one in proposals:
            is_in_other_round = one.linked in {rider.id for rider in one.possible}
            if one.linked and not is_in_other_round and named.get(str(one.holder_id)) == NEW:
                named[str(one.holder_id)] = str(one.linked)
        return named

    def clean(self) -> dict[str, Any]:
        """Refuse to take two of one round for the same rider."""
        seen: dict[str, str] = {}
        for name, value in list(self.cleaned_data.items()):
            if value in (NOBODY, NEW):
                continue
            label = str(self.fields[name].label)
            if value in seen:
                text = _("%(this)s and %(other)s cannot be the same rider: both are in this result.")
                self.add_error(name, ValidationError(text % {"this": label, "other": seen[value]}))
            else:
                seen[value] = label
        return self.cleaned_data

    @property
    def riders(self) -> Mapping[UUID, UUID | None]:
        """The rider of everyone who counts; None for one who is new."""
        chosen = {one.holder_id: self.cleaned_data[str(one.holder_id)] for one in self.proposals}
        return {holder: None if value == NEW else UUID(value) for holder, value in chosen.items() if value != NOBODY}
