"""Pages that exist only for a while: each test brings a ride to such a moment and measures its pages.

They are measured as in `test_every_page`, whose walk finds no link to them at any point of the demo.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from playwright.sync_api import Locator, Page, expect

from scorekeeper.rights import ROUTES
from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import list_page_problems
from tests.browser.print_jobs import add_print_job
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import FORMS_ONLY, MEASURED_BY, NO_PAGE, get_route
from tests.demo_data import DATABASE, NO_TABLES, DemoRide

HERE = Path(__file__).parent
# The demo is a practice event; a ride of its own kind can be copied, practised and signed up for.
MAKE_RIDE = "UPDATE events_event SET is_practice = 0, is_listed = 0 WHERE slug = ?"
FIND_CONTEST = """SELECT contest.id FROM events_contest AS contest JOIN events_event AS event
ON event.id = contest.event_id WHERE event.slug = ? AND contest.game_key = 'rock-yahtzee'"""
LATE = "98"  # the number of a bike without turns
LONG_ITEM = "Waiver signed by rider and passenger"


class Stage:
    """A ride, the browsers of those who take part in it, and what is wrong with the pages measured so far.

    Attributes:
        visitor: a phone of nobody in particular.
        published_contest: the id of a contest with a published result, once there is one.
        measured: the routes of the measured pages.
    """

    def __init__(self, server: RunningServer, ride: DemoRide, desk: Page, visitor: Page, new_phone: NewPhone) -> None:
        self.server = server
        self.ride = ride
        self.desk = desk
        self.visitor = visitor
        self.new_phone = new_phone
        self.published_contest = ""
        self.measured: set[str | None] = set()
        self.problems: list[str] = []

    def publish_a_ride(self, server: RunningServer) -> None:
        """Load a ride that is no practice and has a published result."""
        own = server.load_ride(f"published{NO_TABLES}")
        with closing(sqlite3.connect(server.data / DATABASE, timeout=10)) as database, database:
            assert database.execute(MAKE_RIDE, [own.slug]).rowcount == 1
            (contest_id,) = database.execute(FIND_CONTEST, [own.slug]).fetchone()
            self.published_contest = str(UUID(contest_id))

    def look(self, page: Page, name: str) -> None:
        """Measure the open page; the name says in which state it is."""
        route = get_route(urlsplit(page.url).path)
        self.measured.add(route)
        self.problems += [f"{route}, {name}: {problem}" for problem in list_page_problems(page)]


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride of its own, with turns at one stop, that is no practice."""
    own = server.load_ride("parks")
    with closing(sqlite3.connect(server.data / DATABASE, timeout=10)) as database, database:
        assert database.execute(MAKE_RIDE, [own.slug]).rowcount == 1
    return own


@pytest.fixture
def stage(server: RunningServer, ride: DemoRide, desk: Page, page: Page, new_phone: NewPhone) -> Stage:
    return Stage(server, ride, desk, page, new_phone)


def _copy_the_ride(stage: Stage) -> None:
    desk = stage.desk
    desk.goto(f"/desk/copy/?event={stage.ride.slug}")
    stage.look(desk, "form")
    desk.get_by_label("Name", exact=True).fill("")
    desk.get_by_role("button", name="Create the copy").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_label("Name", exact=True).fill("Rock the Roll of the Thunderbird Riders")
    desk.get_by_label("Copy the bikes").check()
    desk.get_by_role("button", name="Create the copy").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("is ready to change")
    stage.look(desk, "copied")


def _archive_an_event(stage: Stage) -> None:
    desk = stage.desk
    desk.goto(f"{stage.ride.desk}archive/")
    expect(desk.get_by_role("heading", level=1)).to_contain_text("cannot be archived yet")
    stage.look(desk, "refused")
    desk.goto("/desk/events/new/")
    desk.get_by_label("Name", exact=True).fill("Last year’s run")
    desk.get_by_role("button", name="Create the event").click()
    desk.get_by_role("link", name="Settings", exact=True).click()
    settings = desk.url
    desk.get_by_role("link", name="Archive the event").click()
    desk.get_by_role("button", name="Archive the event").click()
    expect(desk.get_by_text("Last year’s run is in the archive.")).to_be_visible()
    stage.look(desk, "with an archive")
    desk.goto(settings)
    expect(desk.get_by_role("button", name="Take out of the archive")).to_be_visible()
    stage.look(desk, "archived")
    desk.get_by_role("button", name="Take out of the archive").click()
    expect(desk.get_by_text("Last year’s run is no longer in the archive.")).to_be_visible()
    stage.look(desk, "taken out")


