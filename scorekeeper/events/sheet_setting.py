"""Who holds scorecards in a contest at the stops: the bikes or each of the people on them, and how many at most.

The first scorecard of a bike is that of the bike itself. Further ones are sold one by one (`Bike.sheet_of`), and are
counted over the bike: where each rider has up to two, 17 and 17/2 are the rider's, 17/3 and 17/4 the passenger's.

The setting is fixed with the options. A game whose rule book says “one scorecard per bike” names that clause
(`Game.one_sheet_clause`), and always has the usual setting.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.events.models import Contest


def get_sheet_data(contest: Contest) -> dict[str, Any]:
    """Return the setting as the digest of the rules has it: nothing for one scorecard per bike, as in older logs."""
    if not sells_sheets(contest):
        return {}
    return {"sheets": {"each": contest.sheets_for, "most": contest.sheets_max}}


def sells_sheets(contest: Contest) -> bool:
    """Return whether a bike can have several scorecards in a contest."""
    return contest.sheets_for != Contest.SheetsFor.BIKE or contest.sheets_max != 1


def describe_sheet_setting(contest: Contest) -> str:
    """Return the setting in a sentence; "" for the usual one."""
    if not sells_sheets(contest):
        return ""
    most = {"count": contest.sheets_max}
    if contest.sheets_for == Contest.SheetsFor.BIKE:
        return _("A bike can have up to %(count)s scorecards.") % most
    if contest.sheets_max == 1:
        return _("Each rider has a scorecard, passengers too.")
    return _("Each rider, passengers too, can have up to %(count)s scorecards.") % most


def count_possible_sheets(contest: Contest, people_count: int) -> int:
    """Return how many scorecards a bike can have in a contest.

    Args:
        people_count: how many people are on the bike.
    """
    holders = max(people_count, 1) if contest.sheets_for == Contest.SheetsFor.RIDER else 1
    return contest.sheets_max * holders


def get_holder_index(contest: Contest, sheet: int) -> int | None:
    """Return which of the people on a bike holds one of its scorecards, from 0; None where the bike holds it."""
    return (sheet - 1) // contest.sheets_max if contest.sheets_for == Contest.SheetsFor.RIDER else None
