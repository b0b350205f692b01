"""The pages of a season: for its organisers and for everyone."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.seasons.models import Season, SeasonRound
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.seasons.conftest import get_entrants
from tests.scorekeeper.seasons.test_season_standings import get_rider, get_rows

pytestmark = pytest.mark.django_db

FIELDS = {"name": "Season 2026", "points": "10 6 3", "points_below": "0", "best_count": "", "is_listed": "on"}


def page_of(season: Season, name: str = "overview", *args: Any) -> str:
    return reverse(f"seasons:{name}", args=[season.slug, *args])


def choose(season_round: SeasonRound, values: dict[int, str]) -> dict[str, str]:
    """Return the fields of the page “Who is who”: these values by the bike's number; all others do not count."""
    return {
        str(entrant): values.get(number, "nobody") for number, entrant in get_entrants(season_round.contest).items()
    }


def test_from_nothing_to_the_standings_of_two_rides(
    alice: User, sign_in, client: Client, first_ride: Contest, second_ride: Contest
) -> None:
    desk = sign_in(alice)
    assert reverse("seasons:list") in get_page_text(desk.get(reverse("events:list")))
    created = desk.post(reverse("seasons:create"), FIELDS)
    season = Season.objects.get()
    assert created.headers["Location"] == page_of(season)

    added = desk.post(page_of(season), {"contest": str(first_ride.pk)})
    assert added.headers["Location"] == page_of(season), "in the first ride nobody can be someone else"
    assert "all 3 riders in its result count" in get_page_text(desk.get(page_of(season)))

    added = desk.post(page_of(season), {"contest": str(second_ride.pk)})
    link_page = added.headers["Location"]
    form = desk.get(link_page).context["form"]
    fields = {name: str(form[name].value()) for name in form.fields}
    assert save(desk, link_page, fields).headers["Location"] == page_of(season)

    text = get_page_text(client.get(page_of(season, "season")))
    assert text.index("Bike 1 (Ann)") < text.index("Bike 7 (Ben)") < text.index("Bike 3 (Cleo)")
    assert "Points by place: 10, 6, 3." in text
    assert get_rows(season)[:2] == [("1=", "Bike 1 (Ann)", 16), ("1=", "Bike 7 (Ben)", 16)]
    assert "Season 2026" in get_page_text(client.get("/"))
    assert "This event counts for Season 2026" in get_page_text(
        client.get(reverse("results:event", args=[first_ride.event.slug]))
    )


def test_the_proposals_are_chosen_the_first_time_and_what_is_saved_later(
    alice: User, sign_in, season: Season, first_round: SeasonRound, second_round: SeasonRound
) -> None:
    desk, page = sign_in(alice), page_of(season, "link", second_round.pk)
    bikes = get_entrants(second_round.contest)
    ann = get_rider(season, "Ann").pk
    form = desk.get(page).context["form"]
    assert [form[str(bikes[number])].value() for number in (1, 3)] == [str(ann), "new"]

    save(desk, page, choose(second_round, {1: str(ann), 7: "new"}))
    form = desk.get(page).context["form"]
    assert (form[str(bikes[1])].value(), form[str(bikes[3])].value()) == (str(ann), "nobody")
    assert form[str(bikes[7])].value() not in ("nobody", "new")
    assert first_round.links.count() == 3


def test_only_those_who_may_be_someone_of_another_ride_are_asked_about(
    alice: User, sign_in, season: Season, first_round: SeasonRound, second_round: SeasonRound
) -> None:
    desk = sign_in(alice)

    first = desk.get(page_of(season, "link", first_round.pk))
    assert (len(first.context["form"].open_fields), len(first.context["form"].new_fields)) == (0, 3)
    assert "there is nothing to choose" in get_page_text(first)

    second = desk.get(page_of(season, "link", second_round.pk))
    bikes = get_entrants(second_round.contest)
    form = second.context["form"]
    assert {field.name for field in form.open_fields} == {str(bikes[3])}, "Dan by his number"
    assert {field.name for field in form.recognised_fields} == {str(bikes[number]) for number in (1, 7)}, "by name"
    assert "2 riders recognised by name" in get_page_text(second)


