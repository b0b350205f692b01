"""The cuts of a contest, as its own chain tells them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from games.core.cards import CARDS, Card
from scorekeeper.scorecards.models import Entry


@dataclass(frozen=True, slots=True)
class Cut:
    """Cards that level holders showed, by holder; None for one that was not there.

    Attributes:
        seq: of the entry in the contest's chain.
    """

    seq: int
    at: dt.datetime
    cards: Mapping[UUID, Card | None]


def list_cuts(contest_id: UUID, length: int | None = None) -> Sequence[Cut]:
    """Return the cuts in the order they were made.

    Args:
        length: read the contest's chain only so far.
    """
    entries = Entry.objects.filter(chain_id=contest_id, kind="cut").order_by("seq")
    if length is not None:
        entries = entries.filter(seq__lte=length)
    return [_read(entry) for entry in entries]


def _read(entry: Entry) -> Cut:
    named = json.loads(entry.body)["data"]["cards"]
    return Cut(entry.seq, entry.at, {UUID(holder): card and CARDS[card] for holder, card in named.items()})
