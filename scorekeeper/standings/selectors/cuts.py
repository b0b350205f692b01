"""The cuts of a contest, as its own chain tells them.

Invariant: a correction takes the place of the cut that it corrects, in the order in which the cuts were made.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.cards import CARDS, Card
from scorekeeper.scorecards.models import Entry, OperationReason


@dataclass(frozen=True, slots=True)
class Cut:
    """Cards that tied holders showed, by holder; None for one that was not there.

    Attributes:
        seq: of the entry in the contest's chain.
        corrects: what was entered before this correction.
    """

    seq: int
    at: dt.datetime
    cards: Mapping[UUID, Card | None]
    corrects: Cut | None = None


def list_cuts(contest_id: UUID, length: int | None = None) -> Sequence[Cut]:
    """Return the current cuts in the order they were made.

    Args:
        length: read the contest's chain only so far.
    """
    entries = Entry.objects.filter(chain_id=contest_id, kind="cut").order_by("seq")
    if length is not None:
        entries = entries.filter(seq__lte=length)
    cuts: list[Cut] = []
    for entry in entries:
        data = json.loads(entry.body)["data"]
        place = _find_corrected(cuts, data)
        if place is None:
            cuts.append(Cut(entry.seq, entry.at, _parse_cards(data)))
        else:
            cuts[place] = Cut(entry.seq, entry.at, _parse_cards(data), cuts[place])
    return cuts


def get_correction_reasons(contest_id: UUID) -> Mapping[int, str]:
    """Return why cuts were corrected, by the entries that did so."""
    entries = {"operation__entries__chain_id": contest_id, "operation__entries__kind": "cut"}
    return dict(OperationReason.objects.filter(**entries).values_list("operation__entries__seq", "text"))


def _find_corrected(cuts: Sequence[Cut], data: Mapping[str, Any]) -> int | None:
    corrected = data.get("corrects")
    return next((place for place, cut in enumerate(cuts) if cut.seq == corrected), None)


def _parse_cards(data: Mapping[str, Any]) -> dict[UUID, Card | None]:
    return {UUID(holder): card and CARDS[card] for holder, card in data["cards"].items()}
