"""Forms that reopen and publish a contest, and that record and correct cut cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.forms import BoundField
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.core.cards import RANKS, SUITS, Card
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.playing_cards import RANK_NAMES, SUIT_NAMES
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.forms.operation_forms import OperationForm, ReasonForm
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.cuts import Cut

NOT_PRESENT = "absent"


class ReopenForm(ReasonForm):
    """A form with a reason, sent by one of several buttons: one of them says which closing to take back."""

    take_back = forms.UUIDField(required=False, widget=forms.HiddenInput)  # the operation that closed the contest


class PublishForm(ReasonForm):
    """Requires a reason only while something is left to do."""

    def __init__(self, *args: Any, is_complete: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_complete:
            del self.fields["reason"]
        else:
            reason = self.fields["reason"]
            reason.label = _("Reason for publishing anyway")
            reason.error_messages["required"] = _("Some things are still to do. Enter a reason for publishing anyway.")


class WhoIsInClassForm(ReasonForm):
    """Ticks who is in a class: of the rows of one page, with a reason once anything is recorded.

    Derived: `changes`, what differs from the page as it was shown. What others have changed meanwhile stays.
    """

    # The rows that were ticked when the page was shown.
    had = forms.CharField(widget=forms.HiddenInput, required=False)
    members = forms.MultipleChoiceField(
        required=False,
        error_messages={
            "invalid_choice": _("A bike or a person has just been removed from the roster. Check the list again.")
        },
    )

    def __init__(
        self, data: Any = None, *, rows: Sequence[tuple[str, str]], members: Sequence[str], is_fixed: bool
    ) -> None:
        """Create the form.

        Args:
            rows: the value and the name of each row of the page.
            members: the values of those that are in the class.
            is_fixed: whether it needs a reason.
        """
        super().__init__(data, initial={"had": " ".join(members), "members": list(members)})
        field = self.fields["members"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list(rows)
        self._shown = {value for value, _name in rows}
        if not is_fixed:
            del self.fields["reason"]

    @property
    def changes(self) -> list[tuple[str, UUID, bool]]:
        """What was ticked and unticked: bike or player, its id, and whether it is to be in the class."""
        had = set(self.cleaned_data["had"].split()) & self._shown
        wanted = set(self.cleaned_data["members"])
        return [
            (column, UUID(subject_id), value in wanted)
            for value in sorted(had ^ wanted)
            for column, _dot, subject_id in [value.partition(".")]
        ]


class OwnClassesForm(ReasonForm):
    """The classes of one bike or person, with a reason once anything is recorded."""

    had = forms.CharField(widget=forms.HiddenInput, required=False)
    classes = forms.MultipleChoiceField(
        label=_("Classes"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("This class has just been deleted. Choose again.")},
    )
    field_order = ["operation", "had", "classes", "reason"]

    def __init__(
        self, data: Any = None, *, classes: Sequence[tuple[str, str]], own: Iterable[UUID], is_fixed: bool
    ) -> None:
        """Create the form.

        Args:
            classes: the id and the name of each class of the event.
            own: those that it has.
            is_fixed: whether it needs a reason.
        """
        ids = sorted(map(str, own))
        super().__init__(data, initial={"had": " ".join(ids), "classes": ids})
        field = self.fields["classes"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = list(classes)
        if not is_fixed:
            del self.fields["reason"]

    def clean_classes(self) -> list[UUID]:
        """Return the ids."""
        return [UUID(one) for one in self.cleaned_data["classes"]]

    @property
    def before(self) -> frozenset[UUID]:
        """The classes that the page showed."""
        return frozenset(pk for text in self.cleaned_data["had"].split() if (pk := parse_uuid(text)))


class CutForm(OperationForm):
    """The cards of one tied group.

    Derived: `cleaned_data["cards"]`, by bike.
    """

    # Identifies the group on the page, and shows whether it is still tied.
    group = forms.CharField(widget=forms.HiddenInput)
    witness = NameFormField(
        label=_("Witness"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Name someone who watched the cards being cut. The name is shown with the results."),
        error_messages={"required": _("Enter the name of the witness.")},
    )

    def __init__(
        self,
        data: Any = None,
        *,
        rows: Sequence[LeaderboardRow],
        riders: Mapping[UUID, str],
        prefix: str = "",
        cards: Mapping[UUID, Card | None] | None = None,
        witness: str = "",
    ) -> None:
        """Create the form.

        Args:
            rows: the rows of the bikes that cut.
            riders: the names, by bike.
            prefix: the prefix that identifies the form on the page; by default it is made from the bikes' place.
            cards: the initial cards.
            witness: the initial name of the witness.
        """
        self.rows = rows
        self.key = make_group_key(rows)
        initial = {"group": self.key, "witness": witness, **_make_initial_values(cards or {})}
        super().__init__(data, prefix=prefix or f"cut-{rows[0].rank}", initial=initial)
        ranks = [(rank, capfirst(str(RANK_NAMES[rank]))) for rank in reversed(RANKS)]
        suits = [(suit, capfirst(str(SUIT_NAMES[suit]))) for suit in SUITS]
        self.riders = riders
        for row in rows:
            self.fields[f"rank_{row.entrant_id}"] = forms.ChoiceField(
                label=pgettext("of a deck", "Card"),
                choices=[("", gettext("Choose")), *ranks, (NOT_PRESENT, gettext("Was not there"))],
                error_messages={"required": gettext("Bike %(number)s: choose the card.") % {"number": row.number}},
            )
            self.fields[f"suit_{row.entrant_id}"] = forms.ChoiceField(
                label=gettext("Suit"),
                choices=[("", gettext("Choose")), *suits],
                error_messages={"required": gettext("Bike %(number)s: choose the suit.") % {"number": row.number}},
            )

    def clean(self) -> dict[str, Any]:
        """Add the cards, each from its rank and suit."""
        cleaned = super().clean() or {}
        cards: dict[UUID, str | None] = {}
        for row in self.rows:
            rank, suit = cleaned.get(f"rank_{row.entrant_id}"), cleaned.get(f"suit_{row.entrant_id}")
            if rank == NOT_PRESENT:
                cards[row.entrant_id] = None
                self.errors.pop(f"suit_{row.entrant_id}", None)  # a bike that was not there showed no card
            elif rank and suit:
                cards[row.entrant_id] = rank + suit
        return {**cleaned, "cards": cards}

    @property
    def card_fields(self) -> list[tuple[LeaderboardRow, str, BoundField, BoundField]]:
        """Each bike with its riders and its two fields."""
        return [
            (row, self.riders.get(row.entrant_id, ""), self[f"rank_{row.entrant_id}"], self[f"suit_{row.entrant_id}"])
            for row in self.rows
        ]


class CutCorrectionForm(CutForm, ReasonForm):
    """The right cards of a cut, and the reason for the correction."""

    @classmethod
    def for_cut(
        cls, cut: Cut, rows: Sequence[LeaderboardRow], riders: Mapping[UUID, str], witness: str, data: Any = None
    ) -> CutCorrectionForm:
        """Return the form of a current cut.

        Args:
            rows: the rows of the bikes that cut.
            witness: the name of the cut's witness; "" if it has none.
        """
        return cls(data, rows=rows, riders=riders, prefix=f"correct-{cut.seq}", cards=cut.cards, witness=witness)


def _make_initial_values(cards: Mapping[UUID, Card | None]) -> dict[str, str]:
    initial = {}
    for entrant, card in cards.items():
        initial[f"rank_{entrant}"] = NOT_PRESENT if card is None else RANKS[card.rank]
        initial[f"suit_{entrant}"] = "" if card is None else card.suit
    return initial


def make_group_key(rows: Sequence[LeaderboardRow]) -> str:
    """Return a key for a tied group that stays the same as long as its members do."""
    return make_entrants_key(row.entrant_id for row in rows)


def make_entrants_key(entrants: Iterable[UUID]) -> str:
    """Return the same key from the ids of the bikes."""
    return ",".join(sorted(map(str, entrants)))
