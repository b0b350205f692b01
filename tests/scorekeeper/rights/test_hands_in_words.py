"""In a game whose totals are numbers of hands, people read the hand: no page, file or print has the bare number.

Every route is requested by everybody, while the contest is open and once it is official, as are all prints. The number
is left to programs: the API, JSON files, webhooks, and the columns of files that are called "as a number".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.print_kinds import KINDS
from scorekeeper.prints.print_source import PrintSource
from scorekeeper.prints.services import carry_out_job, start_job
from scorekeeper.prizes.models import Prize
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.seasons.models import SeasonRound
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.rights.every_response import FAR_BIKE, add_far_bike, read_everything
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_pages_embargo import get_desk_actor, refresh

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(600)]

AS_NUMBER = "as a number"


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """A poker run of two stops, open and coached: bike 1 has a pair of aces, the far bike a king."""
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka", game_key="poker-run")
    Contest.objects.filter(pk=ride.ids["yahtzee"]).update(options={"turns": 2}, odds_shown=Contest.OddsShown.COACH)
    add_far_bike(ride)
    draw(ride, Bike.objects.get(number=FAR_BIKE), "slot", "KD")
    draw(ride, Bike.objects.get(pk=ride.ids["bike"]), "free_slot", "AH")
    Prize.objects.create(
        event_id=ride.ids["event"], contest_id=ride.ids["yahtzee"], position=2, name="Quokka cup", rule="best_hand"
    )
    SeasonRound.objects.create(season_id=SeasonRound.objects.get().season_id, contest_id=ride.ids["yahtzee"])
    refresh(ride)
    return ride


def draw(ride: SmallRide, bike: Bike, slot: str, card: str) -> None:
    actions = [{"type": "draw", "cards": [card]}]
    turn = TurnInput(ride.ids["yahtzee"], bike.pk, ride.ids[slot], actions, reason="from the paper card")
    record_turn(get_desk_actor(ride), uuid4(), turn)


def list_numbers() -> re.Pattern[str]:
    """The numbers of all hands, also with separators of thousands, and of those that can still be reached."""
    rows = StandingsRow.objects.filter(contest__game_key="poker-run")
    numbers = {n for row in rows.values_list("total", "best_total", "worst_total") for n in row if n and n > 9999}
    assert len(numbers) > 1
    return re.compile(r"(?<!\d)(?:" + "|".join(f"{number:,}".replace(",", ".?") for number in numbers) + r")(?!\d)")


def read_rows(rows: list[list[str]]) -> str:
    """The cells of a table without the columns of numbers."""
    shown = [index for index, heading in enumerate(rows[0]) if AS_NUMBER not in heading] if rows else []
    return "\n".join(" ".join(row[index] for index in shown if index < len(row)) for row in rows)


def read_text(content_type: str, content: bytes) -> str:
    """What a person reads of a page or file; "" for what programs read."""
    if "pdf" in content_type:
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    if "sheet" in content_type:
        book = load_workbook(io.BytesIO(content))
        return "\n".join(
            read_rows(
                [["" if cell is None else str(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
            )
            for sheet in book
        )
    if "csv" in content_type:
        return read_rows(list(csv.reader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")))
    return content.decode() if "html" in content_type or "text/plain" in content_type else ""


def list_texts(ride: SmallRide) -> Iterator[tuple[str, str]]:
    """Yield every page and file with who reads it."""
    for route, who, response, content in read_everything(ride):
        if response.status_code == 200:
            yield f"{route}, {who}", read_text(response.headers.get("Content-Type", ""), content)


def list_prints(ride: SmallRide) -> Iterator[tuple[str, str]]:
    """Yield the text of each print of the contest, for the audience and for organisers."""
    event, contest = Event.objects.get(pk=ride.ids["event"]), Contest.objects.get(pk=ride.ids["yahtzee"])
    for key, kind in KINDS.items():
        source = PrintSource(event, contest, Paper.A4, is_public=False)
        job = start_job(kind, source)
        carry_out_job(job.pk)
        job.refresh_from_db()
        yield f"print {key}", "" if job.file is None else read_text("pdf", bytes(job.file.content))


def make_official(ride: SmallRide) -> None:
    close_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "the ride is over")
    refresh(ride)
    publish_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "bikes missed stops")
    refresh(ride)


@pytest.mark.parametrize("is_official", [False, True], ids=["open", "official"])
def test_every_page_file_and_print_has_the_hand_and_not_its_number(ride: SmallRide, is_official: bool) -> None:
    if is_official:
        make_official(ride)
    numbers, found, named = list_numbers(), [], set()
    for where, text in (*list_texts(ride), *(list_prints(ride) if is_official else ())):
        for number in numbers.finditer(text):
            found.append((where, text[max(0, number.start() - 60) : number.end() + 20]))
        if "Pair, A-A" in text:
            named.add(where.partition(",")[0])
        assert where != "print certificates" or "a total of" not in text, "a hand is no sum"
    assert found == []
    assert {"results:leaderboard", "results:bike", "results:export"} <= named, "the walk reads hands: it can fail"