def _give_a_program_a_token(stage: Stage) -> None:
    desk = stage.desk
    desk.goto("/account/tokens/")
    desk.get_by_role("button", name="Create the token").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_label("What it is for").fill("The website of the Thunderbird Riders Motorcycle Club")
    desk.get_by_label("Your password").fill(stage.server.organiser[1])
    desk.get_by_role("button", name="Create the token").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("New access token")
    stage.look(desk, "created")
    desk.get_by_role("link", name="Access tokens").click()
    stage.look(desk, "with a token")
    desk.goto("/account/")
    stage.look(desk, "account with a token")
    desk.goto("/api/v1/")
    desk.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = one.id === 'scorecard'; })")
    stage.look(desk, "reference")
    desk.goto("/account/tokens/")
    desk.get_by_role("link", name="Revoke").click()
    stage.look(desk, "question")
    desk.get_by_role("button", name="Revoke the token").click()
    expect(desk.get_by_text("It no longer works.")).to_be_visible()
    stage.look(desk, "revoked")


def _add_a_webhook(stage: Stage) -> None:
    desk = stage.desk
    desk.goto(f"{stage.ride.desk}settings/")
    desk.get_by_role("link", name="Webhooks").click()
    stage.look(desk, "none")
    desk.get_by_role("button", name="Add the webhook").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    # Nothing has this name, so the test fails soon.
    desk.get_by_label("Address").fill("https://club.thunderbird-riders-motorcycle-club.invalid/hooks/tailgunner?club=1")
    desk.get_by_role("button", name="Add the webhook").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Secret of the webhook")
    stage.look(desk, "secret")
    desk.get_by_role("link", name="Continue").click()
    stage.look(desk, "no messages")
    desk.get_by_role("button", name="Send a test").click()
    expect(desk.get_by_text("A test is on its way")).to_be_visible()
    desk.get_by_text("What was sent").click()
    stage.look(desk, "a test")
    # The worker needs a moment to find out.
    for _ in range(50):
        if desk.get_by_text("Not delivered").is_visible():
            break
        desk.wait_for_timeout(200)
        desk.reload()
    expect(desk.get_by_text("Not delivered")).to_be_visible()
    stage.look(desk, "failed")
    desk.get_by_role("button", name="Pause").click()
    stage.look(desk, "paused")
    desk.get_by_role("link", name="Replace the secret").click()
    stage.look(desk, "question of the secret")
    desk.go_back()
    desk.get_by_role("link", name="Delete the webhook").click()
    stage.look(desk, "question")
    desk.get_by_role("button", name="Delete the webhook").click()
    expect(desk.get_by_text("gets no more messages")).to_be_visible()


def _practise(stage: Stage) -> None:
    desk, phone = stage.desk, stage.new_phone(stage.ride, "Dora")
    phone.goto("/crew/switch/")
    expect(phone.get_by_role("heading", name="No practice for you now")).to_be_visible()
    stage.look(phone, "no practice")
    desk.goto(stage.ride.desk)
    desk.get_by_role("button", name="Practise with the crew").click()
    expect(desk.get_by_role("heading", name="This is a practice")).to_be_visible()
    practice = urlsplit(desk.url).path
    _play(stage, practice)
    phone.reload()
    expect(phone.get_by_role("heading", name="Practise on this phone?")).to_be_visible()
    stage.look(phone, "ride")
    phone.get_by_role("button", name="Practise").click()
    expect(phone).to_have_url("/crew/ready/")
    stage.look(phone, "in practice")
    phone.goto("/crew/switch/")
    expect(phone.get_by_role("heading", name="Go back to the event?")).to_be_visible()
    stage.look(phone, "practice")
    desk.goto(f"{practice}practice/restart/")
    stage.look(desk, "question")
    desk.get_by_role("button", name="Start over").click()
    expect(desk.locator(".notice--success")).to_contain_text("The practice starts over")
    phone.goto("/crew/")
    expect(phone.get_by_role("heading", level=1)).to_have_text("This practice has ended")
    stage.look(phone, "practice has ended")
    phone.goto("/crew/switch/")
    phone.get_by_role("button", name="Back to the event").click()
    expect(phone).to_have_url("/crew/ready/")


