"""/crew/tables/<id>/correct/: the form for the state before the action, filled with the action, and the reason."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, ReviewItem
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.table_fixtures import BANK, AddAction, ReadTable, make_throw
from tests.scorekeeper.table_forms import (
    crew_url,
    desk_url,
    follow_redirect,
    get_bank_data,
    get_keep_data,
    get_roll_data,
    get_throw_data,
    list_action_data,
    press,
    read_entry_form,
    tap,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_at(phone: Any, fetch_table: ReadTable) -> Any:
    """Open the correction of the action at a position, counted from 0: `open_at(card, 1)`."""

    def make(card_id: UUID, place: int) -> Any:
        one = list(fetch_table(card_id).turns.values())[place]
        return phone.get(f"{crew_url(card_id, 'correct')}?action={one.id}")

    return make


def test_the_form_is_filled_with_the_recorded_action(pig_table: UUID, add_action: AddAction, open_at: Any) -> None:
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)

    page = open_at(pig_table, 0)

    assert read_entry_form(page)["throw:dice"] == ["2", "5"]
    assert "Action 1 was recorded as: Ann: Thrown 2 5" in get_page_text(page)
    assert "note:bank:" not in get_page_text(page), "there was nothing to bank at that moment"


def test_dice_are_removed_and_entered_again_and_saved_with_the_reason(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)
    page = tap(phone, press(phone, open_at(pig_table, 0), "back:throw:dice", "1"), "throw:dice", 4)
    assert read_entry_form(page)["throw:dice"] == ["2", "4"]

    done = follow_redirect(phone, press(phone, page, "note:throw:", reason="a four, not a five"))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2, 4), {"seat": 0, "type": "bank"}]
    assert "Corrected: action 1, Ann: Thrown 2 4." in get_page_text(done)
    assert "a four, not a five" in get_page_text(done)


def test_an_option_is_chosen_before_it_is_sent(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(rogue_table, get_roll_data(0))
    add_action(rogue_table, get_keep_data(0, 2, 2))
    page = open_at(rogue_table, 1)
    assert read_entry_form(page)["keep:dice"] == ["0 1"]

    follow_redirect(phone, press(phone, page, "note:keep:", keep__dice="0 1 5", reason="the critter too"))

    assert list_action_data(fetch_table, rogue_table)[-1] == get_keep_data(0, 2, 2, "C")


def test_another_action_of_that_moment_can_be_chosen(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    for action in (make_throw(2, 4), make_throw(3)):
        add_action(pig_table, action)

    follow_redirect(
        phone, press(phone, open_at(pig_table, 1), "note:bank:", bank__double="1", reason="banked, not thrown")
    )

    assert list_action_data(fetch_table, pig_table)[-1] == {"seat": 0, "type": "bank", "double": True}


def test_without_a_reason_nothing_is_saved_and_the_input_is_preserved(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))

    refused = press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["2", "4"])

    assert_refused(refused, "id_reason", "Enter a reason.")
    assert read_entry_form(refused)["throw:dice"] == ["2", "4"]
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2, 5)]


def test_all_problems_are_shown_at_once(pig_table: UUID, add_action: AddAction, phone: Any, open_at: Any) -> None:
    add_action(pig_table, make_throw(2, 5))

    refused = press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["2", "4", "4"])

    assert '<a href="#throw-dice">At most 2 dice are allowed here.</a>' in get_page_text(refused)
    assert get_page_text(refused).count("At most 2 dice are allowed here.") == 2, "in the summary and at the dice"
    assert '<a href="#id_reason">Enter a reason.</a>' in get_page_text(refused)


def test_a_correction_without_changes_is_not_saved(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))

    refused = press(phone, open_at(pig_table, 0), "note:throw:", reason="why not")

    assert refused.status_code == 422
    assert '<a href="#offers">You have not changed anything. Change what is wrong.</a>' in get_page_text(refused)
    assert get_page_text(refused).count("You have not changed anything. Change what is wrong.") == 2, (
        "in the summary and at the offers"
    )
    assert fetch_table(pig_table).length == 2


def test_a_later_action_made_invalid_is_named_and_nothing_is_saved_yet(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)

    refused = press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["1"], reason="a one")

    assert refused.status_code == 422
    page = get_page_text(refused)
    assert "With this change, action 2 is not allowed (Ann: Banked). There is nothing to bank." in page
    assert 'href="/rules/pig-race/#PIG-2"' in page
    assert "Action 1 becomes: Ann: Thrown 1" in page
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2, 5), {"seat": 0, "type": "bank"}]
    assert not ReviewItem.objects.exists()


def test_a_wrong_action_and_one_made_invalid_are_corrected_in_one_entry(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    for action in (get_roll_data(0), get_keep_data(0, 2, 2), get_bank_data(0), get_roll_data(1, 3, 3, 3, 4, 5, 6)):
        add_action(rogue_table, action)
    length = fetch_table(rogue_table).length
    threes = ["C", "3", "3", "4", "5", "6"]

    page = press(phone, open_at(rogue_table, 0), "note:roll:", roll__dice=threes, reason="threes, not twos")
    assert "Action 2 was recorded as: Ben: Set aside 2 2" in get_page_text(page)
    done = follow_redirect(phone, press(phone, page, "note:keep:", keep__dice="0 1"))

    assert list_action_data(fetch_table, rogue_table)[:2] == [
        get_roll_data(0, "C", 3, 3, 4, 5, 6),
        get_keep_data(0, 3, 3),
    ]
    assert len(list_action_data(fetch_table, rogue_table)) == 4
    assert fetch_table(rogue_table).length == length + 1, "one entry"
    entry = Entry.objects.filter(chain_id=rogue_table).latest("seq")
    assert (entry.kind, entry.operation.kind, entry.operation.reason.text) == ("amend", "correct", "threes, not twos")
    assert len(json.loads(entry.body)["data"]["changes"]) == 2
    assert "Actions corrected: 2, voided: 0." in get_page_text(done)


def test_an_action_missing_because_of_a_wrong_die_is_added_and_later_ones_stay(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    """A roll that scored nothing ended the turn; if it has a pair, Ben sets it aside and ends the turn himself."""
    later = [get_roll_data(1, 3, 3, 3, 4, 5, 6), get_keep_data(1, 3, 3, 3), get_bank_data(1)]
    for action in (get_roll_data(0), get_keep_data(0, 2, 2), get_roll_data(0, 3, 4, 5, 6), *later):
        add_action(rogue_table, action)

    page = press(phone, open_at(rogue_table, 2), "note:roll:", roll__dice=["3", "3", "5", "6"], reason="a three")
    assert "With this change, action 4 is not allowed (Cleo: Rolled" in get_page_text(page)
    page = press(phone, page, "note:add.keep:", fields={"add.keep:dice": "0 1"})
    page = press(phone, page, "note:add.bank:")
    shown_page = get_page_text(follow_redirect(phone, page))

    added = [get_roll_data(0, 3, 3, 5, 6), get_keep_data(0, 3, 3), get_bank_data(0)]
    assert list_action_data(fetch_table, rogue_table) == [get_roll_data(0), get_keep_data(0, 2, 2), *added, *later]
    assert fetch_table(rogue_table).invalid_action is None
    assert "Ben: Rolled 3 3 5 6; Ben: Set aside 3 3; Ben: Turn ended" in shown_page


def test_each_part_of_an_action_that_was_corrected_to_several_can_be_corrected_again(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    for action in (
        get_roll_data(0),
        get_keep_data(0, 2, 2),
        get_roll_data(0, 3, 4, 5, 6),
        get_roll_data(1, 3, 3, 3, 4, 5, 6),
    ):
        add_action(rogue_table, action)
    page = press(phone, open_at(rogue_table, 2), "note:roll:", roll__dice=["3", "3", "5", "5"], reason="two pairs")
    page = press(phone, page, "note:add.keep:", fields={"add.keep:dice": "0 1"})
    follow_redirect(phone, press(phone, page, "note:add.bank:"))

    page = press(phone, open_at(rogue_table, 2), "at", f"{list(fetch_table(rogue_table).turns)[2]} 1")
    follow_redirect(phone, press(phone, page, "note:keep:", keep__dice="2 3", reason="the fives"))

    fives = [get_roll_data(0, 3, 3, 5, 5), get_keep_data(0, 5, 5), get_bank_data(0)]
    assert list_action_data(fetch_table, rogue_table) == [
        get_roll_data(0),
        get_keep_data(0, 2, 2),
        *fives,
        get_roll_data(1, 3, 3, 3, 4, 5, 6),
    ]


def test_all_invalid_actions_are_listed_and_can_be_voided_together(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    """The roll with the wrong dice scored nothing after all: Ben's later actions are voided, Cleo's turn stays."""
    cleos = [get_roll_data(1, 3, 3, 3, 4, 5, 6), get_keep_data(1, 3, 3, 3)]
    for action in (
        get_roll_data(0),
        get_keep_data(0, 2, 2),
        get_roll_data(0, 3, 3, 5, 6),
        get_keep_data(0, 3, 3),
        get_bank_data(0),
        *cleos,
    ):
        add_action(rogue_table, action)

    page = press(phone, open_at(rogue_table, 2), "note:roll:", roll__dice=["3", "4", "5", "6"], reason="no pair")
    assert "2 actions are no longer allowed" in get_page_text(page)
    follow_redirect(phone, press(phone, page, "void_all"))

    assert list_action_data(fetch_table, rogue_table) == [
        get_roll_data(0),
        get_keep_data(0, 2, 2),
        get_roll_data(0, 3, 4, 5, 6),
        *cleos,
    ]


def test_a_different_action_can_be_the_wrong_one(
    rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    for action in (get_roll_data(0), get_keep_data(0, 2, 2), get_roll_data(0, 3, 3, 5, 6), get_keep_data(0, 3, 3)):
        add_action(rogue_table, action)
    page = press(phone, open_at(rogue_table, 1), "note:keep:", keep__dice="0 1 5", reason="the critter too")
    assert "With this change, action 3 is not allowed" in get_page_text(page), "one die fewer is left"

    page = press(phone, page, "at", str(list(fetch_table(rogue_table).turns)[1]))
    assert read_entry_form(page)["keep:dice"] == ["0 1 5"]
    refused = press(phone, page, "note:keep:", keep__dice="0 1")

    assert "You have not changed anything. Change what is wrong." in get_page_text(refused)


def test_without_a_reason_the_decisions_are_preserved(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)
    page = press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["1"])

    refused = press(phone, page, "void")

    assert_refused(refused, "id_reason", "Enter a reason.")
    follow_redirect(phone, press(phone, refused, "void", reason="a one"))
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(1)]


def test_decisions_about_actions_that_have_changed_are_asked_again(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)
    page = press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["1"], reason="a one")
    follow_redirect(phone, press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["6"], reason="a six"))

    behind = press(phone, page, "void")

    assert behind.status_code == 409
    assert list_action_data(fetch_table, pig_table)[0] == get_throw_data(6)


@pytest.mark.parametrize("change", ["", "{", "[]", "null", '{"turn": "\\ud800"}', "[" * 5000])
def test_unreadable_decisions_are_rejected(
    pig_table: UUID, add_action: AddAction, phone: Any, open_at: Any, change: str
) -> None:
    add_action(pig_table, make_throw(2, 5))

    behind = press(phone, open_at(pig_table, 0), "note:throw:", throw__dice=["6"], reason="x", change=change)

    assert behind.status_code == 409


def test_an_action_that_has_changed_is_shown_in_its_current_form(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    mine, other = open_at(pig_table, 0), open_at(pig_table, 0)
    follow_redirect(phone, press(phone, other, "note:throw:", throw__dice=["6"], reason="a six"))

    behind = press(phone, mine, "note:throw:", throw__dice=["2", "4"], reason="a four")

    assert behind.status_code == 409
    assert get_page_text(behind).count("It is now: Ann: Thrown 6.") == 1, "only in the summary: no field can fix it"
    assert read_entry_form(behind)["throw:dice"] == ["2", "4"]
    follow_redirect(phone, press(phone, behind, "note:throw:"))
    assert list_action_data(fetch_table, pig_table) == [get_throw_data(2, 4)]


def test_a_correction_submitted_twice_is_saved_once(
    pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    page = open_at(pig_table, 0)

    follow_redirect(phone, press(phone, page, "note:throw:", throw__dice=["6"], reason="a six"))
    again = press(phone, page, "note:throw:", throw__dice=["6"], reason="a six")

    assert again.status_code == 409
    assert fetch_table(pig_table).length == 3


def test_an_action_that_has_been_voided_cannot_be_corrected(
    pig_table: UUID, add_action: AddAction, phone: Any, open_at: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    page = open_at(pig_table, 0)
    phone.post(
        crew_url(pig_table, "void"),
        {"action": read_entry_form(page)["action"], "seq": "2", "reason": "x", "operation": uuid4()},
    )

    behind = press(phone, page, "note:throw:", throw__dice=["6"], reason="a six")

    assert behind.status_code == 409
    assert "This action no longer counts" in get_page_text(behind)


def test_a_retirement_cannot_be_corrected_only_voided(rogue_table: UUID, add_action: AddAction, open_at: Any) -> None:
    add_action(rogue_table, {"seat": 1, "type": "retire"})

    assert "only voided" in get_page_text(open_at(rogue_table, 0))


def test_at_a_closed_contest_only_the_organiser_can_correct(
    ride: Ride,
    pig_table: UUID,
    desk: Actor,
    alice: User,
    sign_in: SignIn,
    add_action: AddAction,
    fetch_table: ReadTable,
    phone: Any,
    open_at: Any,
) -> None:
    add_action(pig_table, make_throw(2, 5))
    page = open_at(pig_table, 0)
    close_contest(desk, uuid4(), fetch_table(pig_table).contest.id, "the fire is out")
    refused = press(phone, page, "note:throw:", throw__dice=["6"], reason="a six")
    assert refused.status_code == 422
    assert get_page_text(refused).count("The contest is closed. Ask the organiser.") == 1, (
        "only in the summary: no field can fix it"
    )
    browser = sign_in(alice)

    (action_id,) = fetch_table(pig_table).turns
    page = browser.get(f"{desk_url(ride, pig_table, 'correct')}?action={action_id}")
    follow_redirect(browser, press(browser, page, "note:throw:", throw__dice=["6"], reason="a six"))

    assert list_action_data(fetch_table, pig_table) == [get_throw_data(6)]


def test_without_an_action_there_is_no_page(pig_table: UUID, phone: Any) -> None:
    assert phone.get(crew_url(pig_table, "correct")).status_code == 404
