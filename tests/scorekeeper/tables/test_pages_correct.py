"""/crew/tables/<id>/correct/: the form at that moment of the play, filled with what was noted, and the reason."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, ReviewItem
from scorekeeper.standings.services.closing import close_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.pages import assert_refused, text_of
from tests.scorekeeper.tables.conftest import BANK, Act, Look, throw
from tests.scorekeeper.tables.pages import (
    banks,
    crew_url,
    desk_url,
    entry_of,
    keeps,
    noted_at,
    press,
    rolls,
    settle,
    tap,
    thrown,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_at(phone: Any, look: Look) -> Any:
    """Open the correction of the action at a place, counted from 0: `open_at(card, 1)`."""

    def make(card_id: UUID, place: int) -> Any:
        one = list(look(card_id).noted.values())[place]
        return phone.get(f"{crew_url(card_id, 'correct')}?action={one.id}")

    return make


def test_the_form_is_filled_with_what_was_noted(pigs: UUID, act: Act, open_at: Any) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)

    page = open_at(pigs, 0)

    assert entry_of(page)["throw:dice"] == ["2", "5"]
    assert "Action 1 was noted as: Ann: Throw 2 5" in text_of(page)
    assert "note:bank:" not in text_of(page), "there was nothing to bank at that moment"


def test_dice_are_taken_back_and_tapped_anew_and_written_with_the_reason(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)
    page = tap(phone, press(phone, open_at(pigs, 0), "back:throw:dice", "1"), "throw:dice", 4)
    assert entry_of(page)["throw:dice"] == ["2", "4"]

    done = settle(phone, press(phone, page, "note:throw:", reason="a four, not a five"))

    assert noted_at(look, pigs) == [thrown(2, 4), {"seat": 0, "type": "bank"}]
    assert "Corrected: action 1, Ann: Throw 2 4." in text_of(done)
    assert "a four, not a five" in text_of(done)


def test_an_option_is_chosen_before_it_is_sent(campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any) -> None:
    act(campfire, rolls(0))
    act(campfire, keeps(0, 2, 2))
    page = open_at(campfire, 1)
    assert entry_of(page)["keep:dice"] == ["0 1"]

    settle(phone, press(phone, page, "note:keep:", keep__dice="0 1 5", reason="the critter too"))

    assert noted_at(look, campfire)[-1] == keeps(0, 2, 2, "C")


def test_another_action_of_that_moment_can_be_chosen(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    for action in (throw(2, 4), throw(3)):
        act(pigs, action)

    settle(phone, press(phone, open_at(pigs, 1), "note:bank:", bank__double="1", reason="banked, not thrown"))

    assert noted_at(look, pigs)[-1] == {"seat": 0, "type": "bank", "double": True}


def test_without_a_reason_nothing_is_written_and_everything_kept(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))

    refused = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["2", "4"])

    assert_refused(refused, "reason", "Say why.")
    assert entry_of(refused)["throw:dice"] == ["2", "4"]
    assert noted_at(look, pigs) == [thrown(2, 5)]


def test_every_problem_is_told_at_once(pigs: UUID, act: Act, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2, 5))

    refused = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["2", "4", "4"])

    assert '<a href="#throw-dice">At most 2 dice fit here.</a>' in text_of(refused)
    assert text_of(refused).count("At most 2 dice fit here.") == 2, "in the summary and at the dice"
    assert '<a href="#reason">Say why.</a>' in text_of(refused)


def test_what_changes_nothing_is_not_written(pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2, 5))

    refused = press(phone, open_at(pigs, 0), "note:throw:", reason="why not")

    assert refused.status_code == 422
    assert '<a href="#offers">Nothing is changed. Change what is wrong.</a>' in text_of(refused)
    assert text_of(refused).count("Nothing is changed.") == 2, "in the summary and where it can be mended"
    assert look(pigs).length == 2


def test_a_later_action_in_the_way_is_named_and_nothing_is_written_yet(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)

    refused = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["1"], reason="a one")

    assert refused.status_code == 422
    page = text_of(refused)
    assert "Then action 2 is not allowed (Ann: Bank). There is nothing to bank." in page
    assert 'href="/rules/pig-race/#PIG-2"' in page
    assert "Action 1 becomes: Ann: Throw 1" in page
    assert noted_at(look, pigs) == [thrown(2, 5), {"seat": 0, "type": "bank"}]
    assert not ReviewItem.objects.exists()


def test_a_wrong_action_and_one_that_is_in_the_way_are_corrected_in_one_entry(
    campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    for action in (rolls(0), keeps(0, 2, 2), banks(0), rolls(1, 3, 3, 3, 4, 5, 6)):
        act(campfire, action)
    length = look(campfire).length
    threes = ["C", "3", "3", "4", "5", "6"]

    page = press(phone, open_at(campfire, 0), "note:roll:", roll__dice=threes, reason="threes, not twos")
    assert "Action 2 was noted as: Ben: Set aside 2 2" in text_of(page)
    done = settle(phone, press(phone, page, "note:keep:", keep__dice="0 1"))

    assert noted_at(look, campfire)[:2] == [rolls(0, "C", 3, 3, 4, 5, 6), keeps(0, 3, 3)]
    assert len(noted_at(look, campfire)) == 4
    assert look(campfire).length == length + 1, "one entry"
    entry = Entry.objects.filter(chain_id=campfire).latest("seq")
    assert (entry.kind, entry.operation.kind, entry.operation.note.text) == ("amend", "correct", "threes, not twos")
    assert len(json.loads(entry.body)["data"]["changes"]) == 2
    assert "Actions corrected: 2, voided: 0." in text_of(done)


def test_what_was_left_out_because_of_a_wrong_die_is_added_and_what_follows_stays(
    campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    """A roll that scored nothing ended the turn; with a pair in it Ben sets that aside and ends his turn himself."""
    later = [rolls(1, 3, 3, 3, 4, 5, 6), keeps(1, 3, 3, 3), banks(1)]
    for action in (rolls(0), keeps(0, 2, 2), rolls(0, 3, 4, 5, 6), *later):
        act(campfire, action)

    page = press(phone, open_at(campfire, 2), "note:roll:", roll__dice=["3", "3", "5", "6"], reason="a three")
    assert "Then action 4 is not allowed (Cleo: Note the roll" in text_of(page)
    page = press(phone, page, "note:add.keep:", fields={"add.keep:dice": "0 1"})
    page = press(phone, page, "note:add.bank:")
    told = text_of(settle(phone, page))

    added = [rolls(0, 3, 3, 5, 6), keeps(0, 3, 3), banks(0)]
    assert noted_at(look, campfire) == [rolls(0), keeps(0, 2, 2), *added, *later]
    assert look(campfire).standoff is None
    assert "Ben: Note the roll 3 3 5 6; Ben: Set aside 3 3; Ben: End the turn" in told


def test_each_part_of_an_action_that_was_corrected_to_several_can_be_corrected_again(
    campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    for action in (rolls(0), keeps(0, 2, 2), rolls(0, 3, 4, 5, 6), rolls(1, 3, 3, 3, 4, 5, 6)):
        act(campfire, action)
    page = press(phone, open_at(campfire, 2), "note:roll:", roll__dice=["3", "3", "5", "5"], reason="two pairs")
    page = press(phone, page, "note:add.keep:", fields={"add.keep:dice": "0 1"})
    settle(phone, press(phone, page, "note:add.bank:"))

    page = press(phone, open_at(campfire, 2), "at", f"{list(look(campfire).noted)[2]} 1")
    settle(phone, press(phone, page, "note:keep:", keep__dice="2 3", reason="the fives"))

    fives = [rolls(0, 3, 3, 5, 5), keeps(0, 5, 5), banks(0)]
    assert noted_at(look, campfire) == [rolls(0), keeps(0, 2, 2), *fives, rolls(1, 3, 3, 3, 4, 5, 6)]


def test_all_that_is_no_longer_allowed_is_listed_and_can_be_voided_together(
    campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    """The roll of the wrong dice scored nothing after all: what Ben did with it goes, Cleo's turn stays."""
    cleos = [rolls(1, 3, 3, 3, 4, 5, 6), keeps(1, 3, 3, 3)]
    for action in (rolls(0), keeps(0, 2, 2), rolls(0, 3, 3, 5, 6), keeps(0, 3, 3), banks(0), *cleos):
        act(campfire, action)

    page = press(phone, open_at(campfire, 2), "note:roll:", roll__dice=["3", "4", "5", "6"], reason="no pair")
    assert "2 actions are no longer allowed" in text_of(page)
    settle(phone, press(phone, page, "void_all"))

    assert noted_at(look, campfire) == [rolls(0), keeps(0, 2, 2), rolls(0, 3, 4, 5, 6), *cleos]