def _play(stage: Stage, practice: str) -> None:
    """Play the practice up to a stop, and measure its controls before, refused, on the way and afterwards."""
    desk = stage.desk
    desk.goto(f"{practice}practice/play/")
    stage.look(desk, "not played")
    desk.get_by_role("button", name="Play", exact=True).click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_text("For technicians").click()
    desk.get_by_label("Seed").fill("thunder")
    desk.get_by_label("Play up to and including").select_option("Parks")
    desk.get_by_role("button", name="Play", exact=True).click()
    desk.goto(f"{practice}practice/progress/")
    stage.look(desk, "on the way or played")
    expect(desk.get_by_text("Played.")).to_be_visible(timeout=60_000)
    desk.reload()
    stage.look(desk, "played")
    desk.goto(practice)
    stage.look(desk, "overview, played")


def _sign_up(stage: Stage) -> None:
    desk, visitor, address = stage.desk, stage.visitor, f"/events/{stage.ride.slug}/sign-up/"
    visitor.goto(address)
    stage.look(visitor, "closed")
    desk.goto(f"{stage.ride.desk}sign-ups/")
    stage.look(desk, "none, and off")
    desk.goto(f"{stage.ride.desk}settings/")
    desk.get_by_role("checkbox", name=re.compile("sign up|sign-up", re.IGNORECASE)).check()
    desk.get_by_role("button", name="Save the settings").click()
    expect(desk.get_by_label("Link to sign up")).to_be_visible()
    stage.look(desk, "sign-up is on")
    for rider in ("Wilhelmina Featherstonehaugh", "Ray"):
        visitor.goto(address)
        stage.look(visitor, "form")
        visitor.get_by_label("Number you would like").fill("many")
        visitor.get_by_role("button", name="Send the sign-up").click()
        expect(visitor.get_by_role("alert")).to_be_focused()
        stage.look(visitor, "refused")
        visitor.get_by_label("Your name").fill(rider)
        visitor.get_by_label("Passenger").fill("Bartholomew")
        visitor.get_by_label("Make").fill("Harley-Davidson")
        visitor.get_by_label("Number you would like").fill("12")
        visitor.get_by_label("Email or phone").fill("w.featherstone@example.org")
        visitor.get_by_role("button", name="Send the sign-up").click()
        expect(visitor).to_have_url(re.compile(r"\?sent$"))
        stage.look(visitor, "sent")
    desk.goto(stage.ride.desk)
    stage.look(desk, "overview, with sign-ups")
    desk.goto(f"{stage.ride.desk}sign-ups/")
    expect(desk.get_by_text("which is taken").first).to_be_visible()
    stage.look(desk, "waiting")
    first = desk.get_by_role("region", name="Wilhelmina")
    first.get_by_label("Number").fill("12")
    first.get_by_role("button", name="Approve").click()
    expect(desk.get_by_role("alert")).to_contain_text("Number 12 is taken.")
    stage.look(desk, "refused")
    first.get_by_role("button", name="Approve").click()
    desk.get_by_role("button", name="Decline").click()
    expect(desk.get_by_text("Ray: declined")).to_be_visible()
    untold = desk.get_by_role("region", name="Ray has no place")
    expect(untold.get_by_role("link", name="Write the email")).to_be_visible()
    stage.look(desk, "decided")
    untold.get_by_role("button", name="Told").click()
    expect(desk.get_by_text("Ray has been told.")).to_be_visible()
    stage.look(desk, "told")


