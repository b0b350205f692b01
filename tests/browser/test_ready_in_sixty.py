"""A stopwatch walk: from an empty installation to an open ride, as a secretary would go who has never seen the program.

Terms: an *interaction* is a click, a field filled in or a file chosen. The walk uses only what can be seen on the page;
the one address that is opened is that of the set-up link.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import xlsxwriter
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.measure import list_page_problems
from tests.browser.new_installation import NewInstallation
from tests.browser.running_server import RunningServer
from tests.programs import ROOT

MOST_INTERACTIONS = 60
GUIDES = (ROOT / "README.md", ROOT / "docs" / "hosting.md")  # they say how many it takes
DESK: ViewportSize = {"width": 1280, "height": 800}
PASSWORD = "gravel, dust and chrome"
GROUPS = ("Wing 1", "Wing 2", "Wing 3")
STOPS = (("Lookout", "09:30", "11:00"), ("Old mill", "11:00", "12:30"), ("Clubhouse", "13:00", "17:00"))
BIKES = ["number,rider,passenger,group", *(f"{n},Rider {n},Passenger {n},{GROUPS[n % 3]}" for n in range(1, 25))]
PEOPLE = [(n, f"First{n}", f"Rider{n}", f"First{n + 50}", f"Passenger{n}") for n in range(1, 25)]
CREW = [
    "group,name,role",
    *(f"{group},{role} of {group},{role}" for group in GROUPS for role in ("captain", "sweep", "third")),
]


@pytest.fixture(scope="module")
def server(new_installation: NewInstallation) -> RunningServer:
    """An installation on which nobody has an account."""
    return new_installation.restore()


class Secretary:
    """Somebody at a page, and how many interactions they have needed so far."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.interactions = 0
        self.problems: list[str] = []

    def open(self, link: str) -> None:
        """Open a link from outside the program."""
        self.interactions += 1
        self.page.goto(link)

    def await_heading(self, text: str) -> None:
        """Wait for the page with that heading; a page that htmx leads to comes later than one that the browser does."""
        expect(self.page.get_by_role("heading", name=text, level=1)).to_be_visible()

    def press(self, name: str) -> None:
        """Press the one button of that name."""
        self._touch(self.page.get_by_role("button", name=name, exact=True)).click()

    def follow(self, name: str) -> None:
        """Follow the one link of that name."""
        self._touch(self.page.get_by_role("link", name=name, exact=True)).click()

    def fill(self, label: str, text: str) -> None:
        """Fill in a field."""
        self._touch(self.page.get_by_label(label, exact=True)).fill(text)

    def choose(self, label: str, file: Path) -> None:
        """Choose a file."""
        self._touch(self.page.get_by_label(label)).set_input_files(file)

    def look(self, name: str) -> None:
        """Collect what is wrong with the page."""
        self.problems.extend(f"{name}: {problem}" for problem in list_page_problems(self.page))

    def _touch(self, control: Locator) -> Locator:
        expect(control).to_be_visible()
        self.interactions += 1
        return control


def write_csv(folder: Path) -> Path:
    """Write the bikes as a tidy file."""
    file = folder / "bikes.csv"
    file.write_text("\n".join(BIKES), encoding="utf-8")
    return file


def write_workbook(folder: Path) -> Path:
    """Write the bikes as clubs have them: behind instructions, below titles, with merged groups and a total."""
    file = folder / "bikes.xlsx"
    with xlsxwriter.Workbook(file) as book:
        book.add_worksheet("Read me").write_column(0, 0, [f"Step {step}" for step in range(1, 90)])
        sheet = book.add_worksheet("Entries")
        sheet.merge_range("A1:G1", "Prairie Riders MC - Dice Ride 2030")
        sheet.write_row("A3", ["EntrantID", "RiderFirst", "RiderLast", "PillionFirst", "PillionLast", "Team", "Phone"])
        for row, (number, *names) in enumerate(PEOPLE, 3):
            sheet.write_row(row, 0, [f"#{number}", *names])
            sheet.write(row, 6, "00000")
        for place, group in enumerate(GROUPS):
            sheet.merge_range(3 + 8 * place, 5, 10 + 8 * place, 5, group)
        sheet.write_row(27, 0, ["Total: 24"])
    return file


@pytest.mark.parametrize("write", [write_csv, write_workbook])
def test_from_nothing_to_an_open_ride_in_sixty_interactions(
    new_installation: NewInstallation,
    new_context: Callable[..., BrowserContext],
    tmp_path: Path,
    write: Callable[[Path], Path],
) -> None:
    new_installation.restore()
    bikes, crew = write(tmp_path), tmp_path / "crew.csv"
    crew.write_text("\n".join(CREW), encoding="utf-8")
    page = new_context(viewport=DESK).new_page()
    secretary = Secretary(page)

    secretary.open(new_installation.setup_link)
    secretary.look("account")
    secretary.fill("Name", "Petra")
    secretary.fill("Password", PASSWORD)
    secretary.fill("Password again", PASSWORD)
    secretary.press("Create my account")

    secretary.look("new event")
    secretary.fill("Name", "Rock the Roll")
    secretary.fill("Date", "2030-06-15")
    secretary.press("Create the event")

    secretary.look("draft")
    secretary.follow("Add the stops")
    secretary.look("no stops")
    for name, opens_at, closes_at in STOPS:
        secretary.fill("Name", name)
        secretary.fill("Opens at (optional)", opens_at)
        secretary.fill("Closes at (optional)", closes_at)
        secretary.press("Add the stop")
        expect(page.get_by_text(f"{opens_at} to {closes_at}")).to_be_visible()
    secretary.look("stops")

    secretary.follow("Add a contest")
    secretary.look("no contests")
    secretary.follow("Add a contest")
    secretary.look("games")
    secretary.follow("Choose R.O.C.K. Yahtzee")
    secretary.look("contest")
    secretary.press("Add the contest")
    secretary.await_heading("Turns at the stops")
    secretary.look("turns")
    secretary.press("Save the turns")
    secretary.await_heading("Contests")
    secretary.look("contests")

    secretary.follow("Add the groups")
    secretary.look("no groups")
    secretary.follow("Import bikes and riders")
    secretary.look("bikes file")
    secretary.choose("File", bikes)
    secretary.press("Check the import")
    secretary.look("bikes preview")
    secretary.press("Import")
    expect(page.get_by_text("24 bikes added")).to_be_visible()
    secretary.look("bikes")

    secretary.follow("Add the crew")
    secretary.look("groups")
    secretary.follow("Import crew")
    secretary.look("crew file")
    secretary.choose("File", crew)
    secretary.press("Check the import")
    secretary.look("crew preview")
    secretary.press("Import")
    expect(page.get_by_text("9 crew members added")).to_be_visible()
    secretary.look("crew")

    secretary.follow("Print the crew’s links")
    secretary.look("crew sheet")
    secretary.press("Print links for all who have no phone yet")
    expect(page.locator(".crew-card__link")).to_have_count(9)
    for place in page.locator(".crew-card .qr svg").all():
        expect(place).to_be_visible()
    secretary.look("printed sheet")

    secretary.follow("Open the event")
    secretary.look("before opening")
    secretary.press("Open the event")
    expect(page.get_by_text("Rock the Roll is open.")).to_be_visible()
    secretary.look("open")

    sys.stdout.write(f"From nothing to an open ride: {secretary.interactions} interactions\n")
    assert "\n".join(secretary.problems) == ""
    assert secretary.interactions <= MOST_INTERACTIONS
    for guide in GUIDES:
        assert f"{secretary.interactions} clicks and entries" in " ".join(guide.read_text(encoding="utf-8").split())
