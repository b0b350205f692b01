"""`…/tables/new/`: tables are created one at a time, by the organiser and on a phone."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard, Seat
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.table_fixtures import AddTable

People = Mapping[str, Player]


def address(contest: Contest) -> str:
    return reverse("tables:desk_deal", args=[contest.event.slug, contest.slug])


def on_phone(contest: Contest) -> str:
    return reverse("tables:deal", args=[contest.slug])


def operation() -> dict[str, str]:
    return {"operation": str(uuid4())}


def seats(people: People, *names: str) -> dict[str, str]:
    """Return form data with these people in seat order; "" leaves a seat empty."""
    chosen = {f"seat_{number}": str(people[name].pk) if name else "" for number, name in enumerate(names, 1)}
    return {**operation(), **chosen, "rows": str(len(names))}


def list_seated(contest: Contest) -> list[list[str]]:
    """Return the names at each table, in seat order."""
    cards: dict[object, list[str]] = {}
    for seat in Seat.objects.filter(contest=contest).select_related("player").order_by("card", "index"):
        cards.setdefault(seat.card_id, []).append(str(seat.player))
    return sorted(cards.values())


def test_with_one_seat_per_table_everyone_ticked_gets_a_table(
    organiser: Client, pig_contest: Contest, people: People
) -> None:
    chosen = [str(people[name].pk) for name in ("Ann", "Zoe")]

    response = organiser.post(address(pig_contest), {**operation(), "who": chosen}, follow=True)

    assert list_seated(pig_contest) == [["Ann"], ["Zoe"]]
    assert "2 tables have been created." in get_page_text(response)
    assert response.redirect_chain[0][0] == reverse("tables:desk_list", args=[pig_contest.event.slug, pig_contest.slug])


def test_the_seats_are_in_the_chosen_order(organiser: Client, rogue_contest: Contest, people: People) -> None:
    response = organiser.post(address(rogue_contest), seats(people, "Cleo", "", "Ann", "Ben"))

    assert_refused(response, "id_seat_2", "Choose who has seat 2.")

    response = organiser.post(address(rogue_contest), seats(people, "Cleo", "Ann", "", "Ben"), follow=True)

    assert list_seated(rogue_contest) == [["Cleo", "Ann", "Ben"]]
    assert "The table of Cleo (bike 3), Ann (bike 1) and Ben (bike 2) has been created." in get_page_text(response)


def test_nobody_chosen_is_explained(organiser: Client, pig_contest: Contest, rogue_contest: Contest) -> None:
    response = organiser.post(address(pig_contest), operation())
    assert response.status_code == 422
    assert get_page_text(response).count("Choose who plays.") == 2
    assert_refused(organiser.post(address(rogue_contest), operation()), "id_seat_1", "Choose who has seat 1.")


def test_nobody_gets_two_seats_and_the_other_choices_are_preserved(
    organiser: Client, rogue_contest: Contest, people: People
) -> None:
    response = organiser.post(address(rogue_contest), seats(people, "Ann", "Ben", "Ann"))

    message = "Ann (bike 1) already has seat 1. Choose someone else for seat 3."
    assert_refused(response, "id_seat_3", message)
    assert response.context["form"]["seat_2"].value() == str(people["Ben"].pk)
    assert list_seated(rogue_contest) == []


def test_people_who_have_a_table_are_shown_and_cannot_be_chosen(
    organiser: Client, pig_contest: Contest, add_table: AddTable, people: People
) -> None:
    add_table("Ann")

    page = get_page_text(organiser.get(address(pig_contest)))
    response = organiser.post(
        address(pig_contest), {**operation(), "who": [str(people["Ann"].pk), str(people["Ben"].pk)]}
    )

    assert "Ann (bike 1) – has a table" in page
    ann = next(part for part in page.split("<input") if str(people["Ann"].pk) in part)
    assert "disabled" in ann.partition(">")[0]
    assert response.status_code == 422
    assert get_page_text(response).count("these already have one: Ann.") == 2
    assert list_seated(pig_contest) == [["Ann"]]


def test_where_several_tables_are_allowed_everyone_can_be_chosen_again(
    organiser: Client, duel_contest: Contest, people: People
) -> None:
    for names in (("Ann", "Ben"), ("Ann", "Cleo")):
        assert organiser.post(address(duel_contest), seats(people, *names)).status_code == 302

    assert list_seated(duel_contest) == [["Ann", "Ben"], ["Ann", "Cleo"]]
    assert "disabled" not in get_page_text(organiser.get(address(duel_contest))).partition("<main")[2]


def test_adding_seats_preserves_the_choices(organiser: Client, rogue_contest: Contest, people: People) -> None:
    response = organiser.post(address(rogue_contest), {**seats(people, "Ann", "Ben", "Cleo", "Dan"), "more": "1"})

    form = response.context["form"]
    assert response.status_code == 200
    assert len(form.seat_fields) == 8
    assert [form[name].value() for name in form.seat_fields[:5]] == [
        *(str(people[name].pk) for name in ("Ann", "Ben", "Cleo", "Dan")),
        "",
    ]


def test_a_game_of_two_has_two_seats_and_no_more(organiser: Client, duel_contest: Contest) -> None:
    page = organiser.get(address(duel_contest))

    assert page.context["form"].seat_fields == ["seat_1", "seat_2"]
    assert "More seats" not in get_page_text(page)


def test_a_missing_person_is_added_to_the_roster_and_the_link_leads_back_to_the_choices(
    organiser: Client, rogue_contest: Contest, people: People
) -> None:
    to_the_roster = organiser.post(address(rogue_contest), {**seats(people, "Ben", "", "", ""), "add": "1"})
    added = organiser.post(to_the_roster.headers["Location"], {"name": "Uma", "bike": "", "role": ""})

    back = added.headers["Location"]
    form = organiser.get(back).context["form"]
    assert urlsplit(back).path == address(rogue_contest)
    assert form["seat_1"].value() == str(people["Ben"].pk)
    assert Player.objects.get(name="Uma").event == rogue_contest.event
    assert ("Not on a bike", [(str(Player.objects.get(name="Uma").pk), "Uma")]) in form.fields["seat_1"].choices


def test_where_bikes_play_a_bike_is_added(organiser: Client, pig_contest: Contest) -> None:
    pig_contest.seats_are = Contest.SeatsAre.BIKES
    pig_contest.save()

    to_the_roster = urlsplit(organiser.post(address(pig_contest), {**operation(), "add": "1"}).headers["Location"])
    added = organiser.post(f"{to_the_roster.path}?{to_the_roster.query}", {"number": "99", "rider": "Uma"})

    assert to_the_roster.path == reverse("players:add_bike", args=[pig_contest.event.slug])
    assert urlsplit(added.headers["Location"]).path == address(pig_contest)
    assert "Bike 99, Uma" in get_page_text(organiser.get(added.headers["Location"]))


def test_the_link_back_never_leads_to_another_site(organiser: Client, event: Event) -> None:
    add = reverse("players:add_player", args=[event.slug])

    added = organiser.post(f"{add}?next=https://elsewhere.example/", {"name": "Uma", "bike": "", "role": ""})

    assert added.headers["Location"] == reverse("players:roster", args=[event.slug])


def test_a_choice_removed_from_the_roster_is_reported_with_its_seat(
    organiser: Client, rogue_contest: Contest, people: People
) -> None:
    sent = seats(people, "Ann", "Ben")
    people["Ben"].delete()

    assert_refused(
        organiser.post(address(rogue_contest), sent), "id_seat_2", "Your choice for seat 2 is no longer on the roster."
    )


def test_a_form_submitted_twice_creates_one_table(organiser: Client, rogue_contest: Contest, people: People) -> None:
    sent = seats(people, "Ann", "Ben")

    answers = [organiser.post(address(rogue_contest), sent) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Scorecard.objects.filter(contest=rogue_contest).count() == 1


def test_a_form_submitted_again_with_other_people_is_a_conflict_and_can_be_retried(
    organiser: Client, rogue_contest: Contest, people: People
) -> None:
    sent = seats(people, "Ann", "Ben")
    organiser.post(address(rogue_contest), sent)

    response = organiser.post(address(rogue_contest), {**seats(people, "Cleo", "Dan"), "operation": sent["operation"]})
    again = {**seats(people, "Cleo", "Dan"), "operation": response.context["form"]["operation"].value()}

    assert response.status_code == 409
    assert "This page was already submitted." in get_page_text(response)
    assert organiser.post(address(rogue_contest), again).status_code == 302


def test_a_closed_contest_takes_no_more_tables_and_says_so(
    organiser: Client, pig_contest: Contest, people: People
) -> None:
    pig_contest.status = Contest.Status.CLOSED
    pig_contest.save()

    response = organiser.post(address(pig_contest), {**operation(), "who": [str(people["Ann"].pk)]})

    assert "The contest is closed" in get_page_text(organiser.get(address(pig_contest)))
    assert response.status_code == 422
    assert list_seated(pig_contest) == []


def test_a_phone_creates_a_table_and_goes_straight_to_it(
    ride: Ride, crew_client: CrewClient, rogue_contest: Contest, people: People
) -> None:
    phone = crew_client(ride.rita)
    assert "Create a table" in get_page_text(phone.get(on_phone(rogue_contest)))

    response = phone.post(on_phone(rogue_contest), seats(people, "Ann", "Gail"))

    card = Scorecard.objects.get(contest=rogue_contest)
    assert response.headers["Location"] == reverse("tables:table", args=[card.pk])


def test_a_phone_cannot_create_tables_before_the_event_is_open(
    ride: Ride, crew_client: CrewClient, rogue_contest: Contest, people: People
) -> None:
    ride.event.state = Event.State.DRAFT
    ride.event.save()

    response = crew_client(ride.rita).post(on_phone(rogue_contest), seats(people, "Ann", "Gail"))

    assert response.status_code == 422
    assert "has not opened the event yet" in get_page_text(response)
    assert response.context["form"]["seat_1"].value() == str(people["Ann"].pk)
    assert list_seated(rogue_contest) == []


def test_a_phone_cannot_add_people(ride: Ride, crew_client: CrewClient, rogue_contest: Contest) -> None:
    assert 'name="add"' not in get_page_text(crew_client(ride.rita).get(on_phone(rogue_contest)))


def test_others_cannot_find_the_page(
    client: Client,
    charlie: User,
    sign_in,
    crew_client: CrewClient,
    pig_contest: Contest,
    other_event: Event,
) -> None:
    assert sign_in(charlie).get(address(pig_contest)).status_code == 404
    assert sign_in(charlie).post(address(pig_contest), operation()).status_code == 404
    assert client.get(address(pig_contest)).headers["Location"].startswith("/sign-in/")
    assert client.get(on_phone(pig_contest)).status_code == 401
    group = Group.objects.create(event=other_event, name="Theirs", ordinal=1)
    stranger = CrewMember.objects.create(group=group, name="Sid", role=CrewMember.Role.ROAD_CAPTAIN)
    assert crew_client(stranger).get(on_phone(pig_contest)).status_code == 404


def test_a_contest_at_stops_has_no_such_page(organiser: Client, ride: Ride, crew_client: CrewClient) -> None:
    assert organiser.get(address(ride.contest)).status_code == 404
    assert crew_client(ride.rita).get(on_phone(ride.contest)).status_code == 404


def test_the_number_of_queries_does_not_depend_on_the_number_of_people(
    organiser: Client, ride: Ride, pig_contest: Contest, django_assert_max_num_queries
) -> None:
    Player.objects.bulk_create(Player(event=ride.event, name=f"Rider {number}") for number in range(60))

    with django_assert_max_num_queries(12):
        organiser.get(address(pig_contest))
