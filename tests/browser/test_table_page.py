"""The page of a table on a phone of 360 x 640, with scripts and without: recording, undo, corrections, two phones."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import tables
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.crew import count_taps
from tests.browser.measure import get_box, list_outdoor_problems
from tests.browser.running_server import RunningServer
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

OpenUnused = Callable[..., str]

HEIGHT = 640
MAIN = ".button--main, .box"
POLL = 5_000  # milliseconds after which a table polls for other phones' entries


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride of its own, since contests are added to it."""
    return server.load_ride("setup")


@pytest.fixture
def phone(new_phone: NewPhone, ride: DemoRide) -> Page:
    """Emil's phone."""
    return new_phone(ride, "Emil")


@pytest.fixture(scope="module")
def unused() -> dict[str, list[str]]:
    """The URLs of tables at which nothing has been recorded yet, by game."""
    return {}


@pytest.fixture
def open_unused(
    phone: Page,
    organiser_client: HttpClient,
    crew_client: FindCrewClient,
    ride: DemoRide,
    unused: dict[str, list[str]],
) -> OpenUnused:
    """Open a fresh table of a game on Emil's phone, and return its URL: `open_unused("rogue", size=2)`."""

    def open_table(game: str, **plan: int) -> str:
        if game not in unused:
            client = crew_client(ride, "Emil").client
            unused[game] = tables.create_tables_for_roster(organiser_client, client, ride, game, **plan)
        phone.goto(address := unused[game].pop())
        return address

    return open_table


@pytest.fixture
def rogue_table(open_unused: OpenUnused) -> str:
    """The URL of a fresh table of two at Rogue, open on Emil's phone."""
    return open_unused("rogue", size=2)


@pytest.fixture
def go_500_table(open_unused: OpenUnused) -> str:
    """The URL of a fresh table of one at Go 500, open on Emil's phone."""
    return open_unused("go-500")


def _roll(phone: Page) -> None:
    tables.tap(phone, "roll:dice", "C22456")


def _is_post(route: Route) -> bool:
    return route.request.method == "POST"


def _keep(phone: Page) -> None:
    tables.press_record(phone, "Record roll")
    expect(phone.locator("button.box")).to_have_count(3)


def _go_on(phone: Page) -> None:
    phone.locator("button.box").first.click()
    expect(phone.get_by_role("button", name="End turn")).to_be_visible()


def _history(phone: Page) -> None:
    phone.locator("#last a").click()
    expect(phone.locator(".action")).to_have_count(2)


def _correct(phone: Page) -> None:
    phone.get_by_role("link", name="Correct 1").click()
    phone.locator(".reasons__choice", has_text="Other…").click()
    expect(phone.get_by_label("Reason")).to_be_visible()


def _void(phone: Page) -> None:
    phone.go_back()
    phone.get_by_role("link", name="Void 1").click()
    expect(phone.get_by_text("is not allowed")).to_be_visible()


def _retire(phone: Page) -> None:
    phone.go_back()
    phone.go_back()
    phone.locator("details.menu summary").click()
    phone.get_by_role("link", name=re.compile("^Retire")).first.click()
    expect(phone.get_by_role("button", name=re.compile("^Retire"))).to_be_visible()


def _refused(phone: Page) -> None:
    tables.press_record(phone, "Choose the dice")
    expect(phone.locator(".error-summary")).to_be_visible()


def _choose_dice(phone: Page) -> None:
    tables.choose(phone, "start:black", "3")
    tables.choose(phone, "start:green", "1")


def _three_colours(phone: Page) -> None:
    tables.press_record(phone, "Choose the dice")
    expect(phone.get_by_role("group", name="Flag die")).to_be_visible()


# One state after the other, each from the page of the one before.
AT_THE_CAMPFIRE: tuple[Callable[[Page], None], ...] = (_roll, _keep, _go_on, _history, _correct, _void, _retire)
IN_THE_RACE: tuple[Callable[[Page], None], ...] = (_refused, _choose_dice, _three_colours)


def _walk(phone: Page, *steps: Callable[[Page], None]) -> list[str]:
    found = [f"at first: {fault}" for fault in list_outdoor_problems(phone, MAIN)]
    for step in steps:
        step(phone)
        found += [f"{step.__name__}: {fault}" for fault in list_outdoor_problems(phone, MAIN)]
    return found


def test_every_page_of_a_table_can_be_pressed_and_read_outdoors(phone: Page, rogue_table: str) -> None:
    assert _walk(phone, *AT_THE_CAMPFIRE) == []