def test_another_action_can_turn_out_to_be_the_wrong_one(
    campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    for action in (rolls(0), keeps(0, 2, 2), rolls(0, 3, 3, 5, 6), keeps(0, 3, 3)):
        act(campfire, action)
    page = press(phone, open_at(campfire, 1), "note:keep:", keep__dice="0 1 5", reason="the critter too")
    assert "Then action 3 is not allowed" in text_of(page), "one die fewer is left"

    page = press(phone, page, "at", str(list(look(campfire).noted)[1]))
    assert entry_of(page)["keep:dice"] == ["0 1 5"]
    refused = press(phone, page, "note:keep:", keep__dice="0 1")

    assert "Nothing is changed." in text_of(refused)


def test_without_a_reason_what_is_decided_is_kept(pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)
    page = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["1"])

    refused = press(phone, page, "void")

    assert_refused(refused, "reason", "Say why.")
    settle(phone, press(phone, refused, "void", reason="a one"))
    assert noted_at(look, pigs) == [thrown(1)]


def test_decisions_about_what_has_changed_meanwhile_are_asked_again(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)
    page = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["1"], reason="a one")
    settle(phone, press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["6"], reason="a six"))

    behind = press(phone, page, "void")

    assert behind.status_code == 409
    assert noted_at(look, pigs)[0] == thrown(6)


