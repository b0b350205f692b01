"""Which further sheets of a bike can be sold in a contest, why none can, and what a new one would lack.

A sheet can be sold at any time before its own first turn, whatever its bike has played by then: the rule books say only
that it is paid for (DICE-1, POKER-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, label_bike
from scorekeeper.bikes.selectors import list_sheets_of_bike
from scorekeeper.events.models import Contest
from scorekeeper.events.sheet_setting import (
    count_possible_sheets,
    get_holder_index,
    sells_sheets,
)
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import list_holders, read_riders
from scorekeeper.scorecards.display_names import format_riders
from scorekeeper.scorecards.models import Turn
from scorekeeper.stops.models import Slot


@dataclass(frozen=True, slots=True)
class SheetOffer:
    """A sheet that can be sold.

    Attributes:
        number: the 2 in "17/2".
        label: "17/2".
        riders: whose sheet it would be.
    """

    number: int
    label: str
    riders: str


def list_sheet_offers(contest: Contest, bike: Bike) -> list[SheetOffer]:
    """Return the next sheet of the bike, or the next of each person on it; nothing if it can have no more.

    Args:
        bike: or one of its further sheets.
    """
    if _explain_no_sales(contest):
        return []
    taken = {sheet.sheet for sheet in list_sheets_of_bike(contest, bike)}
    people = read_riders([bike]).by_bike.get(bike.real_bike_id, ())
    offers: dict[int | None, SheetOffer] = {}
    for number in range(2, count_possible_sheets(contest, len(people)) + 1):
        holder = get_holder_index(contest, number)
        if number not in taken and holder not in offers:
            riders = format_riders(person.name for person in list_holders(contest, number, people))
            offers[holder] = SheetOffer(number, label_bike(bike.number, bike.suffix, number), riders)
    return list(offers.values())


def explain_refusal(contest: Contest, bike: Bike, number: int | None = None) -> str:
    """Return why a bike cannot have a sheet in a contest; "" if it can.

    Args:
        number: of the sheet; None for one beyond all that the bike has.
    """
    if why := _explain_no_sales(contest):
        return why
    most = count_possible_sheets(contest, Player.objects.filter(bike=bike.real_bike_id).count())
    if number is not None and 2 <= number <= most:
        return ""
    if contest.sheets_for == Contest.SheetsFor.RIDER:
        text = _("Bike %(bike)s can have at most %(most)s sheets, for the people on it.")
    else:
        text = _("Bike %(bike)s can have at most %(most)s sheets.")
    return text % {"bike": label_bike(bike.number, bike.suffix), "most": most}


def _explain_no_sales(contest: Contest) -> str:
    """Return why no bike can have another sheet in a contest; "" if bikes can."""
    if contest.game.one_sheet_clause:
        text = _("In %(contest)s, every bike has one scorecard (%(clause)s).")
        return text % {"contest": contest.name, "clause": contest.game.one_sheet_clause}
    if not sells_sheets(contest):
        text = _("In %(contest)s, every bike has one scorecard. The organiser can change that before the first turn.")
        return text % {"contest": contest.name}
    if not contest.slots.exists():
        text = _("The turns of %(contest)s are not assigned to stops yet. Do that first: it is fixed from then on.")
        return text % {"contest": contest.name}
    if contest.status != Contest.Status.OPEN:
        return _("%(contest)s is closed, so no further sheet can be sold.") % {"contest": contest.name}
    return ""


def list_stops_to_make_up(contest: Contest, bike: Bike, stop_id: UUID | None) -> Sequence[str]:
    """Return the stops where a bike has played already, and a new sheet of it would have no turns.

    Args:
        bike: or one of its further sheets.
        stop_id: where the bike is now: a new sheet plays there. None on the organiser's pages.
    """
    sheets = list_sheets_of_bike(contest, bike)
    slots = Turn.objects.filter(card__contest=contest, card__seats__bike__in=sheets, slot__isnull=False).values("slot")
    played = Slot.objects.filter(contest=contest, pk__in=slots).exclude(stop=stop_id).order_by("ordinal")
    return list(dict.fromkeys(played.values_list("stop__name", flat=True)))


def get_sheets_contest_name(contest: Contest) -> str:
    """Return the name of a contest where its event has several in which bikes can have several sheets; else ""."""
    selling = filter(sells_sheets, Contest.objects.filter(event=contest.event_id))
    return contest.name if len(list(selling)) > 1 else ""
