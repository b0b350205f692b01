"""/crew/tables/<id>/: the page of a table, taps that change the draft, and the tap that records."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.scorecards.card_forms import HTMX, list_buttons
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.statements import list_statements
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw
from tests.scorekeeper.table_forms import (
    ROLL,
    crew_url,
    desk_url,
    follow_redirect,
    get_keep_data,
    get_roll_data,
    get_throw_data,
    list_action_data,
    press,
    read_entry_form,
    tap,
)

pytestmark = pytest.mark.django_db


def test_the_page_shows_the_seats_and_whose_turn_it_is(rogue_table: UUID, add_action: AddAction, phone: Any) -> None:
    for action in (get_roll_data(0), get_keep_data(0, 2, 2, "C"), {"seat": 0, "type": "bank"}):
        add_action(rogue_table, action)

    page = get_page_text(phone.get(crew_url(rogue_table)))

    ben, cleo = page[page.index('class="seats__list"') : page.index("</ol>")].split("<li")[1:]
    assert ("Ben" in ben, "8" in ben, "to play" in ben) == (True, True, False)
    assert ("Cleo" in cleo, "seat--acts" in cleo, "to play" in cleo) == (True, True, True)


def test_the_menu_leads_to_the_rules_beside_the_page(rogue_table: UUID, phone: Any) -> None:
    page = get_page_text(phone.get(crew_url(rogue_table)))

    assert '<a href="/rules/rogue/" target="_blank" rel="noopener">Rules of the game' in page


def test_dice_are_tapped_one_by_one_and_the_button_records_them(
    pig_table: UUID, fetch_table: ReadTable, phone: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2, 5)
    assert read_entry_form(page)["throw:dice"] == ["2", "5"]

    shown_page = follow_redirect(phone, press(phone, page, "note:throw:"))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2, 5)]
    assert "Ann: Thrown 2 5" in get_page_text(shown_page)
    assert "Undo" in get_page_text(shown_page)
    assert list_buttons(shown_page, "note:bank:") == ["1"], "the next thing to do is on the same page"


def test_a_tapped_die_is_removed_by_a_tap_on_it(pig_table: UUID, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2, 5)

    page = press(phone, page, "back:throw:dice", "0")

    assert read_entry_form(page)["throw:dice"] == ["5"]


def test_the_button_is_enabled_once_the_dice_are_entered(pig_table: UUID, phone: Any) -> None:
    page = phone.get(crew_url(pig_table))
    assert "data-record disabled" in get_page_text(page)

    assert "data-record disabled" not in get_page_text(tap(phone, page, "throw:dice", 2))


def test_with_javascript_an_action_is_one_request_that_returns_the_table(
    pig_table: UUID, fetch_table: ReadTable, phone: Any
) -> None:
    page = phone.get(crew_url(pig_table))

    answer = press(phone, page, "note:throw:", htmx=True, throw__dice=["2", "5"])

    assert answer.status_code == 200
    assert "<html" not in get_page_text(answer)
    assert "Ann: Thrown 2 5" in get_page_text(answer)
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2, 5)]


def test_options_are_listed_best_first_and_recorded_with_one_tap(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    add_action(rogue_table, get_roll_data(0))
    page = phone.get(crew_url(rogue_table))

    assert list_buttons(page, "note:keep:dice") == ["0 1 5", "0 1", "5"], "8 points, 4 points, nothing"
    press(phone, page, "note:keep:dice", "0 1 5")

    assert list_action_data(fetch_table, rogue_table)[-1] == get_keep_data(0, 2, 2, "C")


def test_a_flag_is_set_before_the_button_is_pressed(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    add_action(pig_table, make_throw(2, 4))

    shown_page = follow_redirect(phone, press(phone, phone.get(crew_url(pig_table)), "note:bank:", bank__double="1"))

    assert list_action_data(fetch_table, pig_table)[-1] == {**BANK, "seat": 0, "double": True}
    assert "Ann: Banked, Twice over" in get_page_text(shown_page)


def test_a_reroll_and_its_result_are_one_action(
    add_game_table: AddTable, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    card = add_game_table("grand-prix", "Ann")
    for action in ({"type": "gear", "gear": 1}, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]}):
        add_action(card, action)
    page = press(phone, phone.get(crew_url(card)), "tap:select:dice", "1", select__reroll=["3", "5"])
    assert read_entry_form(page)["select:reroll"] == ["3", "5"]

    shown_page = follow_redirect(phone, press(phone, tap(phone, page, "select:dice", 3), "note:select:"))

    assert list_action_data(fetch_table, card)[-1] == {"seat": 0, "type": "select", "reroll": [4, 6], "dice": [1, 3]}
    assert "Dice to roll again 4 6, Dice rolled 1 3" in get_page_text(shown_page)


def test_several_colours_of_dice_are_recorded_together(
    add_game_table: AddTable, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    card = add_game_table("go-500", "Ann")
    add_action(card, {"type": "start", "black": 2, "green": 1})
    page = phone.get(crew_url(card))
    black, green = page.context["offers"][0]["fields"][:2]
    faces = [black["faces"][place]["value"] for place in (0, 1)]
    page = tap(phone, page, "roll:black", *faces)

    press(phone, page, "note:roll:", roll__green=green["faces"][0]["value"], roll__flag="green")

    (action,) = list_action_data(fetch_table, card)[1:]
    assert ([str(face) for face in action["black"]], action["flag"]) == (faces, "green")
    assert str(action["green"]) == green["faces"][0]["value"]


def test_an_incomplete_draft_is_shown_with_every_problem_and_not_recorded(
    add_game_table: AddTable, add_action: AddAction, phone: Any
) -> None:
    card = add_game_table("go-500", "Ann")
    add_action(card, {"type": "start", "black": 2, "green": 1})
    page = phone.get(crew_url(card))
    face = page.context["offers"][0]["fields"][0]["faces"][0]["value"]

    refused = press(phone, tap(phone, page, "roll:black", face), "note:roll:")

    assert refused.status_code == 422
    text = get_page_text(refused)
    assert '<a href="#roll-black">1 of 2 dice tapped.</a>' in text
    assert '<a href="#roll-green">Green die: choose one.</a>' in text
    assert '<a href="#roll-flag">Flag die: choose one.</a>' in text
    assert text.count("1 of 2 dice tapped.") == 2, "in the summary and at the field"
    assert read_entry_form(refused)["roll:black"] == [face]
    assert Operation.objects.filter(kind="action").count() == 1


def test_too_many_dice_are_rejected_and_preserved(pig_table: UUID, fetch_table: ReadTable, phone: Any) -> None:
    refused = press(phone, phone.get(crew_url(pig_table)), "note:throw:", throw__dice=["2", "2", "2"])

    assert refused.status_code == 422
    assert "At most 2 dice are allowed here." in get_page_text(refused)
    assert read_entry_form(refused)["throw:dice"] == ["2", "2", "2"]
    assert list_action_data(fetch_table, pig_table) == []


def test_a_forbidden_action_is_explained_with_its_clause_and_not_recorded(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any
) -> None:
    """ROGUE-16."""
    add_action(rogue_table, get_roll_data(0))

    refused = press(phone, phone.get(crew_url(rogue_table)), "note:keep:dice", "2")

    assert refused.status_code == 422
    assert "(ROGUE-" in get_page_text(refused)
    assert len(list_action_data(fetch_table, rogue_table)) == 1


def test_the_same_form_submitted_twice_is_one_action(pig_table: UUID, fetch_table: ReadTable, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)

    follow_redirect(phone, press(phone, page, "note:throw:"))
    again = follow_redirect(phone, press(phone, page, "note:throw:"))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2)]
    assert "Ann: Thrown 2" in get_page_text(again)
    assert not ReviewItem.objects.exists()


def test_two_phones_recording_the_same_action_do_not_conflict(
    ride: Ride, pig_table: UUID, crew_client: CrewClient, fetch_table: ReadTable, phone: Any
) -> None:
    toms = crew_client(ride.tom)
    mine, his = phone.get(crew_url(pig_table)), toms.get(crew_url(pig_table))
    follow_redirect(toms, press(toms, his, "note:throw:", throw__dice=["2"]))

    shown_page = follow_redirect(phone, press(phone, mine, "note:throw:", throw__dice=["2"]))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2)]
    assert "Undo" not in get_page_text(shown_page), "it is Tom's to undo"
    assert not ReviewItem.objects.exists()


def test_a_phone_that_is_behind_sees_the_newer_actions_and_keeps_input_that_still_fits(
    ride: Ride, pig_table: UUID, crew_client: CrewClient, fetch_table: ReadTable, phone: Any
) -> None:
    toms = crew_client(ride.tom)
    mine, his = phone.get(crew_url(pig_table)), toms.get(crew_url(pig_table))
    follow_redirect(toms, press(toms, his, "note:throw:", throw__dice=["2"]))

    behind = press(phone, mine, "note:throw:", throw__dice=["5"])

    assert behind.status_code == 409
    assert "Recorded in the meantime: Ann: Thrown 2." in get_page_text(behind)
    assert read_entry_form(behind)["throw:dice"] == ["5"]
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2)]
    assert not ReviewItem.objects.exists()
    follow_redirect(phone, press(phone, behind, "note:throw:"))
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2), get_throw_data(5)]


def test_input_that_no_longer_fits_is_shown_in_words(
    ride: Ride, rogue_table: UUID, crew_client: CrewClient, phone: Any
) -> None:
    toms = crew_client(ride.tom)
    mine, his = phone.get(crew_url(rogue_table)), toms.get(crew_url(rogue_table))
    follow_redirect(toms, press(toms, his, "note:roll:", roll__dice=["2", "2", "3", "3", "4", "4"]))

    behind = press(phone, mine, "note:roll:", roll__dice=list(map(str, ROLL)))

    assert behind.status_code == 409
    assert "Recorded in the meantime: Ben: Rolled 2 2 3 3 4 4." in get_page_text(behind)
    assert "Not recorded: Rolled C 2 2 4 5 6." in get_page_text(behind)
    assert "roll:dice" not in read_entry_form(behind)


def test_a_form_whose_action_was_voided_gets_a_new_id(
    pig_table: UUID, desk: Actor, fetch_table: ReadTable, phone: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)
    follow_redirect(phone, press(phone, page, "note:throw:"))
    last = fetch_table(pig_table).last_action
    assert last is not None
    correct_actions(desk, uuid4(), pig_table, [CorrectionTarget(last.id, last.seq, None)], "not Ann's dice")

    behind = press(phone, page, "note:throw:")

    assert behind.status_code == 409
    assert read_entry_form(behind)["operation"] != read_entry_form(page)["operation"]
    follow_redirect(phone, press(phone, behind, "note:throw:"))
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2)]


def test_a_tap_keeps_the_draft_and_shows_newer_actions(pig_table: UUID, add_action: AddAction, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)
    add_action(pig_table, make_throw(6))

    after = tap(phone, page, "throw:dice", 3)

    assert "Recorded in the meantime: Ann: Thrown 6." in get_page_text(after)
    assert read_entry_form(after)["throw:dice"] == ["2", "3"]


def test_while_the_ride_is_not_open_nothing_is_recorded_and_no_input_is_lost(
    ride: Ride, pig_table: UUID, fetch_table: ReadTable, phone: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    refused = press(phone, page, "note:throw:")

    assert refused.status_code == 422
    assert (
        get_page_text(refused).count(
            "The event is not open, so nothing can be recorded. What you entered is still here."
        )
        == 1
    )
    assert read_entry_form(refused)["throw:dice"] == ["2"]
    assert list_action_data(fetch_table, pig_table) == []


def _close(desk: Actor, card_id: UUID) -> None:
    contest = Contest.objects.get(cards=card_id)
    close_contest(desk, uuid4(), contest.pk, "the fire is out")


def test_at_a_closed_contest_the_crew_see_an_error_and_nothing_is_recorded(
    pig_table: UUID, desk: Actor, phone: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)
    _close(desk, pig_table)

    refused = press(phone, page, "note:throw:")

    assert refused.status_code == 422
    assert get_page_text(refused).count("The contest is closed. Ask the organiser.") == 1, (
        "only in the summary: no field can fix it"
    )
    assert read_entry_form(refused)["throw:dice"] == ["2"]
    assert not ReviewItem.objects.exists()


def test_the_organiser_records_at_a_closed_contest_with_a_reason(
    ride: Ride, pig_table: UUID, desk: Actor, alice: User, sign_in: SignIn, fetch_table: ReadTable
) -> None:
    _close(desk, pig_table)
    browser = sign_in(alice)
    page = tap(browser, browser.get(desk_url(ride, pig_table)), "throw:dice", 2)
    message = "The contest is closed. Enter a reason for recording this anyway."
    assert_refused(press(browser, page, "note:throw:"), "reason", message)

    follow_redirect(browser, press(browser, page, "note:throw:", reason="forgotten on paper"))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2)]


def test_a_finished_table_names_the_winner_and_links_to_the_leaderboard(
    ride: Ride, add_game_table: AddTable, add_action: AddAction, phone: Any
) -> None:
    card = add_game_table("rogue", "Ben", "Cleo", target=20)
    run: list[int | str] = [2, 3, 4, 5, 6, "C"]
    miss = [2, 3, 4, 5, 6, 6]
    for action in (
        get_roll_data(0, *run),
        get_keep_data(0, *run),
        get_roll_data(1, *miss),
        get_keep_data(1, 6, 6),
        {"seat": 1, "type": "bank"},
    ):
        add_action(card, action)

    page = get_page_text(phone.get(crew_url(card)))

    assert "Ben has won." in page
    assert f"/events/{ride.event.slug}/rogue/" in page
    assert 'name="note:' not in page


def test_the_score_sheet_has_a_column_for_every_seat(rogue_table: UUID, add_action: AddAction, phone: Any) -> None:
    for action in (get_roll_data(0), get_keep_data(0, 2, 2, "C"), {"seat": 0, "type": "bank"}):
        add_action(rogue_table, action)

    page = get_page_text(phone.get(crew_url(rogue_table)))

    sheet = page[page.index('class="table sheet"') :]
    assert sheet.index("Ben") < sheet.index("Cleo") < sheet.index(">8<")


def test_recording_an_action_takes_few_queries(
    pig_table: UUID, add_action: AddAction, phone: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """Five to record the action, seven to open the table, and two to read it again."""
    add_action(pig_table, make_throw(3))
    with django_capture_on_commit_callbacks(execute=True):
        page = tap(phone, phone.get(crew_url(pig_table)), "throw:dice", 2)

    with CaptureQueriesContext(connection) as queries:
        answer = press(phone, page, "note:throw:", htmx=True)

    assert answer.status_code == 200
    statements = list_statements(queries)
    assert len(statements) == 5 + 7 + 2, statements


@pytest.mark.parametrize(
    "fields",
    [
        {"note:throw:": "1", "throw:dice": "7"},
        {"note:throw:": "1", "throw:dice": ["2"] * 500},
        {"note:nothing:": "1"},
        {"note:throw:dice": "[2]", "seen": "999999999999999"},
        {"note:throw:": "2", "seen": "-1"},
        {"tap:throw:dice": "x" * 9000},
        {"back:throw:dice": "99"},
        {"note::": ""},
        {"note:bank:double": "1"},
        {":": "1", "a:b": "\x00"},
    ],
)
def test_a_malformed_form_gets_a_response(pig_table: UUID, fetch_table: ReadTable, phone: Any, fields: Any) -> None:
    answer = phone.post(crew_url(pig_table), fields)

    assert answer.status_code in (200, 409, 422)
    assert list_action_data(fetch_table, pig_table) == []


def test_a_poll_returns_nothing_while_nothing_changes(pig_table: UUID, phone: Any) -> None:
    page = phone.get(crew_url(pig_table))

    assert phone.get(crew_url(pig_table), {"poll": page.context["poll"]}, headers=HTMX).status_code == 204


def test_a_poll_returns_the_table_once_it_has_changed(
    ride: Ride, pig_table: UUID, add_action: AddAction, phone: Any
) -> None:
    page = phone.get(crew_url(pig_table))
    add_action(pig_table, make_throw(6), by=make_actor(ride.tom))

    fresh = phone.get(crew_url(pig_table), {"poll": page.context["poll"]}, headers=HTMX)

    assert "Ann: Thrown 6" in get_page_text(fresh)
    assert 'id="table"' in get_page_text(fresh)


def test_a_draft_in_progress_only_gets_a_notice(ride: Ride, pig_table: UUID, add_action: AddAction, phone: Any) -> None:
    page = phone.get(crew_url(pig_table))
    add_action(pig_table, make_throw(6), by=make_actor(ride.tom))

    news = phone.get(crew_url(pig_table), {"poll": page.context["poll"], "throw:dice": "2"}, headers=HTMX)

    assert news.headers["HX-Retarget"] == "#news"
    assert "Recorded elsewhere: Ann: Thrown 6." in get_page_text(news)
    assert 'id="table"' not in get_page_text(news)


def test_the_next_page_shows_the_consequences_of_the_action(
    rogue_table: UUID, add_action: AddAction, phone: Any
) -> None:
    for action in (get_roll_data(0), get_keep_data(0, 2, 2)):
        add_action(rogue_table, action)
    page = phone.get(crew_url(rogue_table))
    assert 'id="consequences"' not in get_page_text(page)

    page = follow_redirect(phone, press(phone, page, "note:roll:", roll__dice=["3", "4", "5", "6"]))

    assert "Nothing scores and there is no rogue: the turn ends with 4 points." in get_page_text(page)


def test_a_button_shows_its_consequences_beforehand(
    add_game_table: AddTable, add_action: AddAction, phone: Any
) -> None:
    card = add_game_table("grand-prix", "Ann")
    add_action(card, {"seat": 0, "type": "gear", "gear": 3})
    add_action(card, {"seat": 0, "type": "roll", "dice": [1, 2, 2, 4, 5, 6]})

    page = get_page_text(phone.get(crew_url(card)))

    assert "The car moves 3 spaces." in page
    assert 'aria-describedby="preview-move"' in page