def _check_in(stage: Stage) -> None:
    desk, phone = stage.desk, stage.new_phone(stage.ride, "Dora")
    phone.goto("/crew/check-in/")
    stage.look(phone, "nothing to tick")
    _add_items(stage)
    _add_late_bike(stage)
    phone.reload()
    for box in phone.locator(".check-box").all()[:3]:
        box.click()
        expect(box).to_have_attribute("aria-pressed", "true")
    stage.look(phone, "ticked")
    phone.get_by_label("Bike number or name").fill("nobody")
    phone.get_by_role("button", name="Search").click()
    stage.look(phone, "nothing found")
    _mark_non_starter(stage, phone)
    desk.goto(f"{stage.ride.desk}check-in/")
    stage.look(desk, "ticked")
    _get_late_row(desk).get_by_role("link", name="It did start").click()
    expect(desk.get_by_role("heading", name="start after all?")).to_be_visible()
    stage.look(desk, "marked")
    desk.get_by_role("button", name="It did start").click()
    _get_late_row(desk).get_by_role("link", name="Did not start").click()
    stage.look(desk, "not marked")
    desk.goto(f"{stage.ride.desk}check-in/")
    desk.locator(".check-row").first.get_by_role("link", name="Did not start").click()
    expect(desk.get_by_role("alert")).to_contain_text("so it did start")
    stage.look(desk, "has turns")


def _name_classes(stage: Stage) -> None:
    """Name classes, say who is in one, and look at its board; the ride has begun, so a reason is asked for."""
    desk = stage.desk
    desk.goto(f"{stage.ride.desk}classes/")
    stage.look(desk, "no classes")
    for name in ("Ladies", "Novices"):
        desk.get_by_role("button", name=name, exact=True).click()
    desk.get_by_label("Name of the class").fill("ladies")
    desk.get_by_role("button", name="Add the class").click()
    stage.look(desk, "a name that there is")
    desk.get_by_role("link", name=re.compile("^0 bikes ?, Ladies$")).click()
    for box in desk.locator("input[name=members]").all()[:6]:
        box.check()
    desk.get_by_role("button", name="Save").click()
    stage.look(desk, "without a reason")
    desk.get_by_label("Reason").fill("Asked at the start")
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_role("status").filter(has_text="has been saved")).to_be_visible()
    stage.look(desk, "members")
    for page in ("classes/", "classes/corrections/"):
        desk.goto(f"{stage.ride.desk}{page}")
        stage.look(desk, "with members")
    desk.goto(f"{stage.ride.desk}classes/")
    desk.get_by_role("link", name="Ladies", exact=True).click()
    stage.look(desk, "a class")
    desk.get_by_role("link", name="Delete this class").click()
    stage.look(desk, "asked")
    desk.goto(f"{stage.ride.desk}bikes/")
    desk.locator(".roster-table tbody a").first.click()
    desk.get_by_role("link", name="Correct the classes").click()
    stage.look(desk, "of a bike")
    desk.goto(f"{stage.ride.desk}people/new/")
    desk.get_by_label("Name", exact=True).fill("Gwen Guest")
    desk.get_by_role("button", name="Add").click()
    desk.get_by_role("link", name="Gwen Guest").click()
    desk.get_by_role("link", name="Correct the classes").click()
    stage.look(desk, "of a person")
    visitor = stage.visitor
    visitor.goto(f"/events/{stage.ride.slug}/rock-yahtzee/")
    visitor.get_by_role("link", name="Ladies", exact=True).click()
    expect(visitor.get_by_role("heading", name="Ladies")).to_be_visible()
    stage.look(visitor, "a class")
    visitor.goto(f"/embed{urlsplit(visitor.url).path}")
    stage.look(visitor, "a class in a frame")


