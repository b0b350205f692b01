"""The pages on which riders agree to their cards: on the crew's phone, and at the desk."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from tests.scorekeeper.agreements.conftest import AddTurn, AgreeTo, get_agreement, get_digest, list_agreed
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import list_forms, read_form
from tests.scorekeeper.scorecards.conftest import make_paper_turn

GROUP, CONFIRM = "/crew/agreed/", "/crew/agreed/confirm/"


def get_url(ride: Ride, number: int) -> str:
    return f"{reverse('agreements:card', args=[ride.bikes[number].pk])}?contest={ride.contest.pk}"


def get_desk_url(ride: Ride, number: int) -> str:
    card_id = derive_card_id(ride.contest.pk, ride.bikes[number].pk)
    return reverse("agreements:desk_card", args=[ride.event.slug, card_id])


def correct(ride: Ride, desk: Actor, turn_id: UUID, points: int) -> None:
    """Correct bike 1's turn."""
    target = CorrectionTarget(turn_id, Turn.objects.get(pk=turn_id).seq, make_paper_turn("chance", points))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")


def read_card_form(page: Any) -> dict[str, list[str]]:
    """The form that agrees to a card, or takes that back."""
    return next(form for form in list_forms(page) if "digest" in form)


def agree(phone: Client, url: str, **more: Any) -> Any:
    return phone.post(url, {**read_card_form(phone.get(url)), **more})


@pytest.fixture
def gunner(ride: Ride, crew_client: CrewClient) -> Client:
    return crew_client(ride.tom)


@pytest.fixture
def captain(ride: Ride, crew_client: CrewClient) -> Client:
    return crew_client(ride.rita)


class TestCard:
    def test_the_rider_sees_the_card_and_agrees_with_one_tap(self, ride: Ride, rolled: UUID, gunner: Client) -> None:
        url = get_url(ride, 1)
        page = get_visible_text(gunner.get(url))
        assert "Not agreed yet" in page
        assert "24 points" in page
        assert "I agree" in page
        assert "Confirm for the rider" not in page

        answer = agree(gunner, url)
        assert answer.status_code == 302
        shown = get_visible_text(gunner.get(answer.url))
        assert "Agreed by the rider at" in shown
        assert "I agree" not in shown
        assert list_agreed() == {(1, "rider")}

    def test_it_can_be_undone(self, ride: Ride, rolled: UUID, gunner: Client) -> None:
        url = get_url(ride, 1)
        agree(gunner, url)
        assert agree(gunner, url).status_code == 302
        assert list_agreed() == set()
        assert "Not agreed yet" in get_visible_text(gunner.get(url))

    def test_after_a_correction_it_says_so_and_asks_again(
        self, ride: Ride, rolled: UUID, gunner: Client, desk: Actor
    ) -> None:
        url = get_url(ride, 1)
        agree(gunner, url)
        correct(ride, desk, rolled, 20)
        history = gunner.get(f"/crew/bikes/{ride.bikes[1].pk}/history/?contest={ride.contest.pk}")
        for shown in (gunner.get(url), history):
            assert "changed since" in get_visible_text(shown)
        agree(gunner, url)
        assert "Agreed by the rider at" in get_visible_text(gunner.get(url))

    def test_what_was_shown_before_a_correction_is_not_agreed_to(
        self, ride: Ride, rolled: UUID, gunner: Client, desk: Actor
    ) -> None:
        url = get_url(ride, 1)
        form = read_card_form(gunner.get(url))
        correct(ride, desk, rolled, 20)
        answer = gunner.post(url, form)
        assert answer.status_code == 409
        assert "has changed since this page was opened" in get_visible_text(answer)
        assert "20 points" in get_visible_text(answer)
        assert list_agreed() == set()

    def test_a_road_captain_confirms_for_the_rider(self, ride: Ride, rolled: UUID, captain: Client) -> None:
        url = get_url(ride, 1)
        agree(captain, url, by="captain")
        assert "Confirmed by a road captain at" in get_visible_text(captain.get(url))
        assert list_agreed() == {(1, "captain")}

    def test_a_tail_gunner_cannot_confirm_nor_open_another_groups_card(
        self, ride: Ride, rolled: UUID, gunner: Client
    ) -> None:
        assert agree(gunner, get_url(ride, 1), by="captain").status_code == 409
        assert gunner.get(get_url(ride, 5)).status_code == 403
        assert list_agreed() == set()

    def test_a_card_without_turns_has_nothing_to_agree_to(self, ride: Ride, gunner: Client) -> None:
        assert "Nothing to agree to yet" in get_visible_text(gunner.get(get_url(ride, 1)))

    @pytest.mark.parametrize(
        "wrong", [{"operation": "x"}, {"digest": "x"}, {"digest": ""}, {"by": "nobody"}, {"agreed": "2"}]
    )
    def test_what_no_button_sends_is_a_bad_request(
        self, ride: Ride, rolled: UUID, gunner: Client, wrong: dict[str, str]
    ) -> None:
        assert agree(gunner, get_url(ride, 1), **wrong).status_code == 400

    def test_a_reused_id_asks_to_tap_again(self, ride: Ride, rolled: UUID, gunner: Client) -> None:
        url, other = get_url(ride, 1), get_url(ride, 2)
        operation = str(uuid4())
        agree(gunner, url, operation=operation)
        assert agree(gunner, other, operation=operation).status_code == 409

    def test_nothing_is_recorded_while_the_ride_is_a_draft(self, ride: Ride, rolled: UUID, gunner: Client) -> None:
        form = read_card_form(gunner.get(get_url(ride, 1)))
        Event.objects.update(state=Event.State.DRAFT)
        assert gunner.post(get_url(ride, 1), form).status_code in (403, 422)
        assert list_agreed() == set()

    def test_the_organiser_does_the_same_at_the_desk(
        self, ride: Ride, rolled: UUID, sign_in: SignIn, alice: User, charlie: User
    ) -> None:
        client, url = sign_in(alice), get_desk_url(ride, 1)
        assert "I agree" in get_visible_text(client.get(url))
        agree(client, url)
        assert list_agreed() == {(1, "rider")}
        assert url in client.get(reverse("scorecards:desk_card", args=url.split("/")[3:6:2])).content.decode()
        assert sign_in(charlie).get(url).status_code == 404


