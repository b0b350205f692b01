"""The ride of a crew member's device: where its group is and what is next, and the score sheets it records on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.api.authentication import DeviceCookieAuthentication, refuse_as_json
from scorekeeper.api.pagination import paginate_list
from scorekeeper.api.problems import refuse_value
from scorekeeper.api.query_parameters import SheetParameters
from scorekeeper.api.ride_progress import read_ride_progress
from scorekeeper.api.serializers.ride import RideProgressSerializer, SheetSerializer
from scorekeeper.api.views.read_view import ReadView
from scorekeeper.common.access_control import refuse_with
from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops
from scorekeeper.scorecards.selectors.sheets import ScoreSheet, list_sheets


class _RideReadView(ReadView):
    """Reads something of the ride that the device belongs to. Our own phones send its cookie, other apps its token."""

    authentication_classes: Any = (DeviceCookieAuthentication,)
    tag = "Ride"

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. Refusals are as for phones."""
        return refuse_with(refuse_as_json)(super().as_view(**initkwargs))

    @property
    def member(self) -> CrewMember:
        """The device's crew member, with the group and the event."""
        device = self.request.auth
        assert isinstance(device, Device), "the guard has checked the device"
        return device.member


class RideProgressView(_RideReadView):
    """Read the ride of the device: whose it is, how far its group is in each contest, and which sheet is next.

    These are the contests whose turns are recorded at the stops. A contest at tables has scorecards instead
    (“scorecards”), on which every device of the crew records.
    """

    route = "ride_progress"
    serializer_class = RideProgressSerializer

    def get_data(self) -> Any:
        return self.serialize(read_ride_progress(self.member))


class SheetsView(_RideReadView):
    """List the score sheets that the device’s crew member records on, by contest and number.

    They are those of the bikes in the member’s group and of bikes without a group; for a member who records any bike at
    some stop, those of all bikes. Each says what is recorded in each of its turns, and which turn is next. What can be
    recorded there, action by action, is on its scorecard: /api/v1/ride/scorecards/{card}.
    """

    route = "sheets"
    serializer_class = SheetSerializer
    query_class = SheetParameters
    is_list = True

    def get_data(self) -> Any:
        sheets = list_sheets(self.member, self._list_contests(), self.query.get("group"))
        page, cursor = paginate_list(list(filter(self._is_wanted, sheets)), lambda sheet: sheet.sort_key, self.query)
        return self.make_page(page, cursor)

    def _list_contests(self) -> Sequence[Contest]:
        contests = list_contests_at_stops(self.member.group.event)
        if "contest" not in self.query:
            return contests
        found = [contest for contest in contests if contest.slug == self.query["contest"]]
        if not found:
            text = _("This event has no such contest with turns at the stops.")
            raise refuse_value("contest", "contest_not_found", text)
        return found

    def _is_wanted(self, sheet: ScoreSheet) -> bool:
        return self.query.get("bike") in (None, sheet.bike.pk) and self.query.get("state") in (None, sheet.state)
