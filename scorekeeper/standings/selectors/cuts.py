"""The cuts of a contest, read from its own chain.

Invariant: a correction replaces the cut that it corrects, and keeps its position in the order of the cuts.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max

from games.core.cards import CARDS, Card
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import CutWitness, Entry, OperationReason
from scorekeeper.standings.leaderboard import CountedCut


@dataclass(frozen=True, slots=True)
class Cut:
    """The cards that tied entrants showed, by entrant; None for an entrant who was not there.

    Attributes:
        seq: the number of its entry in the contest's chain.
        corrects: the cut as it was entered before this correction.
    """

    seq: int
    at: dt.datetime
    cards: Mapping[UUID, Card | None]
    corrects: Cut | None = None


CUT, CLASS_CUT = "cut", "class_cut"  # stored in the log
CUT_KINDS = (CUT, CLASS_CUT)


def list_cuts(contest_id: UUID, length: int | None = None) -> Sequence[Cut]:
    """Return the current cuts of the contest, without those of its classes, in the order they were made.

    Args:
        length: read the contest's chain only up to this entry.
    """
    return _fold_cuts(_read_entries(contest_id, CUT, length))


def list_class_cuts(contest_id: UUID, length: int | None = None) -> Mapping[UUID, Sequence[Cut]]:
    """Return the current cuts of each class for which cards were cut, by the class, with the same arguments."""
    by_class: dict[UUID, list[_CutEntry]] = {}
    for entry, data in _read_entries(contest_id, CLASS_CUT, length):
        by_class.setdefault(UUID(data["class"]), []).append((entry, data))
    return {class_id: _fold_cuts(entries) for class_id, entries in by_class.items()}


_CutEntry = tuple[Entry, Mapping[str, Any]]


def _read_entries(contest_id: UUID, kind: str, length: int | None) -> Iterator[_CutEntry]:
    entries = Entry.objects.filter(chain_id=contest_id, kind=kind).order_by("seq")
    if length is not None:
        entries = entries.filter(seq__lte=length)
    for entry in entries:
        yield entry, json.loads(entry.body)["data"]


def _fold_cuts(entries: Iterable[_CutEntry]) -> list[Cut]:
    cuts: list[Cut] = []
    for entry, data in entries:
        position = _find_corrected(cuts, data)
        if position is None:
            cuts.append(Cut(entry.seq, entry.at, _parse_cards(data)))
        else:
            cuts[position] = Cut(entry.seq, entry.at, _parse_cards(data), cuts[position])
    return cuts


def get_last_cut_time(event: Event) -> dt.datetime | None:
    """Return when cards were last recorded or corrected in any contest of an event; None if none were."""
    contests = Contest.objects.filter(event=event).values("pk")
    last: dt.datetime | None = Entry.objects.filter(chain__in=contests, kind__in=CUT_KINDS).aggregate(at=Max("at"))[
        "at"
    ]
    return last


def get_correction_reasons(contest_id: UUID) -> Mapping[int, str]:
    """Return the reasons for corrections of cuts, by the entry of the correction."""
    entries = {"operation__entries__chain_id": contest_id, "operation__entries__kind__in": CUT_KINDS}
    return dict(OperationReason.objects.filter(**entries).values_list("operation__entries__seq", "text"))


def get_cut_witnesses(contest_id: UUID) -> Mapping[int, str]:
    """Return the full names of the witnesses of cuts, by the entry of the cut.

    Cuts of older versions have none, and names that were erased are left out.
    """
    entries = {"operation__entries__chain_id": contest_id, "operation__entries__kind__in": CUT_KINDS}
    return dict(CutWitness.objects.filter(**entries).values_list("operation__entries__seq", "name"))


def describe_counted_cuts(
    cuts: Sequence[Cut], stale: Collection[int], numbers: Mapping[UUID, str]
) -> tuple[CountedCut, ...]:
    """Return the cuts that decided places, as plain data.

    Args:
        cuts: all cuts of a contest.
        stale: the sequence numbers of those that do not count.
        numbers: the number of each entrant.
    """
    return tuple(
        CountedCut(
            cut.seq,
            tuple(
                (entrant, numbers.get(entrant, ""), None if card is None else str(card))
                for entrant, card in sorted(cut.cards.items(), key=lambda shown: (_rank_card(shown[1]), shown[0]))
            ),
        )
        for cut in cuts
        if cut.seq not in stale
    )


def _rank_card(card: Card | None) -> int:
    """Return a sort key by which the highest card comes first, and those who were not there last."""
    return 1 if card is None else -card.rank


def _find_corrected(cuts: Sequence[Cut], data: Mapping[str, Any]) -> int | None:
    corrected = data.get("corrects")
    return next((position for position, cut in enumerate(cuts) if cut.seq == corrected), None)


def _parse_cards(data: Mapping[str, Any]) -> dict[UUID, Card | None]:
    return {UUID(entrant): card and CARDS[card] for entrant, card in data["cards"].items()}
