"""What differs between two results of a contest: places, totals, lines of the scorecards and prizes, with their texts.

The results are two revisions, or the last revision and the current standings, which the next one would publish.

- Only entrants of whom something differs are listed: first those whose own result was corrected, then those who only
  have another place because of it.
- Results contain no names, so the names are those of today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.core.game import Game
from games.core.text import Text
from scorekeeper.common.game_adapter import show_total, translate
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant
from scorekeeper.standings.award_source import AWARD_SOURCES, AwardData, AwardWords
from scorekeeper.standings.contest_report import ContestReport
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.wording import STATUS_NAMES, describe_decided_by, label_total


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of a scorecard with other points; None where it is empty."""

    label: Text
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class ResultChange:
    """What differs about one entrant.

    Attributes:
        number: the bike's number; "" for a player.
        before, after: the rows of both results; None where the entrant is not ranked.
        lines: the lines of the scorecards that differ, in their order.
    """

    entrant_id: UUID
    number: str
    before: LeaderboardRow | None
    after: LeaderboardRow | None
    lines: tuple[LineChange, ...] = ()

    @property
    def is_corrected(self) -> bool:
        """Whether the entrant's own result differs, and not only the place or how it was decided."""
        return bool(self.lines) or _get_result(self.before) != _get_result(self.after)


@dataclass(frozen=True, slots=True)
class ResultChangePresenter:
    """What differs about one entrant, or about a prize, in sentences.

    Attributes:
        name: "Bike 57 (Ann, Bo)", a player's name, or that of a prize.
        texts: the place and the total before and now, and what else differs in the ranking; of a prize its winners.
        line_texts: the lines of the scorecards before and now.
    """

    name: str
    is_corrected: bool
    texts: tuple[str, ...]
    line_texts: tuple[str, ...]


def compare_reports(before: ContestReport, after: ContestReport) -> list[ResultChange]:
    """Return what differs, best place first. Cards are compared only if both reports have any."""
    rows_before, rows_after = _list_ranked(before), _list_ranked(after)
    cards_before, cards_after = _list_lines(before), _list_lines(after)
    has_cards = bool(before.cards) and bool(after.cards)
    changes = []
    for entrant in {**rows_after, **rows_before}:
        old, new = rows_before.get(entrant), rows_after.get(entrant)
        row = new or old
        assert row is not None, "one of the two reports has the entrant"
        found = _compare_lines(cards_before.get(entrant, {}), cards_after.get(entrant, {})) if has_cards else ()
        change = ResultChange(entrant, row.number, old, new, tuple(found))
        if change.is_corrected or _get_place(old) != _get_place(new):
            changes.append(change)
    return sorted(changes, key=lambda change: not change.is_corrected)  # stable: in the order of the places


def present_changes(
    contest: Contest, before: ContestReport, after: ContestReport, people: Mapping[UUID, str]
) -> list[ResultChangePresenter]:
    """Return what differs, in sentences.

    Args:
        people: the names of each bike and player, as the reader may see them.
    """
    return [
        ResultChangePresenter(
            format_entrant(change.number, people.get(change.entrant_id, "")),
            change.is_corrected,
            tuple(_describe_row(change, contest.game, after.standings_version)),
            tuple(_describe_line(line) for line in change.lines),
        )
        for change in compare_reports(before, after)
    ]


def present_prize_changes(
    contest: Contest, before: Sequence[AwardData], after: Sequence[AwardData], people: Mapping[UUID, str]
) -> list[ResultChangePresenter]:
    """Return the prizes that somebody else wins, that have another name, that are new and that are gone.

    Args:
        people: the names of each bike and player, as the reader may see them.
    """
    source = AWARD_SOURCES.only
    if source is None:
        return []
    was, is_now = (
        {one.prize_id: one for one in source.describe(contest, awards, people)} for awards in (before, after)
    )
    found = ((prize, was.get(prize), is_now.get(prize)) for prize in {**is_now, **was})
    described = ((_describe_award(old, new), new or old) for _prize, old, new in found)
    return [ResultChangePresenter(shown.title, True, texts, ()) for texts, shown in described if texts and shown]


def _describe_award(before: AwardWords | None, after: AwardWords | None) -> tuple[str, ...]:
    if after is None:
        return (
            () if before is None else (_("No longer a prize; it went to: %(winners)s") % {"winners": before.winners},)
        )
    if before is None:
        return (_("New prize, for: %(winners)s") % {"winners": after.winners},)
    texts = []
    if before.winner_ids != after.winner_ids:
        params = {"before": before.winners, "after": after.winners}
        texts.append(_("Winner: from %(before)s to %(after)s") % params)
    if before.title != after.title:
        texts.append(_("Called %(title)s before") % {"title": before.title})
    return tuple(texts)


def _list_ranked(report: ContestReport) -> dict[UUID, LeaderboardRow]:
    return {row.entrant_id: row for row in report.rows if row.is_ranked}


Lines = Mapping[tuple[UUID, str], tuple[Text, int | None]]


def _list_lines(report: ContestReport) -> Mapping[UUID, Lines]:
    """Return the lines that turns fill, by entrant, by card and key. Subtotals and totals follow from them."""
    lines: dict[UUID, dict[tuple[UUID, str], tuple[Text, int | None]]] = {}
    for card in report.cards:
        of_entrant = lines.setdefault(card.entrant_id, {})
        for line in card.lines:
            if line.kind == "line":
                of_entrant[card.card_id, line.key] = (line.label_text, line.points)
    return lines


def _compare_lines(before: Lines, after: Lines) -> Iterator[LineChange]:
    for key in {**after, **before}:
        label = (after.get(key) or before[key])[0]
        old, new = before.get(key, (label, None))[1], after.get(key, (label, None))[1]
        if old != new:
            yield LineChange(label, old, new)


def _get_result(row: LeaderboardRow | None) -> tuple[object, ...]:
    return () if row is None else (row.total, row.margin, row.status)


def _get_place(row: LeaderboardRow | None) -> tuple[object, ...]:
    return () if row is None else (row.rank_label, row.cards)


def _describe_row(change: ResultChange, game: Game[Any], version: int) -> Iterator[str]:
    before, after = change.before, change.after
    total = label_total(game, version)
    if before is None or after is None:
        if after is not None:
            params = {"place": after.rank_label, "label": total, "total": show_total(game, after.total)}
            yield _("Place %(place)s, not ranked before") % params
            yield _("%(label)s: %(total)s") % params
        if before is not None:
            yield _("No longer ranked; was in place %(place)s") % {"place": before.rank_label}
        return
    if before.rank_label != after.rank_label:
        yield _("Place: from %(before)s to %(after)s") % {"before": before.rank_label, "after": after.rank_label}
    else:
        yield _("Place: %(place)s, as before") % {"place": after.rank_label}
    if before.total != after.total:
        params = {"label": total, "before": show_total(game, before.total), "after": show_total(game, after.total)}
        yield _("%(label)s: from %(before)s to %(after)s") % params
    if before.status != after.status:
        statuses = {"before": STATUS_NAMES[before.status], "after": STATUS_NAMES[after.status]}
        yield _("Status: from %(before)s to %(after)s") % statuses
    if before.cards != after.cards or before.margin != after.margin:
        yield _("Decided by: %(how)s") % {"how": describe_decided_by(after, game)}


def _describe_line(line: LineChange) -> str:
    params = {"label": translate(line.label), "before": line.before, "after": line.after}
    if line.before is None:
        return _("%(label)s: %(after)s, empty before") % params
    if line.after is None:
        return _("%(label)s: empty, %(before)s before") % params
    return _("%(label)s: from %(before)s to %(after)s") % params
