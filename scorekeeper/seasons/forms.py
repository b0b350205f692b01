"""The forms of a season, and of which riders are the same person."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.seasons.models import MAX_POINTS, MAX_ROUNDS, Season
from scorekeeper.seasons.selectors import EntrantProposal

USUAL_POINTS = "25 20 16 13 11 10 9 8 7 6 5 4 3 2 1"  # of many racing championships
MAX_PLACES = 100
NEW, NOBODY = "new", "nobody"


class SeasonForm(forms.Form):
    """What a season is called and how it adds up."""

    name = NameFormField(
        label=gettext_lazy("Name"),
        max_length=120,
        error_messages={"required": gettext_lazy("Enter a name, such as “Season 2026”.")},
    )
    points = forms.CharField(
        label=gettext_lazy("Points by place"),
        help_text=gettext_lazy(
            "Enter the points of the first place first, with spaces between. All who share a place get its points."
        ),
        initial=USUAL_POINTS,
        max_length=600,
        error_messages={"required": gettext_lazy("Enter what the first place brings, then the second, and so on.")},
    )
    points_below = forms.IntegerField(
        label=gettext_lazy("Points for every other place"), min_value=0, max_value=MAX_POINTS, initial=0
    )
    best_count = forms.IntegerField(
        label=gettext_lazy("How many results count"),
        help_text=gettext_lazy("Only this many of a rider’s best results count. Leave it empty if all count."),
        min_value=1,
        max_value=MAX_ROUNDS,
        required=False,
    )
    is_listed = forms.BooleanField(
        label=gettext_lazy("List it on the front page"),
        help_text=gettext_lazy("If you leave this off, people need the link to find it."),
        required=False,
    )

    def clean_name(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["name"].split())

    def clean_points(self) -> list[int]:
        """Return the points of each place."""
        words = [word for word in re.split(r"[\s,;]+", self.cleaned_data["points"]) if word]
        for word in words:
            if not (word.isascii() and word.isdigit() and int(word) <= MAX_POINTS):
                text = _("“%(word)s” is not a number from 0 to %(most)s.")
                raise ValidationError(text % {"word": word[:20], "most": MAX_POINTS})
        if len(words) > MAX_PLACES:
            raise ValidationError(_("Enter at most %(most)s places.") % {"most": MAX_PLACES})
        points = [int(word) for word in words]
        for place, (before, after) in enumerate(pairwise(points), 2):
            if after > before:
                text = _("Place %(place)s brings %(after)s, more than place %(better)s with %(before)s.")
                words_of = {"place": place, "better": place - 1, "after": after, "before": before}
                raise ValidationError(text % words_of)
        return points

    def clean_points_below(self) -> int:
        """Return the points of the other places, which are not better."""
        below: int = self.cleaned_data["points_below"]
        points = self.cleaned_data.get("points")
        if points and below > points[-1]:
            text = _("Enter at most %(most)s, which is what the last place of your list brings.")
            raise ValidationError(text % {"most": points[-1]})
        return below

    @classmethod
    def get_initial(cls, season: Season) -> dict[str, object]:
        """Return the values for a season that is there."""
        return {
            "name": season.name,
            "points": " ".join(map(str, season.points)),
            "points_below": season.points_below,
            "best_count": season.best_count,
            "is_listed": season.is_listed,
        }


class LinksForm(forms.Form):
    """A choice for everyone in the result of a round."""

    def __init__(self, data: Any, proposals: Sequence[EntrantProposal], *, is_first_time: bool) -> None:
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
            self.fields[str(one.entrant_id)] = forms.ChoiceField(
                label=f"{one.place}. {one.label}", choices=[*known, *choices], initial=initial
            )

    @property
    def open_fields(self) -> list[forms.BoundField]:
        """The fields in which there is something to choose: someone of another round may be the same rider."""
        return [self[str(one.entrant_id)] for one in self.proposals if one.possible and not self._is_recognised(one)]

    @property
    def recognised_fields(self) -> list[forms.BoundField]:
        """The fields of those who can only be the one rider of the same name, and are taken for them."""
        return [self[str(one.entrant_id)] for one in self.proposals if self._is_recognised(one)]

    @property
    def new_fields(self) -> list[forms.BoundField]:
        """The fields of those who match nobody of another round."""
        return [self[str(one.entrant_id)] for one in self.proposals if not one.possible]

    def _is_recognised(self, one: EntrantProposal) -> bool:
        is_taken = self.fields[str(one.entrant_id)].initial == str(one.likely)
        return is_taken and [rider.id for rider in one.possible] == [one.likely]

    @staticmethod
    def name_new_riders(data: QueryDict, proposals: Sequence[EntrantProposal]) -> QueryDict:
        """Return the data with the rider instead of “new” for everyone who has become new in the season meanwhile."""
        named = data.copy()
        for one in proposals:
            is_in_other_round = one.linked in {rider.id for rider in one.possible}
            if one.linked and not is_in_other_round and named.get(str(one.entrant_id)) == NEW:
                named[str(one.entrant_id)] = str(one.linked)
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
        chosen = {one.entrant_id: self.cleaned_data[str(one.entrant_id)] for one in self.proposals}
        return {entrant: None if value == NEW else UUID(value) for entrant, value in chosen.items() if value != NOBODY}
