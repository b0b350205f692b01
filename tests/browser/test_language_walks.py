"""A ride in German, French and Spanish, from the form that creates it to the announcement of the winner.

After every step the page is read, with what its scripts have put there: nothing English is left outside what somebody
typed. `tests/scorekeeper/rights/test_languages_of_forms.py` reads the answers to all other forms.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import crew, tables
from tests.browser.measure import DESK
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.browser.table_game import create_tables_over_http
from tests.browser.test_microphone import PAUSE
from tests.demo_data import DATABASE, DemoRide
from tests.scorekeeper.rights.test_languages import Texts, list_english, read_translated
from tools.translations import get_path, make_templates, read_catalogue

LANGUAGES = [code for code, _name in settings.LANGUAGES[1:]]
PASSWORD = "forty miles of gravel"
ROSTER = """\
number;rider;group
12;Ann Miller;Group one
17;Ben Novak;Group one
21;Cleo Hart;Group one
"""
BAD_ROWS = "number;rider;group\n30;Dan West;Group one\nthirty;Eve Oss;Group one\n"


class Reader:
    """Reads pages in a language, and remembers what is English there."""

    def __init__(self, server: RunningServer, language: str) -> None:
        self.language = language
        self.found: dict[str, str] = {}
        self._database = server.data / DATABASE
        self._translated = read_translated(language)
        self._meanings: dict[str, set[str]] = {}
        for folder in make_templates():
            for message in read_catalogue(get_path(folder, language)):
                if isinstance(message.id, str):
                    self._meanings.setdefault(message.id, set()).add(str(message.string))

    def say(self, text: str) -> re.Pattern[str]:
        """Return what finds a text of the program on a page in this language, whichever of its meanings it has."""
        forms = "|".join(re.escape(meaning).replace("'", ".") for meaning in self._meanings[text])
        return re.compile(rf"^\s*(?:{forms})\s*$")

    def look(self, page: Page) -> None:
        """Read what the page shows now."""
        expect(page.locator("html")).to_have_attribute("lang", self.language)
        suspects = list_english(Texts(page.content()).found, [], self._translated)
        for text in list_english([*suspects], self._list_data(), self._translated) if suspects else ():
            self.found.setdefault(text, re.sub(r"[-0-9a-f]{36}", "…", page.url))

    def _list_data(self) -> list[str]:
        """Return everything that somebody typed, or that names something in the data, the longest first."""
        found: set[str] = {PASSWORD, *re.findall(r"[^;\n]+", BAD_ROWS)}
        with closing(sqlite3.connect(self._database, timeout=20)) as database:
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            for name in names:
                for row in database.execute(f'SELECT * FROM "{name}"'):
                    found |= {value for value in row if isinstance(value, str) and len(value) > 2}
        return sorted(found, key=len, reverse=True)


@pytest.fixture(params=LANGUAGES)
def reader(request: pytest.FixtureRequest, server: RunningServer) -> Iterator[Reader]:
    """Reads in each of the languages; fails at the end if anything was English."""
    reading = Reader(server, request.param)
    yield reading
    assert not reading.found, "\n".join(f"{text}: {url}" for text, url in sorted(reading.found.items()))


def press(reader: Reader, page: Page, name: str) -> None:
    """Press a button of the page by its English name, and read the page that follows."""
    page.locator("#main, dialog").get_by_role("button", name=reader.say(name)).first.click()
    page.wait_for_load_state()
    reader.look(page)


def open_page(reader: Reader, page: Page, address: str) -> None:
    page.goto(address)
    reader.look(page)


def expect_refused(page: Page) -> None:
    expect(page.locator(".error-summary")).to_be_visible()


def test_a_ride_from_its_first_form_to_its_winner(
    reader: Reader, server: RunningServer, new_context: Callable[..., BrowserContext]
) -> None:
    name = f"alice-{reader.language}"
    server.add_organiser(name, PASSWORD)
    options = {"locale": reader.language, "timezone_id": "Europe/Berlin"}
    alice = new_context(viewport=DESK, **options).new_page()
    home = sign_in_and_create(reader, alice, name)
    client = Organiser.sign_in(server.url, name, PASSWORD)
    ride = DemoRide(home, "")
    organiser = Organiser(client, ride)
    organiser.set_up("rock-yahtzee", ("Mill", "Finale"), ROSTER)
    organiser.open("contests/new/rogue/")
    organiser.submit("Add the contest", name="Campfire", seats_are="players")
    create_tables_over_http(client, ride, "Campfire", "Ann Miller", "Ben Novak")
    import_roster(reader, alice, home)

    rita = new_context(has_touch=True, **options).new_page()
    join(reader, rita, organiser.make_link("Rita"))
    record_at_the_mill(reader, rita)
    correct_and_void(reader, rita)
    play_at_a_table(reader, rita)
    board = new_context(viewport=DESK, **options).new_page()
    read_the_board(reader, board, ride)

    give_prizes(reader, alice, home)
    close_and_publish(reader, alice, home)
    announce(reader, alice, new_context(viewport=DESK, **options).new_page(), ride)
    read_the_board(reader, board, ride)
    read_prints(reader, alice, home)


def sign_in_and_create(reader: Reader, alice: Page, name: str) -> str:
    """Sign in, with a wrong password first, and create an event; return the path of its desk."""
    open_page(reader, alice, "/sign-in/")
    for password in ("wrong", PASSWORD):
        alice.locator("input[name=username]").fill(name)
        alice.locator("input[name=password]").fill(password)
        press(reader, alice, "Sign in")
    expect(alice).to_have_url("/desk/")
    open_page(reader, alice, "/desk/events/new/")
    alice.locator("input[name=name]").fill("")
    alice.locator("form[novalidate] input[name=date], input[name=date]").first.fill("2036-06-20")
    alice.locator("form").evaluate_all("forms => forms.forEach((form) => { form.noValidate = true; })")
    press(reader, alice, "Create the event")
    expect_refused(alice)
    alice.locator("input[name=name]").fill(f"Zwei Halte {reader.language}")
    press(reader, alice, "Create the event")
    return re.sub(r"^https?://[^/]+(/desk/events/[^/]+/).*$", r"\1", alice.url)


def import_roster(reader: Reader, alice: Page, home: str) -> None:
    """Check an import with a bad row, and then import without it."""
    open_page(reader, alice, f"{home}bikes/import/")
    for text in (BAD_ROWS, BAD_ROWS.rpartition("thirty")[0]):
        alice.locator("textarea[name=text]").fill(text)
        send(reader, alice)
    send(reader, alice)


def join(reader: Reader, rita: Page, link: str) -> None:
    open_page(reader, rita, link)
    press(reader, rita, "This is my phone")
    expect(rita).to_have_url("/crew/ready/")


def open_bike(reader: Reader, rita: Page, stop: str, number: str) -> None:
    crew.show_bike(rita, stop, number)
    reader.look(rita)


def record(reader: Reader, rita: Page, dice: str, box: str) -> None:
    crew.tap_dice(rita, dice)
    reader.look(rita)
    rita.locator(f"button.box[value='score:{box}']").click()
    expect(rita.locator(".turn-result")).to_be_visible()
    reader.look(rita)


def record_at_the_mill(reader: Reader, rita: Page) -> None:
    """Record turns, undo one, miss one, and be refused."""
    open_page(reader, rita, "/crew/")
    open_bike(reader, rita, "Mill", "12")
    record(reader, rita, "64515", "chance")
    press(reader, rita, "Undo")
    rita.locator("button.box[value='score:chance']").click()
    expect(rita.locator(".turn-result")).to_be_visible()
    open_bike(reader, rita, "Mill", "17")
    crew.tap_dice(rita, "22416")
    expect(rita.locator("button.box").first).to_be_visible()
    rita.locator(".dice-row input[type=hidden]").last.evaluate("one => one.remove()")
    rita.locator("button.box[value='score:chance']").click()
    expect_refused(rita)
    reader.look(rita)
    open_bike(reader, rita, "Mill", "17")
    rita.get_by_role("button", name=reader.say("Roll by roll")).click()
    crew.tap_dice(rita, "66642")
    reader.look(rita)
    rita.locator(".place--toggle").first.tap()
    reader.look(rita)
    open_bike(reader, rita, "Mill", "17")
    rita.get_by_role("button", name=reader.say("Final dice")).click()
    record(reader, rita, "66642", "full_house")
    open_bike(reader, rita, "Mill", "21")
    record(reader, rita, "66612", "chance")
    open_bike(reader, rita, "Finale", "17")
    record(reader, rita, "66612", "twos")
    open_page(reader, rita, "/crew/standing/")
    open_page(reader, rita, "/crew/walk-up/")
    send(reader, rita)
    expect_refused(rita)


def send(reader: Reader, page: Page) -> None:
    """Send the page's form with its main button, and read the page that follows."""
    page.locator("#main form button.button--primary").last.click()
    page.wait_for_load_state()
    reader.look(page)


