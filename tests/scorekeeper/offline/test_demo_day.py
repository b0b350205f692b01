"""The demo ride through its day: every page that the crew can reach by links equals the server's on the phone."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import resolve

from scorekeeper.crew.models import CrewMember
from scorekeeper.offline.precache import PRECACHED_PAGES
from tests.faults.scale import FULL, scaled
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tools.phone_engine.page_crawler import CrawledPage

pytestmark = [pytest.mark.node, pytest.mark.django_db]

BOTH = (CrewMember.Role.ROAD_CAPTAIN, CrewMember.Role.SUPERVISOR)
# The stops before the barbecue have no page that it lacks; `test_pages` has those of a new ride.
MOMENTS: list[tuple[str, str, Sequence[CrewMember.Role]]] = [
    ("bbq", "en-gb", BOTH[:1]),
    ("bbq", "de", BOTH[1:]),
    ("published", "fr", BOTH[1:]),
    ("published", "es", BOTH[:1]),
]
if FULL:
    stages = ("setup", "parks", "bbq", "published")
    MOMENTS = [(until, language, BOTH) for until in stages for language, _name in settings.LANGUAGES]
OF_EACH = scaled(6, 2)  # pages per route, of hundreds that look the same
# The phone has its own page for these.
NEEDS_SIGNAL = {"crew:sign_out", "crew:switch", "tables:deal"}


def walk(twin: OfflinePhone) -> Counter[str]:
    """Follow the links from the group's page, comparing each page; return how many of each route there were."""
    waiting, seen, compared = deque(["/crew/"]), {"/crew/"}, Counter[str]()
    while waiting:
        path = waiting.popleft()
        page = CrawledPage(twin.get(path).content.decode())
        for link in (urljoin(path, link) for link in page.links):
            if not urlsplit(link).path.startswith("/crew/") or link in seen:
                continue
            seen.add(link)
            name = resolve(urlsplit(link).path).view_name
            if name not in {*NEEDS_SIGNAL, *PRECACHED_PAGES} and compared[name] < OF_EACH:
                compared[name] += 1
                waiting.append(link.partition("#")[0])
    return compared


@pytest.mark.parametrize(("until", "language", "roles"), MOMENTS)
def test_pages_equal_the_servers_all_day_for_a_road_captain_and_a_supervisor(
    until: str, language: str, roles: Sequence[CrewMember.Role], make_offline_phone: MakeOfflinePhone
) -> None:
    call_command("demo", until=until, random_password=True, verbosity=0)
    for role in roles:
        member = CrewMember.objects.in_order().filter(role=role).select_related("group__event").first()
        assert member is not None

        compared = walk(make_offline_phone(member, language))

        assert {"scorecards:card", "scorecards:history", "scorecards:dice_set", "scorecards:walk_up"} <= set(compared)
        if until != "setup":
            assert {"scorecards:correct", "scorecards:void", "scorecards:move"} <= set(compared)
        if until in ("bbq", "published"):
            assert {"tables:table", "tables:history"} <= set(compared)
