"""The tabs above an event's organiser pages."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User

from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import get_page_text


@pytest.mark.parametrize(
    ("page", "tab"),
    [
        ("stops/", "Stops"),
        ("groups/", "Groups and crew"),
        ("bikes/", "Bikes and riders"),
        ("bikes/import/", "Bikes and riders"),
        ("contests/", "Contests"),
        ("contests/new/rock-yahtzee/", "Contests"),
        ("settings/", "Settings"),
        ("organisers/", "Settings"),
    ],
)
def test_every_page_marks_its_tab(event: Event, alice: User, sign_in: SignIn, page: str, tab: str) -> None:
    text = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/{page}"))

    links = re.findall(r'<a href="([^"]+)"([^>]*)>\s*([^<]+?)\s*</a>', text.split('class="tabs"')[1].split("</nav>")[0])
    assert [label for _href, _current, label in links] == [
        "Overview",
        "Live",
        "Stops",
        "Groups and crew",
        "Bikes and riders",
        "Contests",
        "Settings",
    ]
    assert [label for _href, current, label in links if 'aria-current="page"' in current] == [tab]
    assert links[0][0] == f"/desk/events/{event.slug}/"
