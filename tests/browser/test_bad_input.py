"""Bad input is refused with the reason at the top and at the field, in focus, and the input is preserved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone, TakePage
from tests.browser.measure import PHONE
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

BROKEN_ROSTER = """\
number,rider,group
12,Ann Miller,Group one
twelve,Ben Novak,Group one
12,Cleo Hart,Group one
"""


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    return server.ride("ozwelds")


def _send(page: Page, control: Locator) -> Response:
    """Press the control that sends the form and return the response."""
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        control.click()
    return answer.value


def _summary(page: Page) -> Locator:
    summary = page.locator(".error-summary")
    expect(summary).to_be_focused()
    return summary


def _dice_in_form(page: Page) -> str:
    return "".join(page.locator(".dice-row input[type=hidden]").evaluate_all("all => all.map(one => one.value)"))


def _at_boxes(phone: Page, bike: str, dice: str, stop: str = "Parks") -> None:
    crew.show_bike(phone, stop, bike)
    crew.tap_dice(phone, dice)
    expect(phone.locator("button.box").first).to_be_visible()


def test_four_dice_are_refused_and_preserved(new_phone: NewPhone, ride: DemoRide) -> None:
    phone = new_phone(ride, "Emil")
    _at_boxes(phone, "12", "44466")
    phone.locator(".dice-row input[type=hidden]").last.evaluate("one => one.remove()")

    answer = _send(phone, crew.get_box_button(phone, "Chance"))

    assert answer.status == 422
    expect(_summary(phone)).to_contain_text(re.compile("dice", re.IGNORECASE))
    assert _dice_in_form(phone) == "4446"
    expect(phone.locator("h1")).to_contain_text("Cal D.")
    crew.get_face_button(phone, 6).click()
    crew.record_in_box(phone, "Full house")


def test_a_box_that_was_used_meanwhile_says_why_and_the_dice_stay(new_phone: NewPhone, ride: DemoRide) -> None:
    emil, fay = new_phone(ride, "Emil"), new_phone(ride, "Fay")
    _at_boxes(emil, "17", "66642", "BBQ")
    _at_boxes(fay, "17", "55512")
    crew.record_in_box(fay, "Chance")

    answer = _send(emil, crew.get_box_button(emil, "Chance"))

    assert answer.status == 422
    expect(_summary(emil)).to_contain_text("Chance")
    assert _dice_in_form(emil) == "66642"
    crew.record_in_box(emil, "Sixes")


def test_an_undo_from_a_stale_page_changes_nothing(new_phone: NewPhone, ride: DemoRide) -> None:
    emil = new_phone(ride, "Emil")
    _at_boxes(emil, "21", "12345")
    crew.record_in_box(emil, "Small straight")
    twin = emil.context.new_page()
    twin.goto(emil.url)
    twin.get_by_role("button", name="Undo").click()
    expect(twin.get_by_text("Undone. Parks is empty again.")).to_be_visible()
    crew.record_in_box(twin, "Chance")

    emil.get_by_role("button", name="Undo").click()

    warning = "Nothing was undone, since the entries have changed. These are the current ones."
    expect(emil.get_by_text(warning)).to_be_visible()
    expect(emil.locator("main")).to_contain_text("Chance 15 points")


def test_another_groups_bike_is_explained_and_a_road_captain_may_take_it_over(
    new_phone: NewPhone, ride: DemoRide
) -> None:
    emil, dora = new_phone(ride, "Emil"), new_phone(ride, "Dora")
    for phone in (emil, dora):
        crew.show_group(phone, "Parks")
        crew.find_bike(phone, "63")
        expect(phone.locator(".bike-row", has_text="Dan B.")).to_be_visible()

    with emil.expect_response("**/crew/bikes/**") as answer:
        crew.get_bike_link(emil, "63").click()

    assert answer.value.status == 403
    expect(emil.locator("main")).to_contain_text("Bike 63, Dan B. rides with Main Pack.")
    expect(emil.get_by_role("link", name="Take this bike over")).to_have_count(0)
    crew.get_bike_link(dora, "63").click()
    dora.get_by_role("link", name="Take this bike over").click()
    crew.record_turn(dora, "33344", "Full house")


def test_a_turn_for_a_closed_contest_goes_to_review_and_replaces_the_forfeit_with_one_tap(
    server: RunningServer, new_phone: NewPhone, desk: Page
) -> None:
    ride = server.load_ride("parks")
    emil = new_phone(ride, "Emil")
    _at_boxes(emil, "12", "44466", "BBQ")
    desk.goto(f"{ride.desk}finish/rock-yahtzee/close/")
    desk.get_by_role("button", name="Close the contest").click()

    answer = _send(emil, crew.get_box_button(emil, "Full house"))

    assert answer.status == 409
    expect(_summary(emil)).to_contain_text("nothing is lost")
    desk.goto(f"{ride.desk}review/")
    waiting = desk.locator("section.panel", has=desk.get_by_role("heading", name="Bike 12"))
    waiting.get_by_role("button", name="Replace the missed turn").click()
    crew.show_group(emil, "BBQ")
    expect(emil.locator(".bike-row", has_text="Cal D.")).to_contain_text("Full house: 25")


def test_a_phone_revoked_in_the_middle_shows_what_was_tapped(
    server: RunningServer, new_phone: NewPhone, desk: Page
) -> None:
    ride = server.ride("ozwelds")
    max_ = new_phone(ride, "Max")
    _at_boxes(max_, "71", "44466")
    desk.goto(f"{ride.desk}groups/")
    desk.get_by_role("link", name="Max", exact=True).click()
    desk.get_by_role("link", name="Revoke").first.click()
    desk.get_by_role("button", name="Revoke").click()

    answer = _send(max_, crew.get_box_button(max_, "Full house"))

    assert answer.status == 401
    expect(max_.get_by_role("heading", name="This phone is signed out")).to_be_visible()
    expect(max_.locator("main")).to_contain_text("4 4 4 6 6")
    expect(max_.locator("main")).to_contain_text("Full house")


def test_a_broken_roster_names_the_rows_and_imports_nothing(desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}bikes/import/")
    desk.get_by_label("Or paste it here").fill(BROKEN_ROSTER)

    answer = _send(desk, desk.get_by_role("button", name="Check the import"))

    assert answer.status == 422
    summary = _summary(desk)
    expect(summary).to_contain_text(re.compile("Cell A3.*number"))
    expect(summary).to_contain_text(re.compile("rows 2 and 4", re.IGNORECASE))
    expect(desk.get_by_label("Or paste it here")).to_have_value(BROKEN_ROSTER)
    summary.get_by_role("link").first.click()
    expect(desk.get_by_label("Or paste it here")).to_be_focused()
    desk.goto(f"{ride.desk}bikes/")
    expect(desk.get_by_text("Ben Novak")).to_have_count(0)


def test_a_form_left_empty_says_so_at_the_top_and_at_each_field(new_phone: NewPhone, ride: DemoRide) -> None:
    phone = new_phone(ride, "Emil")
    phone.goto("/crew/walk-up/")
    phone.get_by_label("Rider").fill("Moss T.")

    answer = _send(phone, phone.get_by_role("button", name="Add the bike"))

    assert answer.status == 422
    link = _summary(phone).get_by_role("link")
    text = link.inner_text()
    expect(phone.locator(".field--error")).to_contain_text(text)
    expect(phone.get_by_label("Rider")).to_have_value("Moss T.")
    link.click()
    expect(phone.get_by_label("Number")).to_be_focused()


def test_a_wrong_password_is_reported_and_the_name_preserved(server: RunningServer, take_page: TakePage) -> None:
    page = take_page(PHONE)
    page.goto("/sign-in/")
    page.get_by_label("Name").fill(server.organiser[0])
    page.get_by_label("Password").fill("not this one")

    answer = _send(page, page.get_by_role("button", name="Sign in", exact=True))

    assert answer.status == 422
    _summary(page)
    expect(page.get_by_label("Name")).to_have_value(server.organiser[0])
