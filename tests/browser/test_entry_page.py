"""The pages for entering dice, measured on a phone of 360 x 640: for gloves, for sun, for one hand.

Terms: a *state* is the page at one moment of a turn, from the empty pad to the recorded turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import get_box, list_outdoor_problems, measure
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

HEIGHT = 640


def _show_group(phone: Page) -> None:
    crew.show_group(phone, "Ozweld's")


def _show_pad(phone: Page) -> None:
    crew.show_bike(phone, "Ozweld's", "12")


def _show_boxes(phone: Page) -> None:
    _show_pad(phone)
    crew.tap_dice(phone, "44466")
    expect(phone.locator("button.box")).to_have_count(13)


def _show_first_roll(phone: Page) -> None:
    _show_pad(phone)
    crew.choose_input_method(phone, "Roll by roll")
    crew.tap_dice(phone, "12346")
    expect(phone.locator("button.box")).to_have_count(14)


def _tap_four_dice(phone: Page) -> None:
    crew.tap_dice(phone, "4446")


def _tap_the_last(phone: Page) -> None:
    crew.tap_dice(phone, "6")
    expect(phone.locator("button.box")).to_have_count(13)


def _roll_again(phone: Page) -> None:
    phone.locator(".place--toggle").first.tap()
    crew.get_again_button(phone).tap()
    expect(phone.locator(".place--held")).to_have_count(1)


def _open_menu(name: str) -> Callable[[Page], None]:
    def show(phone: Page) -> None:
        _show_pad(phone)
        phone.locator("details.menu summary").click()
        phone.get_by_role("link", name=name).click()
        phone.wait_for_load_state()

    return show


# A state, and how to reach it from the one before.
STATES: dict[str, Callable[[Page], None]] = {
    "group": _show_group,
    "pad": lambda phone: crew.open_bike(phone, "12"),
    "four dice": _tap_four_dice,
    "boxes": _tap_the_last,
    "first roll": _show_first_roll,
    "second roll": _roll_again,
    "paper card": _open_menu("Enter from a paper card"),
    "missed": _open_menu("Turn missed"),
}
MAIN = ".button--main, .box, .bike-row, .dice-pad__face"


@pytest.fixture
def phone(new_phone: NewPhone, server: RunningServer) -> Page:
    """A phone of Early Birds, before anything has been recorded there."""
    return new_phone(server.ride("setup"), "Emil")


@pytest.fixture
def fresh(server: RunningServer) -> DemoRide:
    return server.ride("bbq")


def test_die_faces_are_large_and_apart_and_show_a_picture_and_a_digit(phone: Page) -> None:
    _show_pad(phone)
    faces = [get_box(crew.get_face_button(phone, number)) for number in range(1, 7)]
    assert all(min(face["width"], face["height"]) >= 96 for face in faces)
    for left, right in zip(faces[:2] + faces[3:5], faces[1:3] + faces[4:], strict=True):
        assert right["x"] - (left["x"] + left["width"]) >= 8
    for above, below in zip(faces[:3], faces[3:], strict=True):
        assert below["y"] - (above["y"] + above["height"]) >= 8
    for number in range(1, 7):
        expect(crew.get_face_button(phone, number).locator("svg, img, .die__face").first).to_be_visible()
        expect(crew.get_face_button(phone, number)).to_contain_text(str(number))


def _faults_of_fit(phone: Page) -> list[str]:
    """Return whether the page scrolls, and whether the last button is out of reach; expect the bike to be visible."""
    last = max((get_box(button) for button in phone.locator("main button:visible").all()), key=lambda box: box["y"])
    found = {
        "has to be scrolled": phone.evaluate("document.documentElement.scrollHeight") > HEIGHT,
        "ends above the bottom third": last["y"] + last["height"] / 2 < HEIGHT * 2 / 3,
    }
    expect(phone.locator("h1 .plate")).to_be_in_viewport(ratio=1)
    expect(phone.locator("h1")).to_contain_text("Cal D.")
    return [fault for fault, is_so in found.items() if is_so]


def test_thirteen_boxes_fit_with_the_status_bar_and_the_best_are_near_the_thumb(phone: Page) -> None:
    _show_boxes(phone)
    phone.evaluate("document.getElementById('phone-bar').hidden = false")
    assert phone.evaluate("document.documentElement.scrollHeight") <= HEIGHT
    for box in phone.locator("button.box").all()[:6]:
        assert get_box(box)["y"] >= HEIGHT / 2
    names = phone.locator("button.box .box__label").all_inner_texts()
    points = phone.locator("button.box .box__points").all_inner_texts()
    # 4 4 4 6 6 has 24 points as a chance and as three of a kind, which is the rarer.
    shown = list(zip(names, points, strict=True))
    assert shown[:3] == [("Full house", "25"), ("Three of a kind", "24"), ("Chance", "24")]


def _faults_of_numerals(phone: Page) -> list[str]:
    digits = phone.locator("main .die__digit:visible")
    sizes = digits.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert sizes
    return [f"a numeral of {size}" for size in sizes if size < 32]


def _faults_of_turning(phone: Page) -> list[str]:
    """Return what goes wrong when the phone is turned and turned back: the tapped dice have to stay."""
    tapped = phone.locator(".dice-row .die")
    faces, found = tapped.all_inner_texts(), []
    for width, height in ((640, 360), (360, HEIGHT)):
        phone.set_viewport_size({"width": width, "height": height})
        found += measure(phone, "wide")
        if tapped.all_inner_texts() != faces:
            found.append(f"turned to {width} it has other dice")
    return found


def test_every_state_can_be_pressed_and_read_outdoors_fits_the_screen_and_can_be_turned(phone: Page) -> None:
    found = []
    for state, show in STATES.items():
        show(phone)
        faults = list_outdoor_problems(phone, MAIN)
        if state != "group":  # its list may be longer than the screen
            faults += _faults_of_fit(phone)
        if state in ("four dice", "boxes", "first roll"):
            faults += _faults_of_numerals(phone)
        if state in ("four dice", "boxes", "second roll"):
            faults += _faults_of_turning(phone)
        found += [f"{state}: {fault}" for fault in faults]
    assert "\n".join(found) == ""


def test_a_turn_is_recorded_in_six_taps_and_the_next_bike_is_one_more(new_phone: NewPhone, fresh: DemoRide) -> None:
    phone = new_phone(fresh, "Emil")
    crew.show_bike(phone, "Finale", "3")
    assert crew.count_taps(phone, lambda: crew.record_turn(phone, "33311", "Yahtzee")) == 6
    expect(phone.locator(".turn-result")).to_contain_text("Yahtzee 0 points Bike 3, Pam H., at Finale")
    assert get_box(phone.locator("#next"))["y"] >= HEIGHT * 2 / 3
    assert phone.evaluate("document.documentElement.scrollHeight") <= HEIGHT
    assert list_outdoor_problems(phone, MAIN) == []
    phone.locator("#next").click()
    expect(phone.locator("[data-dice-pad]")).to_be_visible()


def test_undo_stays_ten_seconds_and_a_correction_can_be_made_after(new_phone: NewPhone, fresh: DemoRide) -> None:
    phone = new_phone(fresh, "Emil")
    phone.clock.install()
    crew.show_bike(phone, "Finale", "8")
    crew.record_turn(phone, "33311", "Yahtzee")
    undo = phone.locator("[data-undo]")  # its button appears a moment later, by a clock of its own
    phone.clock.run_for(9_500)
    expect(undo).to_be_visible()
    phone.clock.run_for(1_500)
    expect(undo).to_have_count(0)
    phone.locator("details.menu summary").click()
    phone.get_by_role("link", name="History and corrections").click()
    expect(phone.get_by_role("link", name=re.compile("^Correct Finale"))).to_be_visible()


def test_typing_dice_into_a_correction_chooses_other_dice(new_phone: NewPhone, fresh: DemoRide) -> None:
    phone = new_phone(fresh, "Emil")
    crew.show_bike(phone, "BBQ", "12")
    phone.get_by_role("link", name="Correct it").click()
    phone.get_by_role("link", name=re.compile("^Correct ")).first.click()
    phone.get_by_role("link", name="Other changes").click()
    expect(phone.get_by_role("radio", name=re.compile("^The dice as recorded"))).to_be_checked()
    phone.get_by_label("Dice", exact=True).press("End")
    phone.get_by_label("Dice", exact=True).press("Backspace")
    expect(phone.get_by_role("radio", name="Other dice")).to_be_checked()


def test_open_boxes_come_best_first_and_closed_ones_say_why(new_phone: NewPhone, fresh: DemoRide) -> None:
    phone = new_phone(fresh, "Emil")
    crew.show_bike(phone, "Finale", "12")
    crew.tap_dice(phone, "55566")
    expect(phone.locator("button.box").first).to_be_visible()
    points = [int(text) for text in phone.locator("button.box .box__points").all_inner_texts()]
    assert points == sorted(points, reverse=True)
    assert points[0] == 27, "Chance stays open for bike 12, three and four of a kind do not"
    phone.locator("details.fold summary").click()
    closed = phone.locator(".closed-boxes")
    for box in ("Three of a kind", "Four of a kind", "Large straight"):
        expect(closed.locator("li", has_text=box)).to_contain_text(re.compile(f"{box} .+"))


def test_a_long_name_is_not_broken_and_the_bike_stays_visible_when_a_long_page_is_scrolled(
    new_phone: NewPhone, fresh: DemoRide
) -> None:
    phone = new_phone(fresh, "Emil")
    long_name = "all => all.forEach(one => { one.textContent = 'Maximiliane Featherstonehaugh' })"
    crew.show_group(phone, "BBQ")
    phone.locator(".bike-row__riders").evaluate_all(long_name)
    assert measure(phone, "broken") == []
    crew.open_bike(phone, "12")
    phone.locator(".bike-header__riders").evaluate_all(long_name)
    assert measure(phone, "broken") == []
    phone.get_by_role("link", name="Correct it").click()
    expect(phone.locator(".turn")).to_have_count(3)
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert phone.evaluate("scrollY") > 0
    expect(phone.locator("h1 .plate")).to_be_in_viewport(ratio=1)


@contextmanager
def _hold_requests(phone: Page) -> Iterator[None]:
    """Hold all requests of a scorecard until the block ends, then let them through."""
    held_requests: list[Route] = []

    def hold(route: Route) -> None:
        held_requests.append(route)

    phone.route("**/crew/bikes/**", hold)
    yield
    for route in held_requests:
        route.continue_()
    phone.unroute("**/crew/bikes/**")


def test_taps_count_while_another_request_is_on_its_way(new_phone: NewPhone, server: RunningServer) -> None:
    phone = new_phone(server.load_ride("setup"), "Emil")
    _show_pad(phone)
    with _hold_requests(phone):
        phone.get_by_role("button", name="Roll by roll").tap()
        crew.tap_dice(phone, "12")
    expect(phone.locator(".place .die")).to_have_text(["1", "2"])
    crew.tap_dice(phone, "34")
    with _hold_requests(phone):
        crew.tap_dice(phone, "6")
        phone.get_by_role("button", name="Delete last").tap()
        crew.get_face_button(phone, 5).tap()
    expect(phone.locator(".place .die")).to_have_text(["1", "2", "3", "4", "5"])

    phone.evaluate("document.getElementById('phone-bar').hidden = false")
    expect(crew.get_again_button(phone)).to_be_in_viewport(ratio=1)
    # A tap on a box, instead of another roll, records the visible dice and shows this at once.
    with _hold_requests(phone):
        phone.locator(".place--toggle").first.tap()
        crew.get_again_button(phone).tap()
        crew.get_box_button(phone, "Large straight").tap()
        expect(phone.locator("button.box[data-pressed]")).to_contain_text("Large straight")
        crew.get_box_button(phone, "Large straight").tap()
        crew.get_box_button(phone, "Chance").tap()
    expect(phone.locator(".turn-result")).to_contain_text("Large straight 40 points")
    expect(phone.locator("[data-pressed]")).to_have_count(0)
