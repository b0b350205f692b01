"""/desk/events/<slug>/contests/<contest>/turns/ and `set_slots`"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from games.core.problems import Malformed
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import ContestFrozen
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.selectors import spread_turns
from scorekeeper.stops.services import add_stop, set_slots
from tests.scorekeeper.conftest import SLOTS_AT, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database


def list_stop_names(contest: Contest) -> list[str]:
    return [slot.stop.name for slot in contest.slots.select_related("stop")]


def address_of(contest: Contest) -> str:
    return f"/desk/events/{contest.event.slug}/contests/{contest.slug}/turns/"


def data_for(stops: list[Stop], turns: list[object]) -> dict[str, object]:
    return {f"stop_{stop.pk}": count for stop, count in zip(stops, turns, strict=True)}


def test_the_ride_has_a_turn_at_each_stop_and_two_at_the_finale(
    contest: Contest, stops: list[Stop], alice: User, sign_in: SignIn
) -> None:
    response = save(sign_in(alice), address_of(contest), data_for(stops, [1, 1, 1, 2]))

    contest = Contest.objects.get()
    assert response.status_code == 302
    assert list_stop_names(contest) == list(SLOTS_AT)
    assert [slot.ordinal for slot in contest.slots.all()] == [1, 2, 3, 4, 5]


def test_a_new_contest_suggests_the_usual_turns_for_any_number_of_stops(
    contest: Contest, stops: list[Stop], alice: User, sign_in: SignIn
) -> None:
    page = get_page_text(sign_in(alice).get(address_of(contest)))

    suggested = [re.search(rf'name="stop_{stop.pk}" value="(\d+)"', page) for stop in stops]
    assert [match and match[1] for match in suggested] == ["1", "1", "1", "2"]
    assert "We suggest the usual 5 turns" in page
    assert not contest.slots.exists(), "nothing is saved until the organiser saves it"
    many = [Stop(name=str(number)) for number in range(7)]
    assert list(spread_turns(many, 5).values()) == [0, 0, 1, 1, 1, 1, 1]
    assert list(spread_turns(many[:2], 5).values()) == [2, 3]
    assert spread_turns([], 5) == {}


def test_the_number_of_turns_is_derived_from_the_slots(contest: Contest, stops: list[Stop]) -> None:
    set_slots(contest, [(stops[0], 3), (stops[3], 4)])

    stored = Contest.objects.get()
    assert contest.options == stored.options == {"turns": 7}
    assert stored.ruleset.options["turns"] == 7


def test_a_slot_keeps_its_id(contest: Contest, slots: list[Slot], stops: list[Stop]) -> None:
    set_slots(contest, [(stops[0], 1), (stops[1], 2)])

    assert [slot.pk for slot in contest.slots.all()] == [slot.pk for slot in slots[:3]]
    assert list_stop_names(contest) == ["Ozweld's", "Parks", "Parks"]


def test_the_page_shows_the_assigned_turns(
    contest: Contest, slots: list[Slot], stops: list[Stop], alice: User, sign_in: SignIn
) -> None:
    page = get_page_text(sign_in(alice).get(address_of(contest)))

    assert f'name="stop_{stops[3].pk}" value="2"' in page


@pytest.mark.parametrize("turns", [[0, 0, 0, 0], [4, 4, 4, 4]])
def test_a_number_of_turns_outside_the_rule_book_is_explained(
    contest: Contest, slots: list[Slot], stops: list[Stop], alice: User, sign_in: SignIn, turns: list[object]
) -> None:
    response = save(sign_in(alice), address_of(contest), data_for(stops, turns))

    total = sum(int(str(count)) for count in turns)
    message = f"That makes {total} turns. In R.O.C.K. Yahtzee a scorecard has 1 to 15 turns."
    assert_refused(response, f"id_stop_{stops[0].pk}", message)
    assert list_stop_names(contest) == list(SLOTS_AT)
    with pytest.raises(Malformed):
        set_slots(contest, [(stop, int(str(count))) for stop, count in zip(stops, turns, strict=True)])
    assert list_stop_names(contest) == list(SLOTS_AT)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Enter how many turns are played here, or 0 for none."),
        ("x", "Enter a whole number."),
        ("-1", "Ensure this value is greater than or equal to 0."),
        ("9" * 30, "Ensure this value is less than or equal to 15."),
    ],
)
def test_an_invalid_number_of_turns_is_explained_at_its_stop(
    contest: Contest, stops: list[Stop], alice: User, sign_in: SignIn, typed: str, message: str
) -> None:
    response = save(sign_in(alice), address_of(contest), data_for(stops, [1, typed, 1, 2]))

    assert_refused(response, f"id_stop_{stops[1].pk}", message)
    assert f'name="stop_{stops[3].pk}" value="2"' in get_page_text(response)
    assert list_stop_names(contest) == []


def test_after_the_first_entry_the_turns_cannot_move_and_the_page_says_why(
    contest: Contest, slots: list[Slot], stops: list[Stop], alice: User, sign_in: SignIn
) -> None:
    stale = Contest.objects.get()
    Contest.objects.update(frozen_at=timezone.now())

    with pytest.raises(ContestFrozen):
        set_slots(stale, [(stops[0], 1)])
    page = get_page_text(sign_in(alice).get(address_of(contest)))
    response = sign_in(alice).post(address_of(contest), data_for(stops, [1, 0, 0, 0]))

    assert "Turns have been recorded or the contest was closed, so turns can no longer be moved between stops." in page
    assert 'name="stop_' not in page
    assert response.status_code == 409
    assert "Turns have been recorded" in get_page_text(response)
    assert list_stop_names(contest) == list(SLOTS_AT)


def test_a_stop_of_another_event_cannot_have_turns(contest: Contest, other_event: Event) -> None:
    with pytest.raises(ValueError, match="another event"):
        set_slots(contest, [(add_stop(other_event, "Elsewhere"), 1)])


def test_without_stops_the_page_links_to_them(contest: Contest, alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get(address_of(contest)))

    assert "No stops yet" in page
    assert f'href="/desk/events/{contest.event.slug}/stops/"' in page


def test_a_game_not_played_at_stops_has_no_page_for_turns(
    contest: Contest, stops: list[Stop], alice: User, sign_in: SignIn, settings
) -> None:
    settings.EXTRA_GAMES = ["tests.games.toy"]
    Contest.objects.update(game_key="pig-race")

    assert sign_in(alice).get(address_of(contest)).status_code == 404
    with pytest.raises(LookupError):
        set_slots(contest, [(stops[0], 1)])


def test_fewer_turns_than_have_to_count_are_refused_at_the_field(
    contest: Contest, stops: list[Stop], alice: User, sign_in: SignIn
) -> None:
    contest.game_key, contest.options = "dice-run", {"counts": 4}
    contest.save()

    response = save(sign_in(alice), address_of(contest), data_for(stops, [1, 1, 1, 0]))

    text = (
        "That makes 3 turns. Only the best 4 turns count, so at least 4 turns are needed, and a scorecard has 3. "
        "Choose fewer that count first, or add turns at the stops."
    )
    assert_refused(response, f"id_stop_{stops[0].pk}", text)
    assert 'value="1"' in get_page_text(response)
    assert not contest.slots.exists()
    assert save(sign_in(alice), address_of(contest), data_for(stops, [1, 1, 1, 1])).status_code == 302


def test_more_turns_to_count_than_there_are_at_the_stops_are_refused_at_the_field(
    contest: Contest, stops: list[Stop], alice: User, sign_in: SignIn
) -> None:
    contest.game_key, contest.options = "dice-run", {}
    contest.save()
    set_slots(contest, [(stop, 1) for stop in stops[:3]])
    data = {"name": "Dice run", "options.counts": "4", "groups_by": "none"}
    names = ("dice", "faces", "throws", "throw_counts", "goal", "ties")
    data |= {f"options.{name}": str(contest.ruleset.options[name]) for name in names}

    response = save(sign_in(alice), f"/desk/events/{contest.event.slug}/contests/{contest.slug}/settings/", data)

    text = (
        "Turns that count: Only the best 4 turns count, so at least 4 turns are needed, and a scorecard has 3. Choose "
        "fewer that count first, or add turns at the stops."
    )
    assert_refused(response, "id_options.counts", text)