class TestGroup:
    def test_it_lists_the_groups_cards(self, ride: Ride, rolled: UUID, gunner: Client, agree_to: AgreeTo) -> None:
        agree_to(1)
        text = get_visible_text(gunner.get(GROUP))
        assert "1 of 2 agreed" in text
        assert "Not agreed yet" in text
        assert "No turn recorded" in text
        assert "Eve" not in text, "she rides with the other group"
        assert "Confirm the" not in text

    def test_a_road_captain_confirms_all_that_are_left(
        self, ride: Ride, rolled: UUID, captain: Client, agree_to: AgreeTo
    ) -> None:
        agree_to(1)
        assert "Confirm the 1 card" in get_visible_text(captain.get(GROUP))
        page = captain.get(CONFIRM, {"contest": str(ride.contest.pk)})
        text = get_visible_text(page)
        assert "Ben" in text
        assert "Ann" not in text
        assert "18 points" in text
        answer = captain.post(CONFIRM, read_form(page), follow=True)
        assert "1 card confirmed" in get_visible_text(answer)
        assert list_agreed() == {(1, "rider"), (2, "captain")}
        assert captain.post(CONFIRM, read_form(page)).status_code == 302
        assert "Every card is agreed" in get_visible_text(captain.get(CONFIRM, {"contest": str(ride.contest.pk)}))

    def test_a_card_that_changed_since_is_not_confirmed_and_the_others_are(
        self, ride: Ride, rolled: UUID, captain: Client, desk: Actor
    ) -> None:
        form = read_form(captain.get(CONFIRM, {"contest": str(ride.contest.pk)}))
        correct(ride, desk, rolled, 20)
        text = get_visible_text(captain.post(CONFIRM, form, follow=True))
        assert "1 card confirmed" in text
        assert "changed since: 1." in text
        assert list_agreed() == {(2, "captain")}

    def test_only_road_captains_confirm_and_only_cards_of_their_group(
        self, ride: Ride, rolled: UUID, gunner: Client, captain: Client, add_turn: AddTurn
    ) -> None:
        assert gunner.get(CONFIRM, {"contest": str(ride.contest.pk)}).status_code == 403
        add_turn(5, 1, make_paper_turn("chance", 9), takes_over=True)
        card = f"{ride.bikes[5].pk}.{get_digest(ride, 5)}.{uuid4()}"
        captain.post(CONFIRM, {"contest": str(ride.contest.pk), "card": card})
        assert get_agreement(ride, 5).current is None
        assert captain.get(CONFIRM, {"contest": str(uuid4())}).status_code == 404
        for wrong in ("x", f"x.{'a' * 64}.{uuid4()}", f"{uuid4()}.a.{uuid4()}"):
            assert captain.post(CONFIRM, {"contest": str(ride.contest.pk), "card": wrong}).status_code == 400

    def test_it_costs_the_same_number_of_statements_for_any_number_of_bikes(
        self, ride: Ride, rolled: UUID, gunner: Client, add_turn: AddTurn, django_assert_max_num_queries
    ) -> None:
        gunner.get(GROUP)
        with django_assert_max_num_queries(20) as few:
            gunner.get(GROUP)
        add_turn(3, 1, make_paper_turn("chance", 9))
        add_turn(4, 1, make_paper_turn("chance", 9))
        with django_assert_max_num_queries(len(few)):
            gunner.get(GROUP)


def test_the_last_turn_offers_to_show_the_card(ride: Ride, gunner: Client, add_turn: AddTurn) -> None:
    boxes = ("chance", "aces", "twos", "threes", "fours")
    for slot, box in enumerate(boxes, 1):
        add_turn(1, slot, make_paper_turn(box, 0))
    page = gunner.get(f"/crew/bikes/{ride.bikes[1].pk}/?contest={ride.contest.pk}&slot={ride.slots[4].pk}")
    assert get_url(ride, 1).replace("&", "&amp;") in page.content.decode()
