"""/crew/tables/<id>/void/: an action no longer counts, or everything from it on."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from scorekeeper.scorecards.models import ReviewItem
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.pages import list_forms
from tests.scorekeeper.tables.conftest import BANK, Act, Look, throw
from tests.scorekeeper.tables.pages import banks, crew_url, keeps, noted_at, press, rolls, settle, thrown

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_at(phone: Any, look: Look) -> Any:
    """Open the page that voids the action at a place, counted from 0."""

    def make(card_id: UUID, place: int, **query: str) -> Any:
        action_id = list(look(card_id).noted)[place]
        return phone.get(crew_url(card_id, "void"), {"action": str(action_id), **query})

    return make


def _send(phone: Any, page: Any, **more: str) -> Any:
    fields = next(form for form in list_forms(page) if "seq" in form)
    return phone.post(page.wsgi_request.path, {**fields, **more})


def test_the_page_names_the_action_and_voids_it_with_the_reason(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(2))
    act(pigs, throw(5))
    page = open_at(pigs, 0)
    assert "Void action 1, Ann: Throw 2?" in text_of(page)

    done = settle(phone, _send(phone, page, reason="thrown by the dog"))

    assert noted_at(look, pigs) == [thrown(5)]
    assert "Voided: action 1, Ann: Throw 2." in text_of(done)


def test_without_a_reason_nothing_is_voided(pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2))

    refused = _send(phone, open_at(pigs, 0), reason=" ")

    assert refused.status_code == 422
    assert "Say why." in text_of(refused)
    assert noted_at(look, pigs) == [thrown(2)]


def test_the_first_action_that_could_not_stand_is_named_and_all_can_be_voided_from_here_on(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(3))
    act(pigs, throw(2, 5))
    act(pigs, BANK)
    act(pigs, throw(4))
    assert open_at(pigs, 0).context["obstacle"] == "", "there would still be something to bank"
    settle(phone, _send(phone, open_at(pigs, 0), reason="thrown by the dog"))

    page = open_at(pigs, 0)

    assert "Without it, action 2 is not allowed (Ann: Bank). There is nothing to bank. (PIG-2)" in text_of(page)
    assert "Void everything from here on: actions 1 to 3" in text_of(page)
    on = open_at(pigs, 0, on="1")
    assert "Void actions 1 to 3?" in text_of(on)
    settle(phone, _send(phone, on, reason="all by the dog"))
    assert noted_at(look, pigs) == []


def test_what_was_noted_since_the_page_was_opened_is_not_voided_with_the_rest(
    pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    act(pigs, throw(3))
    page = open_at(pigs, 0, on="1")
    act(pigs, throw(4))

    behind = _send(phone, page, reason="all by the dog")

    assert behind.status_code == 409
    assert "nothing was voided" in text_of(behind)
    assert len(noted_at(look, pigs)) == 2


def test_a_page_sent_twice_voids_once(pigs: UUID, act: Act, look: Look, phone: Any, open_at: Any) -> None:
    act(pigs, throw(3))
    page = open_at(pigs, 0)

    settle(phone, _send(phone, page, reason="thrown by the dog"))
    again = _send(phone, page, reason="thrown by the dog")

    assert again.status_code == 409
    assert "This action stands no longer" in text_of(again)
    assert look(pigs).length == 3


def test_a_refused_void_is_not_sent_to_the_organiser(pigs: UUID, act: Act, phone: Any, open_at: Any) -> None:
    act(pigs, throw(2, 5))
    page = open_at(pigs, 0)
    act(pigs, BANK)

    refused = _send(phone, page, reason="thrown by the dog")

    assert refused.status_code == 422
    assert "Without it, action 2 is not allowed" in text_of(refused)
    assert not ReviewItem.objects.exists()


def test_what_a_void_brings_in_the_way_is_decided_about_one_by_one_and_written_together(
    campfire: UUID, act: Act, look: Look, phone: Any, open_at: Any
) -> None:
    begun, later = [rolls(0), keeps(0, 2, 2)], [banks(0), rolls(1, 3, 3, 3, 4, 5, 6)]
    for action in (*begun, rolls(0, 3, 3, 5, 6), keeps(0, 3, 3), *later):
        act(campfire, action)
    page = open_at(campfire, 2)
    fields = next(form for form in list_forms(page) if "action" in form)

    page = phone.post(crew_url(campfire, "correct"), {**fields, "void": "1"})
    page = press(phone, page, "void", reason="never rolled")
    settle(phone, page)

    assert noted_at(look, campfire) == [*begun, *later]
