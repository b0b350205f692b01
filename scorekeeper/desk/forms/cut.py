"""The cards that level bikes showed: a rank and a suit for each, or that it was not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.forms import BoundField
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.cards import RANKS, SUITS, Card
from scorekeeper.desk.forms.operation_forms import OperationForm, ReasonForm
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.cuts import Cut
from scorekeeper.standings.wording import RANK_NAMES, SUIT_NAMES

NOT_PRESENT = "absent"


class CutForm(OperationForm):
    """The cards of one level group.

    Derived: `cleaned_data["cards"]`, by bike.
    """

    # Tells the groups of a page apart, and whether the page's group is still one.
    group = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any = None,
        *,
        rows: Sequence[LeaderboardRow],
        riders: Mapping[UUID, str],
        prefix: str = "",
        cards: Mapping[UUID, Card | None] | None = None,
    ) -> None:
        """Make the form.

        Args:
            rows: of the bikes that cut.
            riders: by bike.
            prefix: what tells the form from others of the page; else the place of its bikes does.
            cards: what is chosen at first.
        """
        self.rows = rows
        self.key = make_group_key(rows)
        initial = {"group": self.key, **_make_initial_values(cards or {})}
        super().__init__(data, prefix=prefix or f"cut-{rows[0].rank}", initial=initial)
        ranks = [(rank, capfirst(str(RANK_NAMES[rank]))) for rank in reversed(RANKS)]
        suits = [(suit, capfirst(str(SUIT_NAMES[suit]))) for suit in SUITS]
        self.riders = riders
        for row in rows:
            self.fields[f"rank_{row.holder_id}"] = forms.ChoiceField(
                label=gettext_lazy("Card"),
                choices=[("", _("Choose")), *ranks, (NOT_PRESENT, _("Was not there"))],
                error_messages={"required": _("Bike %(number)s: choose the card.") % {"number": row.number}},
            )
            self.fields[f"suit_{row.holder_id}"] = forms.ChoiceField(
                label=gettext_lazy("Suit"),
                choices=[("", _("Choose")), *suits],
                error_messages={"required": _("Bike %(number)s: choose the suit.") % {"number": row.number}},
            )

    def clean(self) -> dict[str, Any]:
        """Put the cards together."""
        cleaned = super().clean() or {}
        cards: dict[UUID, str | None] = {}
        for row in self.rows:
            rank, suit = cleaned.get(f"rank_{row.holder_id}"), cleaned.get(f"suit_{row.holder_id}")
            if rank == NOT_PRESENT:
                cards[row.holder_id] = None
                self.errors.pop(f"suit_{row.holder_id}", None)  # who was not there showed none
            elif rank and suit:
                cards[row.holder_id] = rank + suit
        return {**cleaned, "cards": cards}

    @property
    def card_fields(self) -> list[tuple[LeaderboardRow, str, BoundField, BoundField]]:
        """Each bike with its riders and its two fields."""
        return [
            (row, self.riders.get(row.holder_id, ""), self[f"rank_{row.holder_id}"], self[f"suit_{row.holder_id}"])
            for row in self.rows
        ]


class CutCorrectionForm(CutForm, ReasonForm):
    """The right cards of a cut, and why they are entered anew."""

    @classmethod
    def for_cut(
        cls, cut: Cut, rows: Sequence[LeaderboardRow], riders: Mapping[UUID, str], data: Any = None
    ) -> CutCorrectionForm:
        """Return the form of a current cut.

        Args:
            rows: of the bikes that cut.
        """
        return cls(data, rows=rows, riders=riders, prefix=f"correct-{cut.seq}", cards=cut.cards)


def _make_initial_values(cards: Mapping[UUID, Card | None]) -> dict[str, str]:
    chosen = {}
    for holder, card in cards.items():
        chosen[f"rank_{holder}"] = NOT_PRESENT if card is None else RANKS[card.rank]
        chosen[f"suit_{holder}"] = "" if card is None else card.suit
    return chosen


def make_group_key(rows: Sequence[LeaderboardRow]) -> str:
    """Return a word for a level group that is the same as long as its members are."""
    return ",".join(sorted(str(row.holder_id) for row in rows))
