"""Scorecards for everybody who has none yet: how they are put together, and the plan as it is sent back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scorekeeper.tables.seating_plan import (
    Grouping,
    SeatingPlan,
    SeatLimits,
    count_cards,
    count_round_robin_players,
    make_seating_plan,
)
from scorekeeper.tables.selectors.candidates import SeatCandidate
from scorekeeper.tables.services.table_creation import MAX_TABLES_AT_ONCE

TABLE_SIZES, DEFAULT_TABLE_SIZE = range(2, 9), 4
EVERYBODY, GROUP_PREFIX = "all", "in:"  # everybody, or those in the group that follows
GROUPING_LABELS: Mapping[Grouping, Promise] = {
    "alone": gettext_lazy("A table for each"),
    "tables": gettext_lazy("Tables of a maximum size"),
    "pairs": gettext_lazy("Pairs, in list order"),
    "everybody": gettext_lazy("Everyone against everyone, once"),
}


@dataclass(frozen=True, slots=True)
class SeatingArrangement:
    """Whom a plan is for, in their order, and how they are put together."""

    people: Sequence[SeatCandidate]
    grouping: Grouping
    size: int

    def make_plan(self, limits: SeatLimits) -> SeatingPlan[SeatCandidate]:
        """Return who would sit with whom."""
        return make_seating_plan(self.grouping, self.people, limits, self.size)


class SeatingPlanForm(forms.Form):
    """Who is meant, and how they are put together."""

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
            candidates: those who have no scorecard yet, in the order of the roster.
        """
        super().__init__(data, initial={"way": limits.groupings[0]})
        self.candidates, self.limits = candidates, limits
        way, whose = self.fields["way"], self.fields["whose"]
        assert isinstance(way, forms.ChoiceField)
        assert isinstance(whose, forms.ChoiceField)
        way.choices = [(one, GROUPING_LABELS[one]) for one in limits.groupings]
        groups = list(dict.fromkeys(one.group for one in candidates))
        all_of_them = _("Everyone without a table (%(count)s)") % {"count": len(candidates)}
        sizes = {group: sum(one.group == group for one in candidates) for group in groups}
        whose.choices = [
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
        """Who is meant, and how; what was not asked is as the game has it."""
        asked = self.cleaned_data
        people = [
            one for one in self.candidates if asked.get("whose", EVERYBODY) in (EVERYBODY, f"{GROUP_PREFIX}{one.group}")
        ]
        way: Grouping = asked.get("way") or self.limits.groupings[0]
        return SeatingArrangement(people, way, asked.get("size") or DEFAULT_TABLE_SIZE)

    def clean(self) -> dict[str, Any]:
        """Refuse a plan that nobody could confirm: too few people for a card, or too many cards."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            wanted = self.arrangement
            cards = count_cards(wanted.grouping, len(wanted.people), self.limits, wanted.size)
            if cards == 0:
                self.add_error(self._last_field, _format_too_few(len(wanted.people), self.limits))
            if cards > MAX_TABLES_AT_ONCE:
                self.add_error(self._last_field, _format_too_many(cards, wanted.grouping))
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


def _format_too_many(cards: int, way: Grouping) -> str:
    words = {"cards": cards, "most": MAX_TABLES_AT_ONCE, "people": count_round_robin_players(MAX_TABLES_AT_ONCE)}
    text = _(
        "That would make %(cards)s tables, and at most %(most)s can be created at once. Put the people into "
        "groups, and choose one group at a time."
    )
    if way == "everybody":
        text = _(
            "Everyone against everyone would make %(cards)s tables. At most %(most)s can be created at once, "
            "enough for %(people)s people. Choose one group, or pairs."
        )
    return text % words


class SeatingOrderForm(forms.Form):
    """A plan as it was shown: the order of its people, and perhaps who of them moves or is left out."""

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
        way = self.fields["way"]
        assert isinstance(way, forms.ChoiceField)
        way.choices = [(one, GROUPING_LABELS[one]) for one in limits.groupings]

    def clean_order(self) -> list[UUID]:
        """Return the ids, each once."""
        try:
            return list(dict.fromkeys(UUID(one) for one in self.cleaned_data["order"].split()))
        except ValueError as error:
            raise forms.ValidationError(_("This is not a list of people.")) from error

    def clean(self) -> dict[str, Any]:
        """Refuse what no page of ours has shown: a plan of more cards than can be drawn up at once."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            cards = count_cards(cleaned["way"], len(cleaned["order"]), self.limits, cleaned["size"])
            if cards > MAX_TABLES_AT_ONCE:
                self.add_error(None, _format_too_many(cards, cleaned["way"]))
        return cleaned

    @property
    def is_reordering(self) -> bool:
        """Whether the order changes and nothing is confirmed yet."""
        return any(self.cleaned_data[name] for name in ("up", "down", "out"))

    @property
    def new_order(self) -> list[UUID]:
        """The order after the change that was asked for."""
        order, asked = list(self.cleaned_data["order"]), self.cleaned_data
        if asked["out"] in order:
            order.remove(asked["out"])
        for moved, step in ((asked["up"], -1), (asked["down"], 1)):
            if moved in order:
                place = order.index(moved)
                order.insert(max(place + step, 0), order.pop(place))
        return order