def test_every_form_of_many_fields_can_be_pressed_and_read_outdoors(phone: Page, go_500_table: str) -> None:
    assert _walk(phone, *IN_THE_RACE) == []


def test_the_faces_are_large_and_the_button_lies_in_the_bottom_third(phone: Page, rogue_table: str) -> None:
    _roll(phone)
    for value in "23456C":
        box = get_box(tables.get_face_button(phone, "roll:dice", value))
        assert min(box["width"], box["height"]) >= 96
    button = get_box(phone.get_by_role("button", name="Record roll"))
    assert button["y"] + button["height"] / 2 >= HEIGHT * 2 / 3
    assert button["y"] + button["height"] <= HEIGHT, "nothing has to be scrolled"


def test_the_effect_of_an_action_is_shown_and_leaves_the_button_visible(phone: Page, rogue_table: str) -> None:
    _roll(phone)
    tables.press_record(phone, "Record roll")
    phone.locator("button.box").first.click()
    tables.tap(phone, "roll:dice", "346")
    tables.press_record(phone, "Record roll")
    consequences = "Nothing scores and there is no rogue: the turn ends with 8 points."
    expect(phone.locator("#consequences")).to_have_text(consequences)
    button = get_box(phone.get_by_role("button", name="Record roll"))
    assert button["y"] + button["height"] <= HEIGHT
    assert list_outdoor_problems(phone, MAIN) == []


def test_a_roll_is_recorded_with_one_request_and_the_next_step_is_there(phone: Page, rogue_table: str) -> None:
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.method) if request.url.endswith(rogue_table) else None)
    record_button = phone.get_by_role("button", name="Record roll")
    expect(record_button).to_be_disabled()

    def record_a_roll() -> None:
        tables.tap(phone, "roll:dice", "C22456")
        record_button.click()

    taps = count_taps(phone, record_a_roll)

    tables.expect_last_entry(phone, "Rolled C 2 2 4 5 6")
    assert taps == 7
    assert [method for method in sent if method == "POST"] == ["POST"]
    expect(phone.locator("#not-sent")).to_be_attached()  # it is there to report a request that does not get through
    expect(phone.locator("button.box").first).to_be_visible()
    phone.locator("button.box").first.click()
    tables.expect_last_entry(phone, "Set aside 2 2 C")


def test_an_action_being_sent_stays_locked_when_the_page_is_refreshed_meanwhile(phone: Page, rogue_table: str) -> None:
    phone.clock.install()
    phone.goto(rogue_table)
    tables.tap(phone, "roll:dice", "C22456")
    held_requests: list[Route] = []
    phone.route(
        "**/crew/tables/**", lambda route: held_requests.append(route) if _is_post(route) else route.continue_()
    )
    tables.press_record(phone, "Record roll")
    for _time in range(2):
        with phone.expect_event("requestfinished", lambda request: "poll=" in request.url):
            phone.clock.run_for(POLL)
    tables.press_record(phone, "Record roll")
    expect(phone.locator("#entry")).to_have_attribute("aria-busy", "true")
    (action,) = held_requests
    action.continue_()
    tables.expect_last_entry(phone, "Rolled C 2 2 4 5 6")


def test_a_second_tap_on_a_die_removes_it(phone: Page, rogue_table: str) -> None:
    tables.tap(phone, "roll:dice", "C22456")
    phone.locator(".place--change").nth(1).click()
    tables.expect_tapped_dice(phone, "roll:dice", "C2456")
    expect(phone.get_by_role("button", name="Record roll")).to_be_disabled()
    tables.tap(phone, "roll:dice", "3")
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, "Rolled C 3 2 4 5 6")


def test_the_score_sheet_is_folded_away_on_a_phone_and_stays_open_once_it_was_opened(
    phone: Page, rogue_table: str
) -> None:
    expect(phone.locator("#sheet")).not_to_have_attribute("open", "")
    phone.locator("#sheet summary").click()
    tables.tap(phone, "roll:dice", "C22456")
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, "Rolled")
    expect(phone.locator("#sheet")).to_have_attribute("open", "")


def test_undo_stays_ten_seconds_brings_the_dice_back_and_the_entry_stays_announced(
    phone: Page, rogue_table: str
) -> None:
    phone.clock.install()
    phone.goto(rogue_table)
    tables.tap(phone, "roll:dice", "C22456")
    tables.press_record(phone, "Record roll")
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    phone.clock.run_for(4_500)
    expect(undo).to_be_visible()
    undo.click()
    expect(phone.get_by_text(re.compile("Undone: .*Rolled"))).to_be_visible()
    tables.expect_tapped_dice(phone, "roll:dice", "C22456")

    tables.press_record(phone, "Record roll")
    expect(undo).to_be_visible()
    phone.clock.run_for(11_000)
    expect(undo).to_have_count(0)
    tables.expect_last_entry(phone, "Rolled C 2 2 4 5 6")