def _agree_to_cards(stage: Stage) -> None:
    """Agree to a card, correct it, confirm the group's, and say on the public page that something is wrong."""
    desk, phone, visitor = stage.desk, stage.new_phone(stage.ride, "Dora"), stage.visitor
    phone.goto("/crew/agreed/")
    stage.look(phone, "nobody has agreed")
    first = phone.locator("a.agreed-list__bike").first
    first.click()
    stage.look(phone, "not agreed")
    card = phone.url
    phone.get_by_role("button", name="I agree").click()
    expect(phone.get_by_text("Agreed by the rider at")).to_be_visible()
    stage.look(phone, "agreed")
    phone.get_by_role("link", name="Something is wrong").click()
    phone.get_by_role("link", name="Void").first.click()
    phone.locator(".reasons__choice", has_text="Other…").click()
    phone.get_by_label("Reason").fill("not rolled here")
    phone.get_by_role("main").get_by_role("button", name="Void").click()
    phone.goto(card)
    stage.look(phone, "voided")
    phone.goto("/crew/agreed/")
    stage.look(phone, "some")
    phone.get_by_role("link", name="Confirm the").first.click()
    stage.look(phone, "before confirming")
    phone.get_by_role("button", name="Confirm").click()
    expect(phone.get_by_text("confirmed.")).to_be_visible()
    stage.look(phone, "confirmed")
    desk.goto(f"{stage.ride.desk}finish/rock-yahtzee/")
    desk.get_by_text("not agreed").first.click()
    stage.look(desk, "with cards that are not agreed")
    desk.locator(".todo-list a:has(.plate)").first.click()
    expect(desk.get_by_role("button", name="I agree")).to_be_visible()
    stage.look(desk, "a card at the desk")
    _object(stage, visitor, desk)


def _object(stage: Stage, visitor: Page, desk: Page) -> None:
    visitor.goto(stage.ride.board)
    visitor.locator(".board-table tbody th a").first.click()
    visitor.get_by_role("link", name="Something is wrong").click()
    stage.look(visitor, "form")
    visitor.get_by_role("button", name="Send to the organiser").click()
    expect(visitor.get_by_role("alert")).to_contain_text("Write what is wrong.")
    stage.look(visitor, "refused")
    visitor.get_by_label("What is wrong?").fill("At Parks I rolled five sixes, not four.")
    visitor.get_by_role("button", name="Send to the organiser").click()
    expect(visitor.get_by_role("heading", name="Sent to the organiser")).to_be_visible()
    stage.look(visitor, "sent")
    desk.goto(stage.ride.desk)
    desk.locator("main a[href$='/objections/']").click()
    stage.look(desk, "to settle")
    desk.get_by_role("button", name="Settle").click()
    expect(desk.get_by_role("alert")).to_contain_text("Enter what you found")
    stage.look(desk, "refused")
    desk.get_by_label("What you found").fill("Corrected to five sixes.")
    desk.get_by_role("button", name="Settle").click()
    expect(desk.get_by_role("heading", name="Nothing to settle")).to_be_visible()
    stage.look(desk, "settled")


def _add_items(stage: Stage) -> None:
    """Add items to tick, rename one, and refuse to delete one."""
    desk = stage.desk
    desk.goto(f"{stage.ride.desk}check-in/")
    stage.look(desk, "nothing to tick")
    desk.goto(f"{stage.ride.desk}check-in/items/")
    desk.get_by_role("button", name="Paid").click()
    expect(desk.get_by_role("link", name="Paid", exact=True)).to_be_visible()
    desk.get_by_role("textbox").fill("Waiver")
    desk.get_by_role("button", name="Add to the list").click()
    expect(desk.get_by_text("“Waiver” has been added.")).to_be_visible()
    stage.look(desk, "two items")
    desk.get_by_role("link", name="Waiver", exact=True).click()
    stage.look(desk, "one item")
    desk.get_by_role("textbox").fill("Paid")
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_role("textbox").fill(LONG_ITEM)
    desk.get_by_role("button", name="Save").click()
    desk.get_by_role("link", name=LONG_ITEM).click()
    desk.get_by_role("link", name="Delete this item").click()
    expect(desk.get_by_role("heading", name="Delete “")).to_be_visible()
    stage.look(desk, "question")


def _add_late_bike(stage: Stage) -> None:
    """Add a bike without turns."""
    desk = stage.desk
    desk.goto(f"{stage.ride.desk}bikes/new/")
    desk.get_by_label("Number", exact=True).fill(LATE)
    desk.get_by_label("Group").select_option(index=1)
    desk.get_by_role("main").get_by_role("button").last.click()
    expect(desk.locator(".notice--success")).to_be_visible()


def _get_late_row(page: Page) -> Locator:
    return page.locator(".check-row", has=page.locator("bdi", has_text=LATE))


