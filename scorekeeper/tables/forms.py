"""The forms that create tables: one by one, or by a seating plan for everybody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.ledger.problem_messages import explain
from scorekeeper.tables.seating_plan import (
    Grouping,
    SeatingPlan,
    SeatLimits,
    count_cards,
    count_round_robin_players,
    make_seating_plan,
)
from scorekeeper.tables.selectors import SeatCandidate
from scorekeeper.tables.services import MAX_TABLES_AT_ONCE

TABLE_SIZES, DEFAULT_TABLE_SIZE = range(2, 9), 4
EVERYBODY, GROUP_PREFIX = "all", "in:"  # everyone, or the people of the group named after the prefix
GROUPING_LABELS: Mapping[Grouping, Promise] = {
    "alone": gettext_lazy("A table for each"),
    "tables": gettext_lazy("Tables of a maximum size"),
    "pairs": gettext_lazy("Pairs, in list order"),
    "everybody": gettext_lazy("Everyone against everyone, once"),
}


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
        return [[entrant] for entrant in self.cleaned_data["who"]]


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
            chosen: the initial entrant of each seat, "" for nobody.
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
            entrant = cleaned.get(name)
            if entrant in seated:
                words = {"name": self.names[entrant], "first": seated[entrant], "second": number}
                self.add_error(
                    name,
                    _("%(name)s already has seat %(first)s. Choose someone else for seat %(second)s.") % words,
                )
            elif entrant:
                seated[entrant] = number
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


@dataclass(frozen=True, slots=True)
class SeatingArrangement:
    """The people of a plan in order, and how they are grouped."""

    people: Sequence[SeatCandidate]
    grouping: Grouping
    size: int

    def make_plan(self, limits: SeatLimits) -> SeatingPlan[SeatCandidate]:
        """Return the plan for these people."""
        return make_seating_plan(self.grouping, self.people, limits, self.size)


class SeatingPlanForm(forms.Form):
    """Who gets a table (`whose`), and how they are grouped (`way`)."""

    way = forms.ChoiceField(
        label=gettext_lazy("How do they play?"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose how they play.")},
    )
    size = forms.TypedChoiceField(
        coerce=int,
        label=gettext_lazy("At one table, at most"),
        choices=[(size, size) for size in TABLE_SIZES],
        initial=DEFAULT_TABLE_SIZE,
        help_text=gettext_lazy("The tables are made as even as possible."),
    )
    whose = forms.ChoiceField(
        label=gettext_lazy("Who gets a table?"),
        error_messages={"required": gettext_lazy("Choose who gets a table.")},
    )

    def __init__(self, candidates: Sequence[SeatCandidate], limits: SeatLimits, data: Any = None) -> None:
        """Make the form.

        Args:
            candidates: those who have no table yet, in roster order.
        """
        super().__init__(data, initial={"way": limits.groupings[0]})
        self.candidates, self.limits = candidates, limits
        grouping_field, people_field = self.fields["way"], self.fields["whose"]
        assert isinstance(grouping_field, forms.ChoiceField)
        assert isinstance(people_field, forms.ChoiceField)
        grouping_field.choices = [(grouping, GROUPING_LABELS[grouping]) for grouping in limits.groupings]
        groups = list(dict.fromkeys(candidate.group for candidate in candidates))
        all_of_them = _("Everyone without a table (%(count)s)") % {"count": len(candidates)}
        sizes = {group: sum(candidate.group == group for candidate in candidates) for group in groups}
        people_field.choices = [
            (EVERYBODY, all_of_them),
            *((f"{GROUP_PREFIX}{group}", f"{group} ({count})") for group, count in sizes.items()),
        ]
        if len(limits.groupings) == 1:
            del self.fields["way"]
        if "tables" not in limits.groupings:
            del self.fields["size"]
        if len(groups) < 2:
            del self.fields["whose"]

    @property
    def arrangement(self) -> SeatingArrangement:
        """The chosen people and grouping; fields that were not shown get the game's defaults."""
        cleaned = self.cleaned_data
        people = [
            candidate
            for candidate in self.candidates
            if cleaned.get("whose", EVERYBODY) in (EVERYBODY, f"{GROUP_PREFIX}{candidate.group}")
        ]
        grouping: Grouping = cleaned.get("way") or self.limits.groupings[0]
        return SeatingArrangement(people, grouping, cleaned.get("size") or DEFAULT_TABLE_SIZE)

    def clean(self) -> dict[str, Any]:
        """Reject a plan that could not be confirmed: too few people for a table, or too many tables."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            arrangement = self.arrangement
            count = count_cards(arrangement.grouping, len(arrangement.people), self.limits, arrangement.size)
            if count == 0:
                self.add_error(self._last_field, _format_too_few(len(arrangement.people), self.limits))
            if count > MAX_TABLES_AT_ONCE:
                self.add_error(self._last_field, _format_too_many(count, arrangement.grouping))
        return cleaned

    @property
    def _last_field(self) -> str | None:
        return next((name for name in ("whose", "way", "size") if name in self.fields), None)


def _format_too_few(people: int, limits: SeatLimits) -> str:
    text = ngettext(
        "A table needs at least %(low)s seats, and there is only %(count)s person to choose from.",
        "A table needs at least %(low)s seats, and there are only %(count)s people to choose from.",
        people,
    )
    return text % {"low": limits.low, "count": people}


def _format_too_many(cards: int, grouping: Grouping) -> str:
    words = {"cards": cards, "most": MAX_TABLES_AT_ONCE, "people": count_round_robin_players(MAX_TABLES_AT_ONCE)}
    text = _(
        "That would make %(cards)s tables, and at most %(most)s can be created at once. Put the people into "
        "groups, and choose one group at a time."
    )
    if grouping == "everybody":
        text = _(
            "Everyone against everyone would make %(cards)s tables. At most %(most)s can be created at once, "
            "enough for %(people)s people. Choose one group, or pairs."
        )
    return text % words


class SeatingOrderForm(forms.Form):
    """A plan as it was shown: the order of its people, and perhaps a person to move or leave out."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    way = forms.ChoiceField(widget=forms.HiddenInput)
    size = forms.TypedChoiceField(widget=forms.HiddenInput, coerce=int, choices=[(size, size) for size in TABLE_SIZES])
    order = forms.CharField(widget=forms.HiddenInput)
    up = forms.UUIDField(required=False)
    down = forms.UUIDField(required=False)
    out = forms.UUIDField(required=False)

    def __init__(self, limits: SeatLimits, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits
        grouping_field = self.fields["way"]
        assert isinstance(grouping_field, forms.ChoiceField)
        grouping_field.choices = [(grouping, GROUPING_LABELS[grouping]) for grouping in limits.groupings]

    def clean_order(self) -> list[UUID]:
        """Return the ids without duplicates."""
        try:
            return list(dict.fromkeys(UUID(entrant_id) for entrant_id in self.cleaned_data["order"].split()))
        except ValueError as error:
            raise forms.ValidationError(_("This is not a list of people.")) from error

    def clean(self) -> dict[str, Any]:
        """Reject a plan that no page can have shown: one with more tables than can be created at once."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            cards = count_cards(cleaned["way"], len(cleaned["order"]), self.limits, cleaned["size"])
            if cards > MAX_TABLES_AT_ONCE:
                self.add_error(None, _format_too_many(cards, cleaned["way"]))
        return cleaned

    @property
    def is_reordering(self) -> bool:
        """Whether the form changes the order, and does not confirm the plan."""
        return any(self.cleaned_data[name] for name in ("up", "down", "out"))

    @property
    def new_order(self) -> list[UUID]:
        """The order after the requested change."""
        order, cleaned = list(self.cleaned_data["order"]), self.cleaned_data
        if cleaned["out"] in order:
            order.remove(cleaned["out"])
        for moved, step in ((cleaned["up"], -1), (cleaned["down"], 1)):
            if moved in order:
                position = order.index(moved)
                order.insert(max(position + step, 0), order.pop(position))
        return order
