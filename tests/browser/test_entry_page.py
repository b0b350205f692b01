"""The pages on which dice are noted, measured on a phone of 360 x 640: for gloves, for sun, for one hand.

Terms: a *state* is the entry at one moment of a turn, from the empty pad to the turn that is noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import FloatRect, Locator, Page, Route, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone
from tests.browser.measure import list_barriers, measure
from tests.browser.served import Served
from tests.demo_data import Ride

HEIGHT = 640


def _show_group(phone: Page) -> None:
    crew.go_to_stop(phone, "Ozweld's")


def _show_pad(phone: Page) -> None:
    _show_group(phone)
    crew.open_bike(phone, "12")


def _show_four_dice(phone: Page) -> None:
    _show_pad(phone)
    crew.tap_dice(phone, "1234")


def _show_boxes(phone: Page) -> None:
    _show_pad(phone)
    crew.tap_dice(phone, "44466")
    expect(phone.locator("button.box")).to_have_count(13)


def _show_first_roll(phone: Page) -> None:
    _show_pad(phone)
    crew.switch(phone, "Roll by roll")
    crew.tap_dice(phone, "12346")
    expect(phone.locator("button.box")).to_have_count(14)


def _show_second_roll(phone: Page) -> None:
    _show_first_roll(phone)
    phone.locator(".place--toggle").first.tap()
    phone.get_by_role("button", name="Roll again").tap()
    expect(phone.locator(".place--held")).to_have_count(1)


def _show_noted(phone: Page) -> None:
    _show_boxes(phone)
    crew.choose(phone, "Full house")


def _show_way(name: str) -> Callable[[Page], None]:
    def show(phone: Page) -> None:
        _show_pad(phone)
        phone.locator("details.menu summary").click()
        phone.get_by_role("link", name=name).click()
        phone.wait_for_load_state()

    return show


STATES = {
    "group": _show_group,
    "pad": _show_pad,
    "four dice": _show_four_dice,
    "boxes": _show_boxes,
    "first roll": _show_first_roll,
    "second roll": _show_second_roll,
    "paper card": _show_way("Enter from a paper card"),
    "missed": _show_way("Turn missed"),
}
# Where dice are tapped and boxes chosen; the list of a group may be longer than the screen.
ENTRY = [state for state in STATES if state != "group"]


@pytest.fixture
def phone(new_phone: NewPhone, served: Served) -> Page:
    """A phone of Early Birds, before anything has been noted there."""
    return new_phone(served.ride("setup"), "Emil")


@pytest.fixture
def fresh(served: Served) -> Ride:
    return served.ride("bbq")


def _place(control: Locator) -> FloatRect:
    found = control.bounding_box()
    assert found is not None
    return found


def test_die_faces_are_large_and_apart_and_show_a_picture_and_a_digit(phone: Page) -> None:
    _show_pad(phone)
    faces = [_place(crew.face(phone, number)) for number in range(1, 7)]
    assert all(min(face["width"], face["height"]) >= 96 for face in faces)
    for left, right in zip(faces[:2] + faces[3:5], faces[1:3] + faces[4:], strict=True):
        assert right["x"] - (left["x"] + left["width"]) >= 8
    for above, below in zip(faces[:3], faces[3:], strict=True):
        assert below["y"] - (above["y"] + above["height"]) >= 8
    for number in range(1, 7):
        expect(crew.face(phone, number).locator("svg, img, .die__face").first).to_be_visible()
        expect(crew.face(phone, number)).to_contain_text(str(number))


@pytest.mark.parametrize("state", STATES)
def test_an_entry_page_can_be_pressed_and_read_outdoors(phone: Page, state: str) -> None:
    STATES[state](phone)
    assert measure(phone, "small", 48) == []
    assert measure(phone, "tiny", 18) == []
    assert measure(phone, "faint", 4.5) == []
    assert measure(phone, "wide") == []
    assert measure(phone, "cut") == []
    assert list_barriers(phone) == []
    assert list_barriers(phone, with_rules=("color-contrast-enhanced",)) == []
    main = phone.locator(".button--main:visible, .box:visible, .bike-row:visible, .dice-pad__face:visible")
    assert [text for text in map(str, (_place(one)["height"] for one in main.all())) if float(text) < 64] == []


@pytest.mark.parametrize("state", ENTRY)
def test_the_entry_fits_the_screen_and_what_is_pressed_ends_in_the_bottom_third(phone: Page, state: str) -> None:
    STATES[state](phone)
    assert phone.evaluate("document.documentElement.scrollHeight") <= HEIGHT
    last = _place(phone.locator("main button:visible").last)
    assert last["y"] + last["height"] / 2 >= HEIGHT * 2 / 3
    expect(phone.locator("h1 .plate")).to_be_in_viewport(ratio=1)
    expect(phone.locator("h1")).to_contain_text("Cal D.")


def test_numerals_of_dice_are_large_wherever_they_are_noted(phone: Page) -> None:
    for show in (_show_four_dice, _show_boxes, _show_first_roll):
        show(phone)
        digits = phone.locator("main .die__digit:visible")
        sizes = digits.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
        assert sizes
        assert min(sizes) >= 32


def test_a_turn_is_noted_in_six_taps_and_the_next_bike_is_one_more(new_phone: NewPhone, fresh: Ride) -> None:
    phone = new_phone(fresh, "Emil")
    crew.go_to_stop(phone, "Finale")
    crew.open_bike(phone, "3")
    assert crew.count_taps(phone, lambda: crew.note(phone, "33311", "Yahtzee")) == 6
    expect(phone.locator(".noted__what")).to_contain_text("Bike 3, Pam H.: Yahtzee, 0 points at Finale")
    assert _place(phone.locator("#next"))["y"] >= HEIGHT * 2 / 3
    assert phone.evaluate("document.documentElement.scrollHeight") <= HEIGHT
    assert measure(phone, "small", 48) == []
    assert measure(phone, "tiny", 18) == []
    assert list_barriers(phone) == []
    assert list_barriers(phone, with_rules=("color-contrast-enhanced",)) == []
    phone.locator("#next").click()
    expect(phone.locator("[data-dice-pad]")).to_be_visible()


def test_undo_stays_ten_seconds_and_a_correction_can_be_made_after(new_phone: NewPhone, fresh: Ride) -> None:
    phone = new_phone(fresh, "Emil")
    phone.clock.install()
    crew.go_to_stop(phone, "Finale")
    crew.open_bike(phone, "8")
    crew.note(phone, "33311", "Yahtzee")
    undo = phone.get_by_role("button", name="Undo")
    phone.clock.run_for(9_500)
    expect(undo).to_be_visible()
    phone.clock.run_for(1_500)
    expect(undo).to_have_count(0)
    phone.locator("details.menu summary").click()
    phone.get_by_role("link", name="History and corrections").click()
    expect(phone.get_by_role("link", name=re.compile("^Correct Finale"))).to_be_visible()


def test_open_boxes_come_best_first_and_closed_ones_say_why(new_phone: NewPhone, fresh: Ride) -> None:
    phone = new_phone(fresh, "Emil")
    crew.go_to_stop(phone, "Finale")
    crew.open_bike(phone, "12")
    crew.tap_dice(phone, "55566")
    expect(phone.locator("button.box").first).to_be_visible()
    points = [int(text) for text in phone.locator("button.box .box__points").all_inner_texts()]
    assert points == sorted(points, reverse=True)
    assert points[0] == 27, "Chance stays open for bike 12, three and four of a kind do not"
    phone.locator("details.fold summary").click()
    closed = phone.locator(".closed-boxes")
    for box in ("Three of a kind", "Four of a kind", "Large straight"):
        expect(closed.locator("li", has_text=box)).to_contain_text(re.compile(f"{box} .+"))


def test_the_bike_stays_in_sight_when_a_long_page_is_scrolled(new_phone: NewPhone, fresh: Ride) -> None:
    phone = new_phone(fresh, "Emil")
    crew.go_to_stop(phone, "BBQ")
    crew.open_bike(phone, "12")
    phone.get_by_role("link", name="Correct it").click()
    expect(phone.locator(".turn")).to_have_count(3)
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert phone.evaluate("scrollY") > 0
    expect(phone.locator("h1 .plate")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("state", ["four dice", "boxes", "second roll"])
def test_turning_the_phone_keeps_what_was_tapped(phone: Page, state: str) -> None:
    STATES[state](phone)
    faces = phone.locator(".dice-row .die").all_inner_texts()
    phone.set_viewport_size({"width": 640, "height": 360})
    assert phone.locator(".dice-row .die").all_inner_texts() == faces
    assert measure(phone, "wide") == []
    phone.set_viewport_size({"width": 360, "height": 640})
    assert phone.locator(".dice-row .die").all_inner_texts() == faces


def test_a_box_that_was_tapped_looks_so_until_the_answer_is_there(new_phone: NewPhone, served: Served) -> None:
    phone = new_phone(served.load_ride("setup"), "Emil")
    _show_boxes(phone)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.route("**/crew/bikes/**", hold)

    crew.box(phone, "Full house").tap()

    expect(phone.locator("button.box[data-pressed]")).to_contain_text("Full house")
    held[0].continue_()
    expect(phone.locator(".noted__what")).to_be_visible()
    expect(phone.locator("[data-pressed]")).to_have_count(0)