def correct_and_void(reader: Reader, rita: Page) -> None:
    """Correct a turn, first without a reason, and void another."""
    open_bike(reader, rita, "Finale", "17")
    history = f"{rita.url.partition('?')[0]}history/{rita.url.partition(rita.url.partition('?')[0])[2]}"
    open_page(reader, rita, history)
    rita.locator("a[href*='/correct/?']").first.click()
    reader.look(rita)
    rita.locator(".place--change").last.click()
    crew.get_face_button(rita, 3).click()
    rita.locator("button.box:not([disabled])").last.click()
    reader.look(rita)
    send(reader, rita)
    expect_refused(rita)
    rita.locator(".reasons__choice").first.click()
    send(reader, rita)
    open_page(reader, rita, history)
    rita.locator("a[href*='/void/?']").first.click()
    reader.look(rita)
    rita.locator(".reasons__choice").last.click()
    send(reader, rita)
    open_page(reader, rita, history)


def play_at_a_table(reader: Reader, rita: Page) -> None:
    """Roll, set dice aside, undo and correct at a table of Rogue, and be refused."""
    open_page(reader, rita, "/crew/tables/")
    rita.locator("#main a.bike-row").first.click()
    tables.tap(rita, "roll:dice", "222345")
    reader.look(rita)
    press(reader, rita, "Record roll")
    expect(rita.locator("#last")).to_contain_text("2 2 2 3 4 5")
    rita.locator("button.box").first.click()
    expect(rita.locator("#last")).not_to_contain_text("2 2 2 3 4 5")
    reader.look(rita)
    press(reader, rita, "Undo")
    rita.locator("#last a").click()
    reader.look(rita)
    rita.locator("a[href*='/correct/?']").first.click()
    reader.look(rita)
    send(reader, rita)