def test_an_action_is_corrected_from_the_history(phone: Page, rogue_table: str) -> None:
    tables.tap(phone, "roll:dice", "C22456")
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, "C 2 2 4 5 6")
    phone.locator("#last a").click()
    phone.get_by_role("link", name="Correct 1").click()
    phone.locator(".place--change").nth(5).click()
    tables.tap(phone, "roll:dice", "3")
    tables.press_record(phone, "Correct")
    expect(phone.locator(".error-summary")).to_contain_text("Enter a reason.")
    tables.expect_tapped_dice(phone, "roll:dice", "C22453")
    phone.locator(".reasons__choice", has_text="Misread").click()
    tables.press_record(phone, "Correct")
    expect(phone.locator(".action").first).to_contain_text("Rolled C 2 2 4 5 3")
    expect(phone.locator(".action").first).to_contain_text("Misread")


def test_a_wrong_die_and_the_actions_it_makes_invalid_are_corrected_in_one_form(phone: Page, rogue_table: str) -> None:
    tables.tap(phone, "roll:dice", "C22456")
    tables.press_record(phone, "Record roll")
    phone.locator("button.box").first.click()
    tables.expect_last_entry(phone, "Set aside")
    phone.locator("#last a").click()
    phone.get_by_role("link", name="Correct 1").click()
    for _ in range(2):
        phone.locator(".place--change").nth(1).click()
    tables.tap(phone, "roll:dice", "33")
    phone.locator(".reasons__choice", has_text="Other…").click()
    phone.get_by_label("Reason").fill("threes, not twos")
    tables.press_record(phone, "Correct")
    expect(phone.get_by_text("Nothing is saved yet")).to_be_visible()
    expect(phone.get_by_label("Reason")).to_have_value("threes, not twos")
    assert list_outdoor_problems(phone, MAIN) == []
    tables.choose(phone, "keep:dice", "0 1")
    tables.press_record(phone, "Correct")
    expect(phone.get_by_text("Actions corrected: 2, voided: 0.")).to_be_visible()


@pytest.mark.usefixtures("go_500_table")
def test_a_finished_table_still_polls_without_a_form_to_send(phone: Page) -> None:
    phone.clock.install()
    phone.reload()
    phone.locator("details.menu summary").click()
    phone.get_by_role("link", name=re.compile("^Retire")).click()
    phone.get_by_role("button", name=re.compile("^Retire")).click()
    expect(phone.get_by_role("heading", name="Finished.")).to_be_visible()

    with phone.expect_response(lambda response: "poll=" in response.url) as asked:
        phone.clock.run_for(POLL)

    assert asked.value.status == 204


def test_dice_of_several_colours_are_recorded_together(phone: Page, go_500_table: str) -> None:
    _choose_dice(phone)
    _three_colours(phone)
    record_button = phone.get_by_role("button", name="Record roll")
    for value in ("15", "20", "25"):
        tables.get_face_button(phone, "roll:black", value).click()
    expect(record_button).to_be_enabled()
    record_button.click()
    expect(phone.locator(".error-summary")).to_contain_text("Green die: choose one.")
    tables.choose(phone, "roll:green", "10")
    tables.choose(phone, "roll:flag", "green")
    record_button.click()
    tables.expect_last_entry(phone, "Black dice 15 20 25")


def test_a_second_phone_is_refreshed_and_its_draft_is_left_alone(
    phone: Page, rogue_table: str, new_phone: NewPhone, ride: DemoRide
) -> None:
    second = new_phone(ride, "Fay")
    second.clock.install()
    second.goto(rogue_table)
    tables.tap(phone, "roll:dice", "C22456")
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, "Rolled")
    second.clock.run_for(POLL)
    expect(second.locator("button.box").first).to_be_visible()

    phone.locator("button.box").first.click()
    tables.expect_last_entry(phone, "Set aside")
    second.clock.run_for(POLL)
    expect(second.locator("[data-dice-pad]")).to_be_visible()
    tables.tap(second, "roll:dice", "33")
    tables.press_record(phone, "End turn")
    tables.expect_last_entry(phone, "Turn ended")
    second.clock.run_for(POLL)
    expect(second.locator("#news")).to_contain_text("Recorded elsewhere")
    tables.expect_tapped_dice(second, "roll:dice", "33")
    second.get_by_role("button", name="Show the current table").click()
    expect(second.locator("#last")).to_contain_text("Turn ended")