def _mark_non_starter(stage: Stage, phone: Page) -> None:
    phone.goto("/crew/check-in/")
    phone.locator(".check-row").first.get_by_role("link", name="Did not start").click()
    expect(phone.get_by_role("alert")).to_contain_text("so it did start")
    stage.look(phone, "has turns")
    phone.goto("/crew/check-in/")
    _get_late_row(phone).get_by_role("link", name="Did not start").click()
    stage.look(phone, "not marked")
    phone.get_by_role("button", name="It did not start").click()
    expect(phone.get_by_text("Marked as not started")).to_be_visible()
    stage.look(phone, "with a non-starter")
    _get_late_row(phone).get_by_role("link", name="It did start").click()
    stage.look(phone, "marked")
    phone.goto("/crew/")
    crew.show_group(phone, "BBQ")
    stage.look(phone, "with a non-starter")


def _organise_together(stage: Stage) -> None:
    desk = stage.desk
    desk.goto(f"{stage.ride.desk}organisers/")
    for _link in range(2):
        desk.get_by_role("button", name="Create a link").click()
        expect(desk.get_by_role("alert")).to_be_focused()
        stage.look(desk, "refused")
        desk.locator("#id_link_own_password").fill(stage.server.organiser[1])
        desk.get_by_role("button", name="Create a link").click()
        expect(desk.get_by_label("One-time link")).to_be_visible()
        stage.look(desk, "link")
        desk.goto(f"{stage.ride.desk}organisers/")
    desk.get_by_label("Name they sign in with").fill("w.featherstonehaugh")
    desk.locator("#id_own_password").fill(stage.server.organiser[1])
    desk.get_by_role("button", name="Invite", exact=True).click()
    expect(desk.get_by_role("button", name="Withdraw")).to_have_count(3)
    stage.look(desk, "several")


def _delete_an_event(stage: Stage) -> None:
    desk = stage.desk
    desk.goto("/desk/events/new/")
    desk.get_by_label("Name", exact=True).fill("Rained off")
    desk.get_by_role("button", name="Create the event").click()
    expect(desk.get_by_text("Rained off has been created")).to_be_visible()
    gone = urlsplit(desk.url).path
    desk.goto(f"{gone}delete/")
    desk.get_by_label("Name of the event").fill("Rained")
    desk.get_by_role("button", name="Delete the event").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_label("Name of the event").fill("Rained off")
    desk.get_by_role("button", name="Delete the event").click()
    expect(desk.get_by_text("Rained off has been deleted.")).to_be_visible()
    stage.look(desk, "after a deletion")
    desk.goto(gone)
    expect(desk.get_by_role("link", name="My events").last).to_be_visible()
    stage.look(desk, "deleted")
    stage.visitor.goto(gone.removeprefix("/desk"))
    expect(stage.visitor.get_by_text("This event was deleted by its organisers")).to_be_visible()
    stage.look(stage.visitor, "deleted")


def _refuse_an_import(stage: Stage) -> None:
    desk = stage.desk
    for page in ("bikes", "crew"):
        desk.goto(f"{stage.ride.desk}{page}/import/")
        desk.get_by_label("CSV or Excel file").set_input_files(
            {"name": "list.csv", "mimeType": "text/csv", "buffer": b"%PDF-1.7"}
        )
        desk.get_by_role("button", name="Check the import").click()
        expect(desk.get_by_role("alert")).to_contain_text("This is a PDF")
        stage.look(desk, "another kind of file")
        desk.get_by_label("Or paste it here").fill('number,rider,group,name,role\n1,"Ann\n')
        desk.get_by_role("button", name="Check the import").click()
        expect(desk.get_by_role("alert")).to_contain_text("Row 2: a quotation mark is opened and never closed.")
        stage.look(desk, "an unclosed quotation mark")


