"""Awards: how each is decided, what a revision keeps of it, and that verification finds every change."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import ReasonRequired
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import (
    list_audience_awards,
    list_awards,
    list_published_awards,
    preview_awards,
    sort_by_importance,
)
from scorekeeper.prizes.selectors.decisions import list_decisions
from scorekeeper.prizes.services import InvalidDecision, PrizeSettings, change_prize, decide_award, delete_prize
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.revisions import has_log_grown
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.contest_chain import ChecklistIncomplete, WrongContestStatus
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.prizes.conftest import AddPrize, find_award, list_ids, list_winners
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_final_turn, make_paper_turn

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gail", "Hal", "Zoe")


def publish(ride: Ride, desk: Actor, reason: str = "") -> Revision:
    receipt = publish_contest(desk, uuid4(), ride.contest.pk, reason)
    ride.contest.refresh_from_db()
    return Revision.objects.get(operation=receipt.operation_id)


def list_frozen(revision: Revision) -> list[dict[str, Any]]:
    """The awards that a revision stores."""
    revision.refresh_from_db()
    assert revision.awards is not None
    return list(revision.awards)


@pytest.fixture
def sixes(add_turn) -> None:
    """Bikes 1 and 2 have two sixes each, bike 3 has one."""
    add_turn(1, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    add_turn(2, 1, make_final_turn([6, 6, 1, 1, 2], "sixes"))
    add_turn(3, 1, make_final_turn([6, 5, 4, 3, 1], "chance"))


@pytest.mark.usefixtures("tied_bikes")
def test_a_tied_place_waits_for_cards_and_the_cut_decides_it(ride: Ride, add: AddPrize, close, cut) -> None:
    first, third = add("place", place=1), add("place", place=3)
    close()
    assert {prize: find_award(ride, prize).outcome for prize in (first, third)} == {first: "to_cut", third: "to_cut"}
    assert list_winners(ride, first) == list_winners(ride, third) == [1, 2, 3]

    cut({1: "QS", 2: "KH", 3: "AD"})

    award = find_award(ride, first)
    (winner,) = award.winners
    assert (award.outcome, winner.number, winner.total) == ("cut", "3", 24)
    assert winner.how == "Total 24, cut cards: ace of diamonds"
    assert list_winners(ride, third) == [1]


@pytest.mark.usefixtures("tied_bikes")
def test_a_tied_place_is_not_decided_past_the_cut(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    first = add("place", place=1)
    close()
    with pytest.raises(InvalidDecision):
        decide_award(desk, uuid4(), first, list_ids(ride, 1, 2, 3), list_ids(ride, 1), "I like Ann")


@pytest.mark.usefixtures("tied_bikes")
def test_retired_bikes_share_a_place_or_the_organiser_decides(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    for number in (1, 2, 3):
        retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[number].pk, "rain")
    second = add("place", place=2)
    close()
    award = find_award(ride, second)
    assert (award.outcome, [winner.number for winner in award.winners]) == ("shared", ["1", "2", "3"])

    decide_award(desk, uuid4(), second, list_ids(ride, 1, 2, 3), list_ids(ride, 2), "the others went home")

    assert (find_award(ride, second).outcome, list_winners(ride, second)) == ("choice", [2])


@pytest.mark.usefixtures("sixes")
def test_a_tied_special_prize_is_the_organisers_decision(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    prize = add("most_sixes", name="Six-pack")
    tied, winner = list_ids(ride, 1, 2), list_ids(ride, 2)
    assert find_award(ride, prize).outcome == "tied"
    with pytest.raises(WrongContestStatus):
        decide_award(desk, uuid4(), prize, tied, winner, "cut cards")
    close()

    with pytest.raises(ChecklistIncomplete):
        publish(ride, desk)
    with pytest.raises(ReasonRequired):
        decide_award(desk, uuid4(), prize, tied, winner, " ")
    for wrong in ((tied, []), (tied, list_ids(ride, 3)), (list_ids(ride, 1, 2, 3), winner), (tied, [*winner, *winner])):
        with pytest.raises(InvalidDecision):
            decide_award(desk, uuid4(), prize, *wrong, "wrong")
    decide_award(desk, uuid4(), prize, tied, winner, "cut cards: king against 7")

    award = find_award(ride, prize)
    assert (award.outcome, award.outcome_text) == ("choice", "Decided by the organisers")
    assert [(one.number, one.how) for one in award.winners] == [("2", "2 sixes over 1 turn")]
    decide_award(desk, uuid4(), prize, tied, tied, "they share it")
    assert find_award(ride, prize).outcome_text == "Shared, as decided by the organisers"


@pytest.mark.usefixtures("sixes")
def test_a_decision_counts_only_while_exactly_those_are_tied(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    prize = add("most_sixes")
    close()
    decide_award(desk, uuid4(), prize, list_ids(ride, 1, 2), list_ids(ride, 2), "cut cards")
    turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[1]), line="sixes")

    def correct(dice: list[int]) -> None:
        turn.refresh_from_db()
        target = CorrectionTarget(turn.pk, turn.seq, make_final_turn(dice, "sixes"))
        amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

    correct([6, 6, 6, 2, 3])
    assert (find_award(ride, prize).outcome, list_winners(ride, prize)) == ("figures", [1])
    correct([6, 6, 5, 2, 3])
    assert (find_award(ride, prize).outcome, list_winners(ride, prize)) == ("choice", [2])


def test_a_prize_given_by_hand_needs_a_reason_and_can_be_taken_back(ride: Ride, desk: Actor, add: AddPrize) -> None:
    prize = add("by_hand", name="Oldest bike")
    assert find_award(ride, prize).outcome_text == "Nobody yet"
    with pytest.raises(InvalidDecision):
        decide_award(desk, uuid4(), prize, (), (), "nobody to take it from")
    with pytest.raises(InvalidDecision):
        decide_award(desk, uuid4(), prize, (), [uuid4()], "nobody's bike")

    decide_award(desk, uuid4(), prize, (), list_ids(ride, 7), "a 1952 Panhead")
    (winner,) = find_award(ride, prize).winners
    assert (winner.name, winner.machine, winner.total, winner.how) == ("Bike 7 (Gail)", "Honda", None, "")

    decide_award(desk, uuid4(), prize, (), (), "it was a replica")
    assert find_award(ride, prize).winners == ()
    assert list_decisions(ride.contest.pk)[prize.pk].winners == ()
    assert not list(list_damage(ride.event))


@pytest.mark.usefixtures("sixes")
def test_a_revision_has_the_winners_for_good_and_no_names(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    sixes = add("most_sixes", name="Six-pack", sponsor="Foothills Brewing")
    group = add("best_group")
    roll = add("best_roll", stop_id=ride.stops[0].pk)
    close()
    decide_award(desk, uuid4(), sixes, list_ids(ride, 1, 2), list_ids(ride, 2), "cut cards: Ben had a king")
    revision = publish(ride, desk)
    frozen = list_frozen(revision)

    assert [award["winners"][0]["number"] for award in frozen] == ["2", "", "3"]
    assert not any(name in str(frozen) for name in NAMES)
    assert [award.title for award in list_audience_awards(ride.contest, {})] == [
        "Six-pack",
        "Best group, by the mean of all totals",
        "Best roll at Ozweld's",
    ]
    assert not has_log_grown(revision)

    # None of this changes what was published.
    Group.objects.filter(pk=ride.group_two.pk).update(name="Late")
    Bike.objects.filter(pk=ride.bikes[1].pk).update(group=ride.group_two)
    delete_prize(desk, roll)
    change_prize(desk, sixes, PrizeSettings(ride.contest, "Twelve-pack", "", "most_sixes"))
    assert list_frozen(revision) == frozen
    assert next(award.title for award in list_audience_awards(ride.contest, {})) == "Six-pack"
    assert not list(list_damage(ride.event))

    assert get_leaderboard(ride.contest).needs_revision
    second = publish(ride, desk)
    assert [award["name"] for award in list_frozen(second)] == ["Twelve-pack", ""]
    assert next(award.title for award in list_audience_awards(ride.contest, {})) == "Twelve-pack"
    assert not list(list_damage(ride.event))
    assert group.pk in {award.prize_id for award in list_audience_awards(ride.contest, {})}


@pytest.mark.usefixtures("sixes")
def test_the_audience_sees_no_winner_before_the_freeze_is_lifted(
    ride: Ride, desk: Actor, add: AddPrize, close, client: Client
) -> None:
    add("most_sixes", name="Six-pack")
    freeze_standings(ride.event)
    close()
    publish(ride, desk, "two bikes did not finish")
    address = f"/events/{ride.event.slug}/{ride.contest.slug}/"

    assert list_audience_awards(ride.contest, {}) == []
    assert len(list_published_awards(ride.contest, {})) == 1
    pages = [address, f"{address}export.json", f"{address}prizes.csv"]
    assert not any(b"Six-pack" in client.get(page).getvalue() for page in pages)

    lift_freeze(ride.event)
    assert all(b"Six-pack" in client.get(page).getvalue() for page in pages)


@pytest.mark.usefixtures("sixes")
def test_a_published_prize_without_a_winner_does_not_say_yet(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    add("by_hand", name="Oldest bike")
    close()
    publish(ride, desk, "nobody came on an old bike")

    assert [award.outcome_text for award in list_published_awards(ride.contest, {})] == ["Nobody"]


@pytest.mark.usefixtures("sixes", "without_guards")
def test_verification_finds_other_winners(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    add("best_roll")
    close()
    revision = publish(ride, desk)
    assert not list(list_damage(ride.event))

    awards = [
        {**award, "winners": [{**award["winners"][0], "id": str(ride.bikes[8].pk)}]} for award in list_frozen(revision)
    ]
    Revision.objects.filter(pk=revision.pk).update(awards=awards)

    found = [damage.description for damage in list_damage(ride.event)]
    assert len(found) == 2
    assert "the winners of its prizes do not match the log" in found

    Revision.objects.filter(pk=revision.pk).update(awards=None)
    assert len(list(list_damage(ride.event))) == 1


@pytest.mark.usefixtures("tied_bikes")
def test_a_revision_without_prizes_is_as_it_always_was(ride: Ride, desk: Actor, close, cut) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    revision = publish(ride, desk)

    assert revision.awards is None
    assert list_audience_awards(ride.contest, {}) == []
    entry = ride.event.operations.get(kind="publish").entries.get()
    assert '"awards"' not in entry.body
    assert '"prize_list"' not in entry.body


@pytest.mark.usefixtures("sixes")
def test_what_is_announced_is_what_was_published(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    cup, roll = add("by_hand", name="Cup"), add("best_roll", name="Mirror")
    close()
    publish(ride, desk)
    change_prize(desk, roll, PrizeSettings(ride.contest, "Lamp", "", "best_roll"))
    late = add("by_hand", name="Late")

    announced = list_awards(ride.event)
    assert [(award.prize_id, award.title, award.is_published) for award in announced] == [
        (cup.pk, "Cup", True),
        (roll.pk, "Mirror", True),
    ]
    assert [award.title for award in preview_awards(ride.event)] == ["Cup", "Lamp", "Late"]
    assert Prize.objects.filter(pk=late.pk).exists()


def test_before_publishing_the_current_winners_are_announced(ride: Ride, desk: Actor, add: AddPrize, add_turn) -> None:
    add("best_roll", name="Mirror")
    add_turn(5, 2, make_paper_turn("chance", 30), by=desk)

    (award,) = list_awards(ride.event)

    assert (award.is_published, award.contest) == (False, ride.contest)
    assert [(one.name, one.total, one.how) for one in award.winners] == [("Bike 5 (Eve)", 30, "30 points at Parks")]


@pytest.mark.usefixtures("sixes")
@pytest.mark.usefixtures("sixes")
def test_a_revision_has_its_prizes_and_says_which_of_them_changed(
    ride: Ride, desk: Actor, add: AddPrize, close, client: Client, alice_desk: Client
) -> None:
    luck = add("by_hand", name="Hard luck trophy")
    close()
    publish(ride, desk, "no cards were cut")
    overview, finish = (
        reverse(name, args=[ride.event.slug, *more])
        for name, more in (("desk:event", ()), ("desk:finish", (ride.contest.slug,)))
    )

    decide_award(desk, uuid4(), luck, [], list_ids(ride, 2), "Rode 412 km")

    changed = "Hard luck trophy Winner: from Nobody to Bike 2 (Ben, Zoe)"
    assert changed in get_visible_text(alice_desk.get(overview))
    assert changed in get_visible_text(alice_desk.get(finish))
    publish(ride, desk, "no cards were cut")
    for route, browser in (("desk:revision", alice_desk), ("results:revision", client)):
        old, new = (
            get_visible_text(browser.get(reverse(route, args=[ride.event.slug, ride.contest.slug, number])))
            for number in (1, 2)
        )
        assert "Prizes as published Hard luck trophy Nobody" in old
        assert "Hard luck trophy Winner: from Nobody to Bike 2" in new
        assert "Prizes as published Hard luck trophy Bike 2" in new


def test_results_list_the_first_place_first_and_special_prizes_after_the_podium(
    ride: Ride, desk: Actor, add: AddPrize, close, client: Client
) -> None:
    add("best_roll", stop_id=ride.stops[0].pk, name="Mirror")
    for place in (3, 2, 1):
        add("place", place=place, name=f"Cup {place}")
    add("most_sixes", name="Grand prize of the draw")
    close()
    revision = publish(ride, desk, "no cards were cut")

    announced = [award.title for award in list_audience_awards(ride.contest, {})]
    listed = [award.title for award in sort_by_importance(list_audience_awards(ride.contest, {}))]
    page = get_page_text(client.get(f"/events/{ride.event.slug}/{ride.contest.slug}/"))

    assert revision.number == 1
    assert announced == ["Mirror", "Grand prize of the draw", "Cup 3", "Cup 2", "Cup 1"]
    assert listed == ["Cup 1", "Cup 2", "Cup 3", "Grand prize of the draw", "Mirror"]
    assert sorted(listed, key=page.index) == listed
