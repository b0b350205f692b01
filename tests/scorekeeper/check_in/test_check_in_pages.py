"""The pages of the check-in list: for organisers, and on crew phones."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.check_in.models import CheckItem
from scorekeeper.events.models import Event
from scorekeeper.players.class_settings import add_class, give_classes
from tests.scorekeeper.check_in.conftest import TickBike, list_ticks
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import save

Items = dict[str, CheckItem]


@pytest.fixture
def alices(ride: Ride, sign_in: SignIn, alice: User) -> Client:
    return sign_in(alice)


def desk_url(ride: Ride, page: str = "") -> str:
    return f"/desk/events/{ride.event.slug}/check-in/{page}"


def find_button(page: str, ride: Ride, number: int, item: CheckItem) -> str:
    """Return the value of a box's button."""
    start = page.index(f'value="{ride.bikes[number].pk}.{item.pk}.') + len('value="')
    return page[start : page.index('"', start)]


class TestDesk:
    def test_an_organiser_ticks_and_unticks_a_box_with_plain_forms(
        self, ride: Ride, items: Items, alices: Client
    ) -> None:
        page = alices.get(desk_url(ride))
        assert "0 of 8" in get_visible_text(page)
        answer = alices.post(desk_url(ride), {"tick": find_button(page.content.decode(), ride, 5, items["Paid"])})
        assert answer.headers["Location"] == f"{desk_url(ride)}?#bike-{ride.bikes[5].pk}"
        assert list_ticks() == {(5, "Paid")}

        page = alices.get(desk_url(ride))
        assert "1 of 8" in get_visible_text(page)
        alices.post(desk_url(ride), {"tick": find_button(page.content.decode(), ride, 5, items["Paid"])})
        assert list_ticks() == set()

    def test_a_double_tap_counts_once(self, ride: Ride, items: Items, alices: Client) -> None:
        button = find_button(alices.get(desk_url(ride)).content.decode(), ride, 1, items["Paid"])
        for _tap in range(2):
            assert alices.post(desk_url(ride), {"tick": button}).status_code == 302
        assert list_ticks() == {(1, "Paid")}

    def test_with_htmx_only_the_box_and_the_counts_come_back(self, ride: Ride, items: Items, alices: Client) -> None:
        button = find_button(alices.get(desk_url(ride)).content.decode(), ride, 1, items["Paid"])
        answer = alices.post(desk_url(ride), {"tick": button}, headers={"HX-Request": "true"}).content.decode()
        assert 'aria-pressed="true"' in answer
        assert "1 of 8" in answer
        assert "Cleo" not in answer

    def test_it_is_searched_by_number_and_name_and_filtered_by_group(
        self, ride: Ride, items: Items, alices: Client
    ) -> None:
        def list_found(query: str) -> list[str]:
            text = get_visible_text(alices.get(f"{desk_url(ride)}?{query}"))
            return [name for name in ("Ann", "Ben", "Cleo", "Hal") if name in text]

        assert list_found("q=3") == ["Cleo"]
        assert list_found("q=zoe") == ["Ben"], "Zoe is his passenger"
        assert list_found(f"group={ride.group_two.pk}") == ["Hal"]
        assert list_found("group=none") == []
        assert list_found("group=nonsense") == ["Ann", "Ben", "Cleo", "Hal"]

    def test_a_value_that_is_no_button_is_a_bad_request(self, ride: Ride, items: Items, alices: Client) -> None:
        for value in ("", "x", f"{ride.bikes[1].pk}.{items['Paid'].pk}.2.x", "a.b.1.c"):
            assert alices.post(desk_url(ride), {"tick": value}).status_code == 400

    def test_others_organisers_see_nothing(self, ride: Ride, sign_in: SignIn, charlie: User) -> None:
        assert sign_in(charlie).get(desk_url(ride)).status_code == 404

    def test_an_organiser_ticks_in_a_draft_as_well(self, ride: Ride, items: Items, alices: Client) -> None:
        Event.objects.update(state=Event.State.DRAFT)
        button = find_button(alices.get(desk_url(ride)).content.decode(), ride, 1, items["Paid"])
        alices.post(desk_url(ride), {"tick": button})
        assert list_ticks() == {(1, "Paid")}


class TestItems:
    def test_presets_and_own_words_are_added_in_order(self, ride: Ride, alices: Client) -> None:
        assert "Choose what to tick" in get_visible_text(alices.get(desk_url(ride)))
        assert "Waiver signed" in get_visible_text(alices.get(desk_url(ride, "items/")))
        for name in ("Paid", "  T-shirt   given out "):
            assert alices.post(desk_url(ride, "items/"), {"name": name}).status_code == 302
        assert [item.name for item in ride.event.check_items.all()] == ["Paid", "T-shirt given out"]

    def test_problems_are_named_and_the_input_stays(self, ride: Ride, items: Items, alices: Client) -> None:
        for name, message in (("", "Enter what to tick"), ("paid", "already on the list"), ("x" * 61, "at most 60")):
            answer = alices.post(desk_url(ride, "items/"), {"name": name})
            assert answer.status_code == 422
            assert message in get_visible_text(answer)
            assert f'value="{name}"' in answer.content.decode() or not name

    def test_an_item_is_renamed_moved_and_deleted(self, ride: Ride, items: Items, alices: Client) -> None:
        paid = f"items/{items['Paid'].pk}/"
        save(alices, desk_url(ride, paid), {"name": "Paid 20"})
        alices.post(desk_url(ride, f"{paid}move/"), {"direction": "up"})
        assert [item.name for item in ride.event.check_items.all()] == ["Paid 20", "Present"]
        assert "Delete “Paid 20”?" in get_visible_text(alices.get(desk_url(ride, f"{paid}delete/")))
        alices.post(desk_url(ride, f"{paid}delete/"))
        assert [item.name for item in ride.event.check_items.all()] == ["Present"]

    def test_a_ticked_item_is_not_deleted_and_the_page_says_why(
        self, ride: Ride, items: Items, tick: TickBike, alices: Client
    ) -> None:
        tick(1, "Paid")
        answer = alices.post(desk_url(ride, f"items/{items['Paid'].pk}/delete/"), follow=True)
        assert "Untick it everywhere first" in get_visible_text(answer)
        assert ride.event.check_items.count() == 2


