"""The column headings of a contest's standings, and the text of its progress column.

Not every contest has every column. Bikes have a number and riders, players only a name. Where turns belong to slots,
progress is the number of turns; at the tables it is whether the game is finished, or how many tables were played.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.wording import STATUS_NAMES, label_total


@dataclass(frozen=True, slots=True)
class StandingsHeadings:
    """The headings of one contest, in the reader's language.

    Attributes:
        has_numbers: whether the entrants have a number, as bikes do; without one, the names come first.
        margin: what ranks entrants with the same total; "" where nothing does.
        ranking_hint: a sentence about which total is best; "" where the highest is, as everyone expects.
    """

    has_numbers: bool
    people: str
    progress: str
    total: str
    margin: str
    ranking_hint: str


def get_standings_headings(contest: Contest, board: Leaderboard | None = None) -> StandingsHeadings:
    """Return the headings of a contest's standings.

    Args:
        board: the leaderboard that they are for; None for the current one.
    """
    game = contest.game
    has_numbers = contest.seats_are == Contest.SeatsAre.BIKES
    version = None if board is None else board.standings_version
    is_current = version in (None, game.standings_version)
    total = label_total(game, version)
    return StandingsHeadings(
        has_numbers=has_numbers,
        people=_("Riders") if has_numbers else _("Name"),
        progress=_("Turns") if game.slot_option else _("Progress"),
        total=total,
        margin=translate(game.margin_label) if game.margin_label is not None and is_current else "",
        ranking_hint=_describe_goal(contest, total),
    )


def _describe_goal(contest: Contest, total: str) -> str:
    goal = contest.game.describe_goal(contest.ruleset.setup)
    if goal is not None:
        return translate(*goal)
    return _("%(total)s: the lowest wins.") % {"total": total} if contest.ruleset.lowest_wins else ""


def format_progress(row: LeaderboardRow, contest: Contest, turns: int, missed: int = 0) -> str:
    """Return an entrant's progress: "3/5", "In play", "2 tables"; "" where the text beside the name already says it.

    Args:
        turns: how many turns a card has.
        missed: how many of the entrant's turns are recorded as missed; they are not counted.
    """
    if contest.game.slot_option:
        return f"{max(row.turn_count - missed, 0)}/{turns}"
    if not row.is_ranked:
        return ""
    if contest.game.many_cards:
        return ngettext("%(count)s table", "%(count)s tables", row.turn_count) % {"count": row.turn_count}
    return "" if row.status == "retired" else str(STATUS_NAMES[row.status])