@pytest.mark.parametrize("change", ["", "{", "[]", "null", '{"turn": "\\ud800"}', "[" * 5000])
def test_decisions_that_cannot_be_read_are_refused(pigs: UUID, act: Act, phone: Any, open_at: Any, change: str) -> None:
    act(pigs, throw(2, 5))

    behind = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["6"], reason="x", change=change)

    assert behind.status_code == 409


def test_an_action_that_changed_meanwhile_is_shown_as_it_is_now(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))
    mine, other = open_at(pigs, 0), open_at(pigs, 0)
    settle(phone, press(phone, other, "note:throw:", throw__dice=["6"], reason="a six"))

    behind = press(phone, mine, "note:throw:", throw__dice=["2", "4"], reason="a four")

    assert behind.status_code == 409
    assert text_of(behind).count("It is now: Ann: Throw 6.") == 1, "no field can mend it"
    assert entry_of(behind)["throw:dice"] == ["2", "4"]
    settle(phone, press(phone, behind, "note:throw:"))
    assert noted_at(look, pigs) == [thrown(2, 4)]


def test_sent_twice_it_is_written_once(pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2, 5))
    page = open_at(pigs, 0)

    settle(phone, press(phone, page, "note:throw:", throw__dice=["6"], reason="a six"))
    again = press(phone, page, "note:throw:", throw__dice=["6"], reason="a six")

    assert again.status_code == 409
    assert look(pigs).length == 3


def test_an_action_that_was_voided_meanwhile_is_no_longer_there(pigs: UUID, act: Act, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2, 5))
    page = open_at(pigs, 0)
    phone.post(
        crew_url(pigs, "void"), {"action": entry_of(page)["action"], "seq": "2", "reason": "x", "operation": uuid4()}
    )

    behind = press(phone, page, "note:throw:", throw__dice=["6"], reason="a six")

    assert behind.status_code == 409
    assert "This action stands no longer" in text_of(behind)


def test_a_retirement_cannot_be_put_right_only_voided(campfire: UUID, act: Act, open_at: Any) -> None:
    act(campfire, {"seat": 1, "type": "retire"})

    assert "only voided" in text_of(open_at(campfire, 0))


def test_at_a_closed_contest_the_crew_are_sent_to_the_organiser_who_corrects(
    ride: Ride, pigs: UUID, desk: Actor, alice: User, sign_in: SignIn, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))
    page = open_at(pigs, 0)
    close_contest(desk, uuid4(), look(pigs).contest.id, "the fire is out")
    refused = press(phone, page, "note:throw:", throw__dice=["6"], reason="a six")
    assert refused.status_code == 422
    assert text_of(refused).count("The contest is closed: ask the organiser.") == 1, "no field can mend it"
    browser = sign_in(alice)

    (action_id,) = look(pigs).noted
    page = browser.get(f"{desk_url(ride, pigs, 'correct')}?action={action_id}")
    settle(browser, press(browser, page, "note:throw:", throw__dice=["6"], reason="a six"))

    assert noted_at(look, pigs) == [thrown(6)]


def test_without_an_action_there_is_no_page(pigs: UUID, phone: Any) -> None:
    assert phone.get(crew_url(pigs, "correct")).status_code == 404
