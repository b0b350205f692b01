"""Results as tables: headings and rows of texts and whole numbers, the same whatever kind of file they go into.

Every row says how official it is and as of when, so that a line that was cut out of its file still does.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from scorekeeper.common.rules import say
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.fold import UNREADABLE
from scorekeeper.scorecards.models import Entry, Note, Seat
from scorekeeper.standings.board import Board, BoardRow
from scorekeeper.standings.report import Report, ReportCard
from scorekeeper.standings.wording import STATUS_NAMES, say_decision, say_official, say_time
from scorekeeper.stops.models import Slot

Value = str | int | None
BATCH = 500  # entries read at a time


@dataclass(frozen=True)
class Table:
    """A table; its rows may be read once.

    Attributes:
        headings: what people read over each column, by the column's name for programs.
    """

    name: str
    headings: Mapping[str, str]
    rows: Iterable[list[Value]]


@dataclass(frozen=True)
class Results:
    """What an export is made of: a contest's report, and who rides."""

    contest: Contest
    board: Board
    report: Report
    riders: Mapping[UUID, str]

    @property
    def official(self) -> str:
        """How official the figures are, and as of when."""
        return say_official(self.board, self.contest.event)


def number_of(text: str) -> Value:
    """Return a bike's number as a number, unless it is one like "57 (2)"."""
    return int(text) if text.isascii() and text.isdigit() else text


def make_standings(results: Results) -> Table:
    """Return the standings."""
    headings = {
        "place": _("Place"),
        "bike": _("Bike"),
        "riders": _("Riders"),
        "total": _("Total"),
        "turns": _("Turns"),
        "status": _("Status"),
        "last_change": _("Last change"),
        "decided_by": _("Decided by"),
        "result": _("Result"),
    }
    return Table(_("Standings"), headings, (_standings_row(results, row) for row in results.report.rows))


def _standings_row(results: Results, row: BoardRow) -> list[Value]:
    changed = None if row.last_change is None else say_time(row.last_change, results.contest.event)
    return [
        row.rank_label,
        number_of(row.number),
        results.riders.get(row.holder_id, ""),
        row.total,
        row.turns,
        str(STATUS_NAMES[row.status]),
        changed,
        say_decision(row),
        results.official,
    ]


def make_cards(results: Results) -> Table:
    """Return the cards: a row each, with every line of the sheet and where each turn was rolled."""
    cards = results.report.cards
    lines = {line.key: say(line.label_text) for line in cards[0].lines} if cards else {}
    slots = Slot.objects.filter(contest=results.contest).order_by("ordinal").values_list("ordinal", "stop__name")
    ordinals = [number for number, _stop in slots]
    turns = {
        f"turn_{number}": _("Turn %(number)s, %(stop)s") % {"number": number, "stop": stop} for number, stop in slots
    }
    headings = {"bike": _("Bike"), "riders": _("Riders"), **lines, **turns, "result": _("Result")}
    return Table(_("Cards"), headings, (_cards_row(results, card, ordinals) for card in cards))


def _cards_row(results: Results, card: ReportCard, ordinals: list[int]) -> list[Value]:
    told = {
        turn.ordinal: _("%(box)s: %(points)s") % {"box": say(turn.label_text), "points": turn.points}
        for turn in card.turns
    }
    points = [line.points for line in card.lines]
    head: list[Value] = [number_of(card.number), results.riders.get(card.holder_id, "")]
    return [*head, *points, *(told.get(number, "") for number in ordinals), results.official]


def make_log(contest: Contest) -> Table:
    """Return the log: the contest's chain, its cards' and the event's, in the order of writing. For organisers only."""
    headings = {
        "at": _("Time"),
        "chain": _("Chain"),
        "seq": _("Number"),
        "kind": _("Kind"),
        "by": _("By"),
        "stop": _("Stop"),
        "turn": _("Turn"),
        "actions": _("Actions"),
        "data": _("Details"),
        "reason": _("Reason"),
        "operation": _("Operation"),
        "hash": _("Hash"),
    }
    return Table(_("Log"), headings, _list_log_rows(contest))


def _list_log_rows(contest: Contest) -> Iterator[list[Value]]:
    chains = Q(chain__card__contest=contest) | Q(chain_id=contest.pk) | Q(chain_id=contest.event_id)
    entries = Entry.objects.filter(chains).order_by("at", "chain_id", "seq").select_related("slot__stop")
    seats = Seat.objects.filter(contest=contest).select_related("bike", "player")
    names = {contest.pk: _("Contest"), contest.event_id: _("Event")}
    names |= {seat.card_id: _("Bike %(number)s") % {"number": seat.bike or seat.player} for seat in seats}
    reasons = dict(Note.objects.filter(operation__event_id=contest.event_id).values_list("pk", "text"))
    actors = list_actor_names(contest.event, set(_list_actors(contest)))
    for entry in entries.iterator(chunk_size=BATCH):
        by, actions, details = _tell(entry, actors)
        yield [
            entry.at.astimezone(dt.UTC).isoformat(timespec="microseconds"),
            names[entry.chain_id],
            entry.seq,
            entry.kind,
            by,
            None if entry.slot is None else entry.slot.stop.name,
            None if entry.slot is None else entry.slot.ordinal,
            actions,
            details,
            reasons.get(entry.operation_id, ""),
            str(entry.operation_id),
            entry.hash,
        ]


def _tell(entry: Entry, actors: Mapping[UUID, str]) -> tuple[str, str, str]:
    """Return by whom an entry is, its actions and its details; of a damaged one the details are all that is there."""
    try:
        body = json.loads(entry.body)
        return actors.get(UUID(body["actor"]), ""), _compact(body["actions"]), _compact(body["data"])
    except UNREADABLE:
        return "", "", entry.body


def _list_actors(contest: Contest) -> Iterable[UUID]:
    return contest.event.operations.values_list("actor_id", flat=True).distinct()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
