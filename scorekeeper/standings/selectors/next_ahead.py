"""The next better total in the standings, for the chance of overtaking it."""

from __future__ import annotations

from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.standings.models import IS_RANKED, StandingsRow


def find_next_total(contest: Contest, total: int) -> int | None:
    """Return the nearest total that is better than this one, of those who are still playing or done.

    Returns:
        None if there is none, and while the standings are frozen: it would say what others have done since.
    """
    if get_freeze(contest.event) is not None:
        return None
    rows = StandingsRow.objects.filter(IS_RANKED, contest=contest, bike__merged_into=None)
    rows = rows.exclude(status=StandingsRow.Status.RETIRED)
    if contest.game.lowest_wins:
        return rows.filter(total__lt=total).order_by("-total").values_list("total", flat=True).first()
    return rows.filter(total__gt=total).order_by("total").values_list("total", flat=True).first()
