"""No form changes something stored without having been merged: the pages of all routes, and the code of all views."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.test import Client

from scorekeeper.common.concurrent_edits import BASE
from scorekeeper.common.rights_check import list_routes
from scorekeeper.rights import CREW, ORGANISER, ROAD_CAPTAIN, ROUTES, SEASON_ORGANISER, SIGNED_IN
from tests.programs import ROOT
from tests.scorekeeper.edits.edit_pages import list_edit_pages
from tests.scorekeeper.page_forms import list_filled_fields
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

# Pages with a form that is filled in although it changes no stored values, and why.
NEW, OPERATION = "it adds something", "it records an operation, and the log says what that is about"
NOT_EDITS: Mapping[str, str] = {
    "events:account": "it revokes the tokens that it lists, and keeps only those that were unticked",
    **dict.fromkeys(("events:access_tokens", "events:create", "events:create_contest"), NEW),
    **dict.fromkeys(("crew:new_member", "crew:messages", "prizes:list", "webhooks:list", "desk:copy"), NEW),
    **dict.fromkeys(("seasons:create", "seasons:overview"), NEW),
    **dict.fromkeys(("scorecards:correct", "scorecards:move", "scorecards:desk_note"), OPERATION),
    **dict.fromkeys(("scorecards:desk_correct", "scorecards:desk_move", "desk:merge", "desk:close"), OPERATION),
    # They send what was ticked when they were shown, and change only what differs from that.
    **dict.fromkeys(("desk:class_members", "desk:bike_classes"), "it says what it had, and what somebody ticked stays"),
}
# Forms that views make from what was sent and an object or initial values, and why those are nothing stored.
DELETED = "what was sent about a row that was deleted"
NEW_ROWS: Mapping[tuple[str, str], str] = {
    ("crew/views/groups.py", "GroupForm"): NEW,
    ("crew/views/members.py", "MemberForm"): NEW,
    ("crew/views/messages.py", "MessageForm"): NEW,
    ("standings/views/finish.py", "ReasonForm"): OPERATION,
    ("events/views/contests.py", "ContestForm"): NEW,
    ("events/views/events.py", "EventForm"): NEW,
    ("live/views/paired_screens.py", "ScreenForm"): DELETED,
    ("scorecards/views/non_starters.py", "DidNotStartForm"): OPERATION,
    ("scorecards/views/walk_ups.py", "WalkUpForm"): OPERATION,
}


@pytest.mark.django_db
class TestPages:
    @pytest.fixture
    def ride(self) -> SmallRide:
        return make_small_ride("Quokka")

    def list_pages(self, ride: SmallRide) -> Iterator[tuple[str, str]]:
        """Yield the HTML of every page whose route also takes forms."""
        clients: Mapping[Any, Client] = {
            **dict.fromkeys((ORGANISER, SEASON_ORGANISER, SIGNED_IN), ride.get_desk()),
            **dict.fromkeys((CREW, ROAD_CAPTAIN), ride.get_phone(ride.captain)),
        }
        for route in list_routes():
            role = ROUTES[route].get("GET")
            if role in clients and "POST" in ROUTES[route]:
                response: Any = clients[role].get(ride.get_url(route), ride.form_data)
                if response.status_code == 200 and response.headers["Content-Type"].startswith("text/html"):
                    yield route, response.content.decode()

    def test_every_form_that_is_filled_in_carries_what_it_showed(self, ride: SmallRide) -> None:
        edits = {page.route: page for page in list_edit_pages(ride)}
        pages = dict(self.list_pages(ride)) | {
            page.route: ride.get_desk().get(page.address).content.decode() for page in edits.values()
        }
        forms = {route: list_filled_fields(html) for route, html in pages.items()}
        with_base = {route for route, found in forms.items() if any(BASE in fields for fields, _filled in found)}
        without = {
            route: sorted(filled)
            for route, found in forms.items()
            for fields, filled in found
            if filled and BASE not in fields and "csrfmiddlewaretoken" in fields
        }

        assert with_base == edits.keys(), "what carries it is changed by two people at once in figure 37"
        assert without.keys() == NOT_EDITS.keys(), without


def list_bound_forms() -> Iterator[tuple[str, str]]:
    """Yield the module and the form of every call in a view with what was sent and with a row or initial values."""
    apps = ROOT / "scorekeeper"
    for path in sorted([*apps.glob("*/views/*.py"), *apps.glob("*/views.py")]):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args or "POST" not in ast.unparse(node.args[0]):
                continue
            if {"instance", "initial"} & {keyword.arg for keyword in node.keywords}:
                yield str(path.relative_to(apps)), ast.unparse(node.func)


def test_every_view_merges_a_form_about_a_row() -> None:
    assert dict.fromkeys(list_bound_forms()).keys() == NEW_ROWS.keys(), "use scorekeeper.common.concurrent_edits.Edit"
