"""/crew/dice-set/: which of the group's dice sets this phone uses."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.card_forms import card_url, read_form

URL = reverse("scorecards:dice_set")


def test_the_chosen_set_is_remembered(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)
    chosen = ride.group_one.dice_sets.get(name="Third")

    answer = phone.post(URL, {"set": chosen.pk, "next": card_url(ride, 1, 1)})

    assert answer.url == card_url(ride, 1, 1)
    card = phone.get(card_url(ride, 1, 1))
    assert read_form(card)["dice_set"] == [str(chosen.pk)]
    assert "Dice: Third" in card.content.decode()


def test_the_choice_can_be_cleared(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)
    phone.post(URL, {"set": ride.group_one.dice_sets.get(name="Third").pk})

    phone.post(URL, {"set": ""})

    assert read_form(phone.get(card_url(ride, 1, 1)))["dice_set"] == [""]


def test_a_set_of_another_group_is_ignored(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)

    phone.post(URL, {"set": ride.group_two.dice_sets.get(name="Third").pk})

    assert read_form(phone.get(card_url(ride, 1, 1)))["dice_set"] == [""]


def test_it_does_not_redirect_to_other_sites(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)

    for away in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", "foo", "foo.bar", "/\\x"):
        assert phone.post(URL, {"set": "", "next": away}).url == reverse("scorecards:group")
