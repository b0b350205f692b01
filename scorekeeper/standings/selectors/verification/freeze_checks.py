"""Checks of what the audience sees while the standings are frozen, against the log as it was when they were frozen.

A snapshot is taken within moments of the freeze, and the result that is revealed at a time that is not stored. So a
board is in order if the log had these figures at any of the times from then on. Numbers of bikes, groups and the order
of the reveal follow from no log; the checksums of the rows cover them (`checksum_checks`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import Max

from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.standings.board_data import load_board
from scorekeeper.standings.models import FrozenStandings, Revision
from scorekeeper.standings.reveal import list_revealed_from
from scorekeeper.standings.selectors.reports import fold_contest_at

MAX_TIMES = 50  # times at which the log is folded for one board
FREE_NAMES = ("number", "stop")


def check_freeze(event: Event) -> Iterator[LogDamage]:
    """Compare every frozen board and its cards with the log, and what is revealed with the step of the reveal."""
    freeze = Freeze.objects.filter(event=event).first()
    frozen = list(FrozenStandings.objects.filter(contest__event=event).select_related("contest").order_by("position"))
    if freeze is None or freeze.at is None:
        for row in frozen:
            yield damage_in(FrozenStandings, row.pk, _name(row), "it is frozen, but the event is not", "contest_id")
        if freeze is not None and freeze.step is not None:
            text = "a result is revealed, but nothing is frozen"
            yield damage_in(Freeze, freeze.pk, f"Freeze of {event.slug}", text, "at, step")
        return
    seen = {row.pk for row in frozen}
    for contest in event.contests.exclude(pk__in=seen):
        if Entry.objects.filter(chain__card__contest=contest, at__lte=freeze.at).exists():
            text = "they are missing, though there were entries at the freeze"
            yield damage_in(FrozenStandings, contest.pk, f"Frozen standings of {contest.slug}", text)
    for row in frozen:
        if row.board["rows"] or row.cards:
            yield from _check_board(row, "board", row.board, row.cards, freeze.at)
        if row.result_board is not None:
            yield from _check_board(row, "result_board", row.result_board, row.result_cards or [], freeze.at)
    yield from _check_reveal(freeze, frozen)


def _check_reveal(freeze: Freeze, frozen: list[FrozenStandings]) -> Iterator[LogDamage]:
    for row in frozen:
        if row.position is None and row.revealed_from is not None:
            text = "some of its result is revealed, but it has no place in the reveal"
            yield damage_in(FrozenStandings, row.pk, _name(row), text, "position, revealed_from")
    revealed = [row for row in frozen if row.position is not None]
    boards = [load_board(row.result_board) for row in revealed if row.result_board is not None]
    expected = [None] * len(boards) if freeze.step is None else list_revealed_from(boards, freeze.step)
    stored = [row.revealed_from for row in revealed]
    for row, here, there in zip(revealed, stored, expected, strict=False):
        if here != there:
            text = "what it reveals does not match the step of the reveal"
            yield damage_in(FrozenStandings, row.pk, _name(row), text, "revealed_from")
    if len(stored) != len(expected):
        yield damage_in(Freeze, freeze.pk, f"Freeze of {freeze.event_id}", "results of its reveal are missing", "step")


def _name(row: FrozenStandings) -> str:
    return f"Frozen standings of {row.contest.slug}"


def _check_board(
    row: FrozenStandings, column: str, board: Mapping[str, Any], cards: Iterable[Mapping[str, Any]], at: dt.datetime
) -> Iterator[LogDamage]:
    shown = _list_figures(board["rows"], cards)
    if board["revision"] is not None:
        revision = Revision.objects.filter(contest=row.contest, number=board["revision"]).first()
        is_right = revision is not None and shown == _list_figures(
            revision.standings["rows"], revision.standings["cards"]
        )
    else:
        is_open = board["status"] == Contest.Status.OPEN
        moments = _list_times(row.contest, max([at, *_list_changes(board)]))
        is_right = any(shown == _fold_figures(row.contest, moment, is_open) for moment in moments)
    if not is_right:
        columns = f"{column}, {column.replace('board', 'cards')}"
        text = "its figures are not those of the log when it was frozen"
        yield damage_in(FrozenStandings, row.pk, _name(row), text, columns)


def _list_changes(board: Mapping[str, Any]) -> list[dt.datetime]:
    return [dt.datetime.fromisoformat(row["last_change"]) for row in board["rows"] if row["last_change"]]


def _list_times(contest: Contest, since: dt.datetime) -> Iterator[dt.datetime]:
    """Yield a time, and those of the entries after it."""
    yield since
    later = Entry.objects.filter(chain__event=contest.event_id, at__gt=since).order_by("at")
    yield from later.values_list("at", flat=True).distinct()[:MAX_TIMES]


def _fold_figures(contest: Contest, moment: dt.datetime, is_open: bool) -> object:
    lengths: dict[UUID, int] = dict(
        Entry.objects.filter(chain__event=contest.event_id, at__lte=moment)
        .order_by()
        .values("chain")
        .annotate(length=Max("seq"))
        .values_list("chain", "length")
    )
    report = fold_contest_at(contest, lengths, is_open=is_open)[1].to_data()
    return _list_figures(report["rows"], report["cards"])


def _list_figures(rows: Iterable[Mapping[str, Any]], cards: Iterable[Mapping[str, Any]]) -> object:
    """Return the figures of everyone who has a rank, by the id of the entrant."""
    ranked = sorted((_drop_names(row) for row in rows if row["rank"] is not None), key=lambda row: str(row["holder"]))
    return [ranked, sorted((_drop_names(card) for card in cards), key=lambda card: (card["holder"], str(card["card"])))]


def _drop_names(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: _drop_names(value) for name, value in data.items() if name not in FREE_NAMES}
    return [_drop_names(part) for part in data] if isinstance(data, list | tuple) else data
