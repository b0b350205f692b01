"""How far each row of a leaderboard is from the next better place, in words.

It says only what follows from the rows as they are shown, and nothing where their difference has no meaning: for hands
of cards, in a result by earlier rules, beside a bike that has retired, while places are being revealed, and in games
that rank those who have finished above all others, until both have finished.

Invariant: a row that is ranked better is never said to have the worse total.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game, Ruleset
from scorekeeper.common.labels import label_value
from scorekeeper.common.number_wording import format_ordinal_place
from scorekeeper.events.models import Contest
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.wording import label_total

COUNTED_IN_POINTS = (Game.total_label.template, "Points")


def describe_gaps(contest: Contest, board: Leaderboard) -> Mapping[UUID, str]:
    """Return the sentence for each row that has one: "3 points to 4th place"."""
    game = contest.game
    is_current = board.standings_version in (None, game.standings_version)
    if not game.compares_totals or not is_current or board.is_being_revealed:
        return {}
    rows = [row for row in board.rows if row.rank is not None and row.status != "retired"]
    if contest.ruleset.finished_first:
        rows = [row for row in rows if row.status == "done"]
    rows.sort(key=lambda row: row.rank or 0)
    gaps: dict[UUID, str] = {}
    for row, better in _pair_with_better(rows):
        if text := _describe_gap(contest, row, better):
            gaps[row.entrant_id] = text
    return gaps


def _pair_with_better(rows: Sequence[LeaderboardRow]) -> list[tuple[LeaderboardRow, LeaderboardRow]]:
    """Return each row with one at the next better place.

    Args:
        rows: ranked, by their places.
    """
    pairs, better = [], None
    for before, row in itertools.pairwise(rows):
        if before.rank != row.rank:
            better = before
        if better is not None:
            pairs.append((row, better))
    return pairs


def _describe_gap(contest: Contest, row: LeaderboardRow, better: LeaderboardRow) -> str:
    assert better.rank is not None, "only rows with a place are compared"
    gap = _count_behind(contest.ruleset, row.total, better.total)
    if gap < 0:
        return ""
    params: dict[str, object] = {"count": gap, "place": format_ordinal_place(better.rank)}
    if gap == 0:
        return _("Same total as %(place)s place") % params
    if contest.game.distance(contest.ruleset.setup, row.total) is not None:
        text = ngettext(
            "%(place)s place is %(count)s point closer to the target",
            "%(place)s place is %(count)s points closer to the target",
            gap,
        )
        return text % params
    return _describe_points(contest, gap, params)


def _describe_points(contest: Contest, gap: int, params: Mapping[str, object]) -> str:
    game, lowest_wins = contest.game, contest.ruleset.lowest_wins
    if (game.combined_label or game.total_label).template not in COUNTED_IN_POINTS:
        text = _("%(place)s place has %(count)s less") if lowest_wins else _("%(count)s more for %(place)s place")
        return label_value(label_total(game), text % params)
    if lowest_wins:
        text = ngettext("%(place)s place has %(count)s point less", "%(place)s place has %(count)s points less", gap)
    else:
        text = ngettext("%(count)s point to %(place)s place", "%(count)s points to %(place)s place", gap)
    return text % params


def _count_behind(ruleset: Ruleset, total: int, better: int) -> int:
    """Return how much better the other total is; negative if it is worse."""
    game, setup = ruleset.game, ruleset.setup
    distances = game.distance(setup, total), game.distance(setup, better)
    if distances[0] is not None and distances[1] is not None:
        return distances[0] - distances[1]
    return total - better if ruleset.lowest_wins else better - total