def _run_a_season(stage: Stage) -> None:
    desk, visitor = stage.desk, stage.visitor
    desk.goto("/desk/seasons/")
    stage.look(desk, "none")
    desk.get_by_role("link", name="New season").click()
    stage.look(desk, "form")
    desk.get_by_label("Name", exact=True).fill("Season of the Thunderbird Riders")
    desk.get_by_text("How it adds up").click()
    desk.get_by_label("Points by place").fill("25 20 30")
    desk.get_by_role("button", name="Create the season").click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_label("Points by place").fill("25 20 16 13 11 10 9 8 7 6 5 4 3 2 1")
    desk.get_by_label("How many results count").fill("1")
    desk.get_by_label("List it on the front page").check()
    desk.get_by_role("button", name="Create the season").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Season of the Thunderbird Riders")
    stage.look(desk, "without rides")
    season = urlsplit(desk.url).path
    desk.get_by_label("Add a contest").select_option(value=stage.published_contest)
    desk.get_by_role("button", name="Add the contest").click()
    expect(desk.locator(".notice--success")).to_contain_text("result count")
    stage.look(desk, "with a first ride")
    desk.get_by_role("link", name="Who is who").click()
    stage.look(desk, "everyone is new")
    desk.get_by_text("match nobody").click()
    stage.look(desk, "everyone is listed")
    desk.get_by_role("button", name="Save who is who").click()
    expect(desk.locator(".notice--success")).to_contain_text("have been saved")
    stage.look(desk, "with standings")
    desk.get_by_role("row").nth(1).get_by_role("link").click()
    stage.look(desk, "nobody else to be")
    for page in ("", "settings/", "website/"):
        desk.goto(f"{season}{page}")
        stage.look(desk, "settings")
    visitor.goto(season.replace("/desk/", "/embed/"))
    expect(visitor.get_by_role("row").nth(1)).to_contain_text("25")
    stage.look(visitor, "in a frame")
    desk.goto(f"{season}settings/")
    desk.get_by_role("link", name="Delete this season").click()
    stage.look(desk, "question")
    desk.goto(season)
    desk.get_by_role("link", name=re.compile("^Remove")).click()
    stage.look(desk, "question")
    visitor.goto("/")
    stage.look(visitor, "with a season")
    visitor.get_by_role("link", name="Season of the Thunderbird Riders").click()
    expect(visitor.get_by_role("table")).to_be_visible()
    stage.look(visitor, "standings")
    visitor.get_by_role("row").nth(1).get_by_role("link").click()
    expect(visitor.get_by_text("place 1 with 25 points")).to_be_visible()
    stage.look(visitor, "rider")


def _print_much(stage: Stage) -> None:
    """Wait for documents that the worker makes, of the organisers' and of everyone's, and see one that failed."""
    add_print_job(stage.server.data, stage.ride.slug, "a" * 32, is_public=False)
    add_print_job(stage.server.data, stage.ride.slug, "b" * 32, is_public=True)
    add_print_job(stage.server.data, stage.ride.slug, "c" * 32, is_public=False, problem="failed")
    stage.desk.goto(f"{stage.ride.desk}prints/jobs/{UUID('a' * 32)}/")
    expect(stage.desk.get_by_role("progressbar")).to_be_visible()
    stage.look(stage.desk, "on the way")
    stage.visitor.goto(f"/events/{stage.ride.slug}/prints/{UUID('b' * 32)}/")
    expect(stage.visitor.get_by_role("progressbar")).to_be_visible()
    stage.look(stage.visitor, "on the way")
    stage.desk.goto(f"{stage.ride.desk}prints/jobs/{UUID('c' * 32)}/")
    expect(stage.desk.get_by_text("could not be made")).to_be_visible()
    stage.look(stage.desk, "failed")
    stage.desk.goto(f"{stage.ride.desk}prints/certificate/")
    stage.desk.get_by_label("Wording").fill("{points}")
    stage.desk.get_by_role("button", name="Save").click()
    expect(stage.desk.get_by_role("alert")).to_be_focused()
    stage.look(stage.desk, "refused")


def _take_back_a_closing(stage: Stage) -> None:
    """Close the contest by mistake, reopen it, and take back what the closing recorded as missed."""
    desk, finish = stage.desk, f"{stage.ride.desk}finish/rock-yahtzee/"
    desk.goto(f"{finish}close/")
    desk.get_by_label("Reason").fill("the wrong button")
    desk.get_by_role("main").get_by_role("button").first.click()
    expect(desk).to_have_url(re.compile(f"{finish}$"))
    desk.goto(f"{finish}reopen/")
    stage.look(desk, "with missed turns")
    desk.get_by_label("Reason").fill("closed by mistake")
    desk.get_by_role("button", name="Reopen and keep them as missed").click()
    desk.get_by_role("link", name="Take back missed turns").click()
    stage.look(desk, "question")
    desk.get_by_role("button", name=re.compile("^Take back")).click()
    expect(desk.get_by_role("alert")).to_be_focused()
    stage.look(desk, "refused")
    desk.get_by_label("Reason").fill("closed by mistake")
    desk.get_by_role("button", name=re.compile("^Take back")).click()
    expect(desk.get_by_text(re.compile("Phones offer (it|them) again"))).to_be_visible()
    stage.look(desk, "taken back")


