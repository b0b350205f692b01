"""Every kind of document, with names that are hard to print: what every page says, and the pages as pictures."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageOps
from pytest_django import Settings

from scorekeeper.bikes.codes import make_code
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.prints.print_kinds import list_contest_kinds, list_event_kinds
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.log_head import get_current_head
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Stop
from tests.faults.scale import FULL
from tests.programs import ROOT
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.prints.conftest import get_pages
from tests.scorekeeper.table_fixtures import make_contest
from tests.services import find_node, get_program

pytestmark = pytest.mark.django_db

NAMES = {
    "Ann": "Wilhelmina Featherstonehaugh-Cholmondeley of Saskatchewan III",  # 61 letters
    "Ben": "محمد بن عبد الله آل مكتوم",
    "Cleo": "Zoë 🏍🔥 דוד כהן",
    "Dan": "W" * 60,
}
LONGEST = "Münchner Motorradwürfelrundfahrtsgemeinschaftsausflug רכיבה 🏍"  # 61 characters
DPI, SCAN_DPI = 60, 150
MARGIN = 4  # millimetres of every edge where printers do not print
READER = ROOT / "static" / "js" / "phone" / "code_reader.js"
TABLE_GAMES = ("drag-rage", "go-500", "grand-prix", "rogue")

# What pages say and whether codes can be scanned. A short run measures the margins of every document on one of the two,
# by turns.
PAPERS = ("a4", "letter")
TESTED_PAPERS = PAPERS if FULL else ("letter",)

Documents = list[tuple[str, Any]]


@pytest.fixture
def hard_names(ride: Ride, tied_bikes: None) -> None:
    """Bikes 1 to 4 have rolled, and their riders have names that are hard to print; so have the event and its parts."""
    for model in (Event, Contest, Group, Stop):
        for number, one in enumerate(model._default_manager.all()):
            model._default_manager.filter(pk=one.pk).update(name=f"{LONGEST} {number}")
    for before, after in NAMES.items():
        Player.objects.filter(name=before).update(name=after)
    refresh_standings(ride.contest.pk)


@pytest.fixture
def documents(ride: Ride, hard_names: None, organiser: Client) -> Callable[..., Documents]:
    """Return every document of the event on these kinds of paper by turns: its name, and the response with the file."""

    def make(*papers: str) -> Documents:
        found: Documents = []
        by_turns = cycle(papers)
        for kind in list_event_kinds():
            url = reverse("prints:event_file", args=[ride.event.slug, kind.key])
            found.append((kind.key, organiser.get(url, {"paper": next(by_turns)})))
        for contest in ride.event.contests.select_related("event"):
            for kind in list_contest_kinds(contest):
                url = reverse("prints:contest_file", args=[ride.event.slug, contest.slug, kind.key])
                found.append((f"{contest.game_key} {kind.key}", organiser.get(url, {"paper": next(by_turns)})))
        url = reverse("prints:crew_links", args=[ride.event.slug])
        data = {"who": "everyone", "sheet": str(uuid4()), "paper": next(by_turns)}
        found.append(("crew links", organiser.post(url, data)))
        return found

    for number, game in enumerate(TABLE_GAMES, 2):
        make_contest(ride.event, game, game, number)
    return make


@pytest.mark.parametrize("paper", TESTED_PAPERS)
@pytest.mark.slow
def test_every_page_says_what_it_is_when_it_was_made_and_from_which_log(
    ride: Ride, documents: Callable[..., Documents], paper: str
) -> None:
    kinds = set()
    for kind, response in documents(paper):
        head = get_current_head(ride.event.pk)[:12]
        for page in get_pages(response):
            assert "Unofficial" in page, kind
            assert re.search(r"Made \d+ \w+ 20\d\d, \d\d:\d\d", page), kind
            assert f"Log {head}" in page, kind
            assert re.search(r"Page \d+ of \d+", page), kind
        kinds.add(kind)
    assert {f"rock-yahtzee {kind}" for kind in ("standings", "scorecards", "certificates", "blank-cards")} <= kinds
    assert {
        "stop-sheets",
        "crew links",
        "rogue table-chart",
        "grand-prix table-sheet",
        "drag-rage table-strip",
    } <= kinds
    assert {f"go-500 table-{name}" for name in ("course", "dice", "stickers")} <= kinds
    assert {f"{game} table-rules" for game in TABLE_GAMES} <= kinds


@pytest.mark.slow
def test_every_page_of_an_official_result_says_its_revision(
    ride: Ride, hard_names: None, desk: Actor, close: Any, cut: Any, client: Client, organiser: Client
) -> None:
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")

    head = Revision.objects.get().event_head[:12]
    for kind in ("standings", "scorecards", "certificates"):
        for route, caller in (("public_file", client), ("contest_file", organiser)):
            url = reverse(f"prints:{route}", args=[ride.event.slug, ride.contest.slug, kind])
            for page in get_pages(caller.get(url)):
                assert "Official, revision 1" in page, (kind, route)
                assert f"Log {head}" in page, (kind, route)


def draw_pages(content: bytes, folder: Path, dpi: int = DPI) -> Iterator[Image.Image]:
    """Yield the pages of a file, drawn by another program than the one that made it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "a.pdf").write_bytes(content)
    command = [get_program("pdftoppm"), "-r", str(dpi), "-gray", str(folder / "a.pdf"), str(folder / "page")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == "", "the file is damaged"
    for path in sorted(folder.glob("page*.pgm")):
        with Image.open(path) as page:
            page.load()
        yield page


def find_ink(picture: Image.Image) -> tuple[int, int, int, int]:
    """Return the edges of everything that is darker than a hint of grey."""
    box = ImageOps.invert(picture).point(lambda value: 255 * (value > 40)).getbbox()
    assert box is not None, "the picture is empty"
    return box


@pytest.mark.poppler
@pytest.mark.parametrize("papers", [["a4"], ["letter"]] if FULL else [PAPERS], ids="-".join)
@pytest.mark.slow
def test_every_page_is_drawn_within_its_margins(
    documents: Callable[..., Documents], tmp_path: Path, papers: Sequence[str]
) -> None:
    edge = round(MARGIN / 25.4 * DPI)
    for kind, response in documents(*papers):
        pages = list(draw_pages(response.content, tmp_path / "pages"))
        assert pages, kind
        for page in pages:
            left, top, right, bottom = find_ink(page)
            assert right - left > page.width / 2, f"{kind}: a page is almost empty"
            assert bottom - top > page.height / 2, f"{kind}: a page is almost empty"
            assert min(left, top, page.width - right, page.height - bottom) >= edge, f"{kind}: cut off at an edge"


@pytest.mark.poppler
def test_a_long_name_pushes_nothing_off_its_certificate(
    ride: Ride, hard_names: None, organiser: Client, tmp_path: Path
) -> None:
    """The names are in the middle of the page, with room on both sides."""
    url = reverse("prints:contest_file", args=[ride.event.slug, ride.contest.slug, "certificates"])
    for number in range(1, 5):
        content = organiser.get(url, {"of": str(ride.bikes[number].pk)}).content
        (page,) = draw_pages(content, tmp_path / "pages")
        middle = page.crop((0, page.height // 4, page.width, page.height * 3 // 4))
        left, _top, right, _bottom = find_ink(middle)
        assert min(left, page.width - right) >= round(8 / 25.4 * DPI), number


SCAN = """
import { readFileSync } from "node:fs";
const { makeByteDecoder } = await import(process.argv[1]);
const decode = await makeByteDecoder();
const [width, height] = process.argv.slice(2).map(Number);
const pictures = readFileSync(0);
const size = width * height * 4;
for (let start = 0; start < pictures.length; start += size) {
    const data = Uint8ClampedArray.from(pictures.subarray(start, start + size));
    const found = decode({ data, width, height });
    console.log(found ? new TextDecoder().decode(found) : "nothing");
}
"""


def scan(pictures: Sequence[Image.Image]) -> list[str]:
    """Return what the codes in pictures of one size say to the library with which phones scan."""
    node = find_node()
    assert node is not None
    ((width, height),) = {picture.size for picture in pictures}
    command = [str(node.program), "--input-type=module", "--eval", SCAN, str(READER), str(width), str(height)]
    pixels = b"".join(picture.convert("RGBA").tobytes() for picture in pictures)
    done = subprocess.run(command, input=pixels, env=node.environment, capture_output=True, check=True)
    return done.stdout.decode().split()


@pytest.mark.poppler
@pytest.mark.node
@pytest.mark.parametrize("paper", TESTED_PAPERS)
def test_the_code_on_a_blank_scorecard_can_be_scanned(
    ride: Ride, organiser: Client, settings: Settings, tmp_path: Path, paper: str
) -> None:
    url = reverse("prints:contest_file", args=[ride.event.slug, ride.contest.slug, "blank-cards"])
    content = organiser.get(url, {"paper": paper}).content
    pages = list(draw_pages(content, tmp_path / "pages", SCAN_DPI))

    assert len(pages) == len(ride.bikes)
    corners = [page.crop((page.width // 2, 0, page.width, page.height // 3)) for page in pages]
    assert scan(corners) == [
        settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.pk)]) for bike in ride.bikes.values()
    ]
