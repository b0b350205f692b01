"""Forms for creating tables one at a time: who gets one, or who has which seat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.ledger.problem_messages import explain
from scorekeeper.tables.seating_plan import SeatLimits
from scorekeeper.tables.selectors.candidates import SeatCandidate


class _DisabledOptionsMixin:
    """A widget that shows some choices as disabled."""

    disabled_values: Collection[str] = ()

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)  # type: ignore[misc]
        if str(value) in self.disabled_values:
            option["attrs"]["disabled"] = True
        return option


# Templates recognise widgets by the names of their classes.
class Select(_DisabledOptionsMixin, forms.Select):
    """A select box with disabled options."""


class CheckboxSelectMultiple(_DisabledOptionsMixin, forms.CheckboxSelectMultiple):
    """Checkboxes, some of them disabled."""


class CreateTablesForm(forms.Form):
    """The players of one table or of several.

    Attributes:
        general_error_field: the field that shows errors which belong to no single field.
    """

    general_error_field: ClassVar[str]
    use_required_attribute = False

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def add_problems(self, game_key: str, problems: Sequence[Mapping[str, Any]]) -> None:
        """Show the problems at the field where they can be fixed."""
        for problem in problems:
            self.add_error(self.general_error_field, explain(game_key, problem).to_error())

    @property
    def tables(self) -> list[list[UUID]]:
        """The tables to create, each as its players in seat order."""
        raise NotImplementedError


class SingleSeatTablesForm(CreateTablesForm):
    """For games with one seat per table: everyone who is ticked gets a table."""

    general_error_field = "who"

    who = forms.TypedMultipleChoiceField(
        coerce=UUID,
        label=gettext_lazy("Who gets a table?"),
        error_messages={
            "required": gettext_lazy("Choose who plays."),
            "invalid_choice": gettext_lazy("Someone you chose is no longer on the roster. Choose again."),
        },
    )

    def __init__(self, candidates: Sequence[SeatCandidate], data: Any = None, chosen: Iterable[str] = ()) -> None:
        super().__init__(data, initial={"who": list(chosen)})
        field = self.fields["who"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.widget = CheckboxSelectMultiple()
        field.widget.disabled_values = _list_disabled_values(candidates)
        field.choices = group_choices(candidates)

    @property
    def tables(self) -> list[list[UUID]]:
        """A table for everyone who was ticked."""
        return [[holder] for holder in self.cleaned_data["who"]]


class SeatedTableForm(CreateTablesForm):
    """One table: a player for each seat, in the order of play. Seats beyond the minimum may stay empty."""

    general_error_field = "seat_1"

    def __init__(
        self,
        candidates: Sequence[SeatCandidate],
        limits: SeatLimits,
        rows: int,
        data: Any = None,
        chosen: Sequence[str] = (),
    ) -> None:
        """Make the form.

        Args:
            rows: how many seats the form has.
            chosen: the initial holder of each seat, "" for nobody.
        """
        super().__init__(data)
        self.names = {candidate.id: candidate.name for candidate in candidates}
        self.seat_fields = [f"seat_{number}" for number in range(1, rows + 1)]
        for number, name in enumerate(self.seat_fields, 1):
            is_needed = number <= limits.low
            field = forms.TypedChoiceField(
                coerce=UUID,
                empty_value=None,
                required=is_needed,
                label=_("Seat %(number)s") % {"number": number},
                initial=chosen[number - 1] if number <= len(chosen) else "",
                choices=[("", _("Choose") if is_needed else _("Nobody")), *group_choices(candidates)],
                error_messages={
                    "required": _("Choose who has seat %(number)s.") % {"number": number},
                    "invalid_choice": _("Your choice for seat %(number)s is no longer on the roster.")
                    % {"number": number},
                },
                widget=Select(),
            )
            assert isinstance(field.widget, Select)
            field.widget.disabled_values = _list_disabled_values(candidates)
            self.fields[name] = field

    def clean(self) -> dict[str, Any]:
        """Reject a player who was given two seats."""
        cleaned = super().clean() or self.cleaned_data
        seated: dict[UUID, int] = {}
        for number, name in enumerate(self.seat_fields, 1):
            holder = cleaned.get(name)
            if holder in seated:
                words = {"name": self.names[holder], "first": seated[holder], "second": number}
                self.add_error(
                    name,
                    _("%(name)s already has seat %(first)s. Choose someone else for seat %(second)s.") % words,
                )
            elif holder:
                seated[holder] = number
        return cleaned

    @property
    def tables(self) -> list[list[UUID]]:
        """The single table, without the seats left empty."""
        return [[self.cleaned_data[name] for name in self.seat_fields if self.cleaned_data[name]]]


def group_choices(candidates: Sequence[SeatCandidate]) -> list[tuple[str, Any]]:
    """Return the candidates as choices, by group if there are several."""
    grouped = [
        (group, [(str(candidate.id), _get_label(candidate)) for candidate in members])
        for group, members in groupby(candidates, key=lambda candidate: candidate.group)
    ]
    return list(grouped) if len(grouped) > 1 else [choice for _group, members in grouped for choice in members]


def _get_label(candidate: SeatCandidate) -> str:
    return candidate.name if candidate.is_free else _("%(name)s – has a table") % {"name": candidate.name}


def _list_disabled_values(candidates: Sequence[SeatCandidate]) -> set[str]:
    return {str(candidate.id) for candidate in candidates if not candidate.is_free}