def _test_dice(stage: Stage) -> None:
    """Start a test of dice, refused once, and throw."""
    stage.desk.goto(f"{stage.ride.desk}dice/")
    stage.look(stage.desk, "counted")
    stage.desk.get_by_role("link", name="Test these dice").click()
    stage.desk.get_by_role("button", name="Start the test").click()
    expect(stage.desk.get_by_role("alert")).to_be_focused()
    stage.look(stage.desk, "refused")
    stage.desk.get_by_label("Which dice").fill("Rita’s dice")
    stage.desk.get_by_role("radio").first.check()
    stage.desk.get_by_role("button", name="Start the test").click()
    for _ in range(3):
        stage.desk.get_by_role("button", name="6").click()
    expect(stage.desk.get_by_role("status").filter(has_text="Sent")).to_be_visible()
    stage.look(stage.desk, "thrown")


# What each moment has to measure; beyond that, it measures known pages in another state.
MOMENTS: Mapping[Callable[[Stage], None], set[str]] = {
    _copy_the_ride: {"desk:copied"},
    _practise: {"desk:practice_play", "desk:practice_progress", "crew:switch"},
    _sign_up: {"players:sign_up", "players:sign_ups"},
    _check_in: {
        *("check_in:crew_list", "check_in:rename_item", "check_in:delete_item"),
        *("scorecards:did_not_start", "scorecards:desk_did_not_start"),
    },
    _name_classes: {
        *("players:classes", "players:edit_class", "players:delete_class"),
        *("results:class_board", "embeds:class_board"),
        *("desk:class_members", "desk:class_corrections", "desk:bike_classes", "desk:person_classes"),
    },
    _run_a_season: {
        *("seasons:season", "seasons:rider", "seasons:list", "seasons:create", "seasons:overview", "seasons:edit"),
        *("seasons:delete", "seasons:merge", "seasons:link", "seasons:remove_round"),
        *("embeds:season", "embeds:season_snippets"),
    },
    _agree_to_cards: {
        *("agreements:group", "agreements:card", "agreements:confirm", "agreements:desk_card"),
        *("agreements:object", "agreements:objections"),
    },
    _archive_an_event: set(),
    _organise_together: set(),
    _delete_an_event: set(),
    _refuse_an_import: set(),
    _give_a_program_a_token: {"events:revoke_access_token"},
    _print_much: {"prints:job", "prints:public_job"},
    _test_dice: {"dice:test"},
    _take_back_a_closing: {"desk:clear_missed"},
    _add_a_webhook: {"webhooks:webhook", "webhooks:rotate", "webhooks:delete"},
}


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__.strip("_"))
def test_the_pages_of_a_moment_are_accessible(
    moment: Callable[[Stage], None], stage: Stage, server: RunningServer
) -> None:
    if moment is _run_a_season:
        stage.publish_a_ride(server)
    if moment is _organise_together:
        server.add_organiser("w.featherstonehaugh", "the scenic route")

    moment(stage)

    assert "\n".join(stage.problems) == ""
    assert MOMENTS[moment] - stage.measured == set()


def test_every_page_without_a_link_is_measured_by_the_file_that_is_named_for_it() -> None:
    assert set().union(*MOMENTS.values()) == MEASURED_BY["test_passing_pages.py"]
    for name in MEASURED_BY:
        assert f'MEASURED_BY["{name}"]' in (HERE / name).read_text("utf-8"), name


def test_no_page_is_taken_for_the_answer_to_a_button() -> None:
    buttons = {route for route, methods in ROUTES.items() if "GET" not in methods}

    assert buttons - FORMS_ONLY - NO_PAGE == set()
    assert [route for pages in MEASURED_BY.values() for route in pages if route in buttons] == []