class TestCrew:
    def test_crew_see_and_tick_the_bikes_of_their_group(
        self, ride: Ride, items: Items, crew_client: CrewClient
    ) -> None:
        phone = crew_client(ride.tom)
        assert "Check-in" in get_visible_text(phone.get("/crew/"))
        page = phone.get("/crew/check-in/")
        assert "Ann" in get_visible_text(page)
        assert "Eve" not in get_visible_text(page)
        phone.post("/crew/check-in/", {"tick": find_button(page.content.decode(), ride, 1, items["Paid"])})
        assert list_ticks() == {(1, "Paid")}

    def test_a_bike_of_another_group_is_refused_plainly(
        self, ride: Ride, items: Items, crew_client: CrewClient
    ) -> None:
        page = crew_client(ride.rita).get("/crew/check-in/")
        assert "Eve" in get_visible_text(page), "Rita is a road captain"
        button = find_button(page.content.decode(), ride, 5, items["Paid"])
        answer = crew_client(ride.sue).post("/crew/check-in/", {"tick": button}, follow=True)
        assert "This bike is not on your list" in get_visible_text(answer)
        assert list_ticks() == set()

    def test_with_htmx_a_refusal_replaces_the_whole_list(
        self, ride: Ride, items: Items, crew_client: CrewClient
    ) -> None:
        button = find_button(crew_client(ride.rita).get("/crew/check-in/").content.decode(), ride, 5, items["Paid"])
        sues = crew_client(ride.sue)
        answer = sues.post("/crew/check-in/", {"tick": button}, headers={"HX-Request": "true"})
        assert (answer.status_code, answer.headers["HX-Retarget"]) == (409, "#check-in")
        assert "This bike is not on your list" in get_visible_text(answer)

    def test_nothing_is_ticked_by_crew_before_the_ride_is_open(
        self, ride: Ride, items: Items, crew_client: CrewClient
    ) -> None:
        Event.objects.update(state=Event.State.DRAFT)
        phone = crew_client(ride.tom)
        button = find_button(phone.get("/crew/check-in/").content.decode(), ride, 1, items["Paid"])
        assert "has not opened the event yet" in get_visible_text(
            phone.post("/crew/check-in/", {"tick": button}, follow=True)
        )
        assert list_ticks() == set()

    def test_without_items_there_is_no_link_and_the_page_says_so(self, ride: Ride, crew_client: CrewClient) -> None:
        phone = crew_client(ride.tom)
        assert "Check-in" not in get_visible_text(phone.get("/crew/"))
        assert "Nothing to tick" in get_visible_text(phone.get("/crew/check-in/"))


class TestClasses:
    def test_the_list_says_in_which_classes_a_bike_is_and_leads_to_them_and_back(
        self, ride: Ride, items: Items, alices: Client
    ) -> None:
        ladies, novices = add_class(ride.event, "Ladies"), add_class(ride.event, "Novices")
        give_classes(ride.bikes[2], [ladies.pk])
        rider = ride.bikes[2].players.get(role="rider")
        give_classes(rider, [novices.pk])

        page = alices.get(desk_url(ride))

        assert "Ladies, Novices" in get_visible_text(page)
        url = f"{reverse('desk:bike_classes', args=[ride.event.slug, ride.bikes[2].pk])}?next={desk_url(ride)}"
        assert f'href="{url}"' in page.content.decode()
        answer = alices.post(url, {"operation": str(uuid4()), "had": str(ladies.pk), "classes": []})
        assert answer.headers["Location"] == desk_url(ride)
        assert "Ladies" not in get_visible_text(alices.get(desk_url(ride)))

    def test_a_phone_shows_them_and_cannot_change_them(self, ride: Ride, items: Items, crew_client: CrewClient) -> None:
        give_classes(ride.bikes[2], [add_class(ride.event, "Ladies").pk])

        page = crew_client(ride.rita).get("/crew/check-in/")

        assert "Ladies" in get_visible_text(page)
        assert "/classes/" not in page.content.decode()

    def test_an_event_without_classes_has_nothing_of_it(self, ride: Ride, items: Items, alices: Client) -> None:
        assert f"{ride.bikes[2].pk}/classes/" not in alices.get(desk_url(ride)).content.decode()