def read_the_board(reader: Reader, board: Page, ride: DemoRide) -> None:
    """Read the event, its leaderboards, a bike and the files for spreadsheets, as anybody."""
    event = f"/events/{ride.slug}/"
    for address in (event, f"{event}rock-yahtzee/", f"{event}campfire/"):
        open_page(reader, board, address)
    open_page(reader, board, f"{event}rock-yahtzee/")
    board.locator("tbody th a").first.click()
    reader.look(board)
    board.locator("#main a[href$='/wrong/']").first.click()
    reader.look(board)
    send(reader, board)


def give_prizes(reader: Reader, alice: Page, home: str) -> None:
    """Add prizes: one is refused, one is for a place, and one the organisers decide."""
    open_page(reader, alice, f"{home}prizes/")
    send(reader, alice)
    expect_refused(alice)


def close_and_publish(reader: Reader, alice: Page, home: str) -> None:
    """Close the contest with turns missing, cut cards for the tied, refused at first, publish, and reopen."""
    finish = f"{home}finish/rock-yahtzee/"
    for address in (f"{home}live/", f"{home}review/", finish, f"{finish}close/"):
        open_page(reader, alice, address)
    send(reader, alice)
    open_page(reader, alice, f"{finish}ties/")
    for rank in ("Q", "7"):
        for number, value in enumerate(("Q", rank)):
            alice.locator("#main select[name*=rank]").nth(number).select_option(value)
            alice.locator("#main select[name*=suit]").nth(number).select_option(index=1)
        alice.locator("#main input[name*=witness]").fill("Wim Watcher")
        send(reader, alice)
    open_page(reader, alice, f"{finish}publish/")
    send(reader, alice)
    expect(alice.locator("#main a[href*=reopen]").first).to_be_visible()
    open_page(reader, alice, f"{finish}reopen/")
    send(reader, alice)
    expect_refused(alice)


def announce(reader: Reader, alice: Page, screen: Page, ride: DemoRide) -> None:
    """Start the reveal at the microphone, with a screen that follows, and go through all announcements."""
    open_page(reader, alice, f"{ride.desk}microphone/")
    press(reader, alice, "Start the reveal")
    screen.goto(f"/events/{ride.slug}/screen")
    for number in range(alice.locator("[data-item]").count()):
        reader.look(alice)
        step = alice.locator("[data-item]:visible").get_attribute("data-step") or ""
        expect(screen.locator("#screen")).to_have_attribute("data-step", step)
        reader.look(screen)
        if number < alice.locator("[data-item]").count() - 1:
            alice.wait_for_timeout(PAUSE)
            alice.get_by_role("button", name=reader.say("Next")).click()
    open_page(reader, alice, f"{ride.desk}screen/")


def read_prints(reader: Reader, alice: Page, home: str) -> None:
    """Read the pages of what can be printed, and of what can be downloaded."""
    for page in ("prints/", "prints/certificate/", "groups/sheet/", "bikes/codes/", "finish/rock-yahtzee/"):
        open_page(reader, alice, f"{home}{page}")