def test_who_was_left_out_stays_out_when_the_ride_is_added_again(
    alice: User, sign_in, season: Season, first_round: SeasonRound
) -> None:
    desk, ann = sign_in(alice), get_rider(season, "Ann")
    save(desk, page_of(season, "link", first_round.pk), choose(first_round, {1: str(ann.pk)}))

    desk.post(page_of(season), {"contest": str(first_round.contest_id)})

    assert first_round.links.count() == 1


def test_a_published_result_that_counts_for_nobody_yet_says_so(
    client: Client, alice: User, sign_in, season: Season, second_round: SeasonRound
) -> None:
    public = get_page_text(client.get(page_of(season, "season")))

    assert "1 of 1 result is published." in public
    assert "They appear with the first published result." not in public
    assert "The organisers still have to say which riders of the published results count" in public
    assert "published, not counted yet" in public
    assert "nobody counts yet" in get_page_text(sign_in(alice).get(page_of(season)))


def test_two_of_one_ride_as_one_rider_is_explained_and_nothing_is_lost(
    alice: User, sign_in, season: Season, first_round: SeasonRound, second_round: SeasonRound
) -> None:
    desk, page = sign_in(alice), page_of(season, "link", second_round.pk)
    bikes, cleo = get_entrants(second_round.contest), get_rider(season, "Cleo").pk
    ann = get_rider(season, "Ann").pk
    second_round.contest.event.players.filter(name="Ben").update(name="Ann")

    answer = save(desk, page, {str(bikes[1]): str(ann), str(bikes[7]): str(ann), str(bikes[3]): str(cleo)})

    assert answer.status_code == 422
    assert "cannot be the same rider: both are in this result." in get_page_text(answer)
    assert answer.context["form"][str(bikes[3])].value() == str(cleo)
    assert not second_round.links.exists()
    assert first_round.links.count() == 3


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "Enter a name"),
        ("points", "", "Enter what the first place brings"),
        ("points", "10 x 3", "“x” is not a number from 0 to 1000."),
        ("points", "10 5000", "“5000” is not a number"),
        ("points", "0000000005000 10", "“0000000005000” is not a number"),
        ("points", "10 6 8", "Place 3 brings 8, more than place 2 with 6"),
        ("points_below", "4", "Enter at most 3"),
        ("best_count", "0", "greater than or equal to 1"),
    ],
)
def test_the_form_explains_what_is_wrong_and_keeps_what_was_typed(
    alice: User, sign_in, field: str, value: str, message: str
) -> None:
    answer = sign_in(alice).post(reverse("seasons:create"), {**FIELDS, field: value})

    assert answer.status_code == 422
    assert message in get_page_text(answer)
    assert answer.context["form"]["name"].value() == (value if field == "name" else "Season 2026")
    assert not Season.objects.exists()


def test_points_can_be_separated_by_commas(alice: User, sign_in) -> None:
    sign_in(alice).post(reverse("seasons:create"), {**FIELDS, "points": "10, 6; 3\n1"})
    assert Season.objects.get().points == [10, 6, 3, 1]


def test_only_those_who_organise_a_ride_of_it_run_a_season(
    alice: User, bob: User, charlie: User, sign_in, client: Client, season: Season, first_round: SeasonRound
) -> None:
    Organiser.objects.create(event=first_round.contest.event, user=bob)
    assert sign_in(alice).get(page_of(season, "delete")).status_code == 200  # who created it
    for name in ("overview", "edit"):
        assert sign_in(alice).get(page_of(season, name)).status_code == 200
        assert sign_in(bob).get(page_of(season, name)).status_code == 200
        assert sign_in(charlie).get(page_of(season, name)).status_code == 404
        assert client.get(page_of(season, name)).headers["Location"].startswith("/sign-in/")


def test_a_contest_of_someone_else_or_of_practice_cannot_be_added(
    alice: User, charlie: User, sign_in, season: Season, first_ride: Contest, ride: Ride
) -> None:
    Organiser.objects.filter(event=first_ride.event).update(user=charlie)
    Event.objects.filter(pk=ride.event.pk).update(is_practice=True)
    for contest in (first_ride, ride.contest):
        answer = sign_in(alice).post(page_of(season), {"contest": str(contest.pk)})
        assert answer.status_code == 422
        assert "Choose one of the contests on the list." in get_page_text(answer)
    assert not season.rounds.exists()


