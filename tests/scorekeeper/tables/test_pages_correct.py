"""/crew/tables/<id>/correct/: the form at that moment of the play, filled with what was noted, and the reason."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.standings.services.closing import close_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.pages import assert_refused, text_of
from tests.scorekeeper.tables.conftest import BANK, Act, Look, throw
from tests.scorekeeper.tables.pages import (
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


def test_a_later_action_that_could_not_stand_is_named_with_a_way_out(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)

    refused = press(phone, open_at(pigs, 0), "note:throw:", throw__dice=["1"], reason="a one")

    assert refused.status_code == 422
    page = text_of(refused)
    assert "Then action 2 could not stand (Ann: Bank). There is nothing to bank." in page
    assert 'href="/rules/pig-race/#PIG-2"' in page
    bank_id = list(look(pigs).noted)[1]
    assert f"{crew_url(pigs, 'void')}?action={bank_id}&amp;on=1" in refused.content.decode()
    assert entry_of(refused)["throw:dice"] == ["1"]
    assert not ReviewItem.objects.exists()


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
