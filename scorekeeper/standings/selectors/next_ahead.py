"""The better totals in the standings, for the chance of overtaking them."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.standing import order_key
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.standings.models import IS_RANKED, StandingsRow

FIRST_PLACES = 3


def find_next_total(contest: Contest, total: int) -> int | None:
    """Return the nearest total that is better than this one, of those whose totals can be compared with it.

    Returns:
        None if there is none, and while the standings are frozen: it would say what others have done since.
    """
    if get_freeze(contest.event) is not None:
        return None
    rows = StandingsRow.objects.filter(IS_RANKED, contest=contest, bike__merged_into=None)
    rows = rows.exclude(status=StandingsRow.Status.RETIRED)
    if contest.ruleset.finished_first:  # a better total of someone who is still playing is not ahead
        rows = rows.filter(status=StandingsRow.Status.DONE)
    if contest.ruleset.lowest_wins:
        return rows.filter(total__lt=total).order_by("-total").values_list("total", flat=True).first()
    return rows.filter(total__gt=total).order_by("total").values_list("total", flat=True).first()


def list_totals_ahead(contest: Contest, order: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first places that are ahead of a standing, the best first, each with its total.

    Args:
        order: what ranking compares of the standing (`games.core.standing`).

    Returns:
        Up to `FIRST_PLACES` places; a shared one once. None while the standings are frozen.
    """
    if get_freeze(contest.event) is not None:
        return []
    rows = StandingsRow.objects.filter(IS_RANKED, contest=contest, order_key__gt=order_key(tuple(order)))
    rows = rows.filter(bike__merged_into=None).order_by("-order_key", "-total")
    places: dict[bytes, tuple[int, int]] = {}
    for place, (key, total) in enumerate(rows.values_list("order_key", "total"), 1):
        if places.setdefault(bytes(key), (place, total))[0] == place and len(places) > FIRST_PLACES:
            break
    return list(places.values())[:FIRST_PLACES]