def test_the_riders_page_has_every_ride_and_says_what_was_dropped(
    client: Client, season: Season, first_round: SeasonRound, second_round: SeasonRound, alice: User, sign_in
) -> None:
    ann = get_rider(season, "Ann")
    save(sign_in(alice), page_of(season, "link", second_round.pk), choose(second_round, {1: str(ann.pk)}))
    Season.objects.update(best_count=1)

    text = get_page_text(client.get(page_of(season, "rider", ann.pk)))

    assert "place 1 with 10 points" in text
    assert "Bike 1 (Ann): place 2, 6 points, dropped" in text
    assert first_round.contest.event.name in text


def test_the_file_has_the_figures_of_the_page(client: Client, season: Season, first_round: SeasonRound) -> None:
    content = client.get(page_of(season, "export")).getvalue().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(content)))

    assert [(row["Place"], row["Rider"], int(row["Points"])) for row in rows] == get_rows(season)
    assert [row["May run, R.O.C.K."] for row in rows] == ["10", "6", "3"]
    assert first_round.links.count() == 3


def test_a_rider_can_be_made_one_with_another(
    alice: User, sign_in, season: Season, first_round: SeasonRound, second_round: SeasonRound
) -> None:
    desk = sign_in(alice)
    save(desk, page_of(season, "link", second_round.pk), choose(second_round, {3: "new"}))
    dan, cleo = get_rider(season, "Dan"), get_rider(season, "Cleo")

    assert desk.post(page_of(season, "merge", dan.pk), {"into": ""}).status_code == 422
    desk.post(page_of(season, "merge", dan.pk), {"into": str(cleo.pk)})
    assert ("2=", "Bike 3 (Dan)", 6) in get_rows(season) or ("3", "Bike 3 (Dan)", 6) in get_rows(season)
    assert first_round.links.count() == 3


def test_a_round_is_removed_and_a_season_deleted_after_confirmation(
    alice: User, sign_in, season: Season, first_round: SeasonRound
) -> None:
    desk = sign_in(alice)
    for page in (page_of(season, "remove_round", first_round.pk), page_of(season, "delete")):
        assert desk.get(page).status_code == 200
        assert desk.post(page).status_code == 302
    assert not Season.objects.exists()
    assert Contest.objects.filter(pk=first_round.contest_id).exists()


def test_a_season_without_results_says_so(client: Client, alice: User, sign_in, season: Season, ride) -> None:
    assert "No standings yet" in get_page_text(client.get(page_of(season, "season")))
    added = sign_in(alice).post(page_of(season), {"contest": str(ride.contest.pk)})
    assert "as soon as its result is published" in get_page_text(sign_in(alice).get(added.headers["Location"]))
    assert "not published yet" in get_page_text(client.get(page_of(season, "season")))


def test_only_who_created_a_season_deletes_it(
    season: Season, alice: User, bob: User, first_round: SeasonRound, sign_in
) -> None:
    event = first_round.contest.event
    Organiser.objects.create(event=event, user=bob, accepted_at=timezone.now())
    page, settings_page = page_of(season, "delete"), page_of(season, "edit")
    for client, can_delete in ((sign_in(alice), True), (sign_in(bob), False)):
        html = client.get(settings_page).content.decode()
        assert (f'href="{page}"' in html) is can_delete
        assert ("Only alice, who created this season" in html) is not can_delete
    for refused in (sign_in(bob).get(page), sign_in(bob).post(page)):
        assert refused.status_code == 403
        assert "Only alice, who created this season" in refused.content.decode()
    assert Season.objects.filter(pk=season.pk).exists()

    Season.objects.update(created_by=None)
    assert sign_in(alice).post(page).status_code == 403
    call_command("delete_season", season.slug, "--yes", stdout=io.StringIO())
    assert not Season.objects.exists()


def test_the_operator_is_asked_for_the_name_of_the_season(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    for stdin, is_deleted in (("another\n", False), (f"{season.name.upper()}\n", True)):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        with suppress(CommandError):
            call_command("delete_season", season.slug, stdout=io.StringIO())
        assert Season.objects.exists() is not is_deleted
    with pytest.raises(CommandError, match="There is no season"):
        call_command("delete_season", season.slug)
