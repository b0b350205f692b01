"""Bikes that did not start: missing nowhere, unless a turn says that they did start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember
from scorekeeper.desk.selectors.live_grid import CellState, get_live_grid
from scorekeeper.desk.selectors.overview import get_contest_progress
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, OperationReason
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import NotAllowed
from scorekeeper.live.selectors.screen import get_bikes_to_play
from scorekeeper.players.services import BikeInUse, delete_bike
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.cards import list_slots
from scorekeeper.scorecards.selectors.crew_standings import list_crew_standings
from scorekeeper.scorecards.selectors.group import get_group_at_stop, get_next_bike
from scorekeeper.scorecards.selectors.non_starters import list_non_starters
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import list_forms
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = pytest.mark.database

Mark = Callable[..., Receipt]


@pytest.fixture
def mark(ride: Ride) -> Mark:
    """Mark a bike: `mark(2)`, by Rita or by the actor given as `by`."""
    rita = make_actor(ride.rita)

    def make(number: int, *, by: Actor | None = None, value: bool = True, reason: str = "") -> Receipt:
        return mark_did_not_start(by or rita, uuid4(), ride.bikes[number].pk, value=value, reason=reason)

    return make


def list_numbers(ride: Ride) -> list[int]:
    return sorted(Bike.objects.filter(pk__in=list_non_starters(ride.event)).values_list("number", flat=True))


class TestService:
    def test_a_mark_is_an_entry_of_the_events_log_and_can_be_taken_back(self, ride: Ride, mark: Mark) -> None:
        assert mark(2, reason="a flat tyre").outcome == "recorded"
        assert mark(2).outcome == "merged"
        assert list_numbers(ride) == [2]
        assert OperationReason.objects.get().text == "a flat tyre"
        assert mark(2, value=False).outcome == "recorded"

        assert list_numbers(ride) == []
        assert Entry.objects.filter(chain_id=ride.event.pk, kind="did_not_start").count() == 2
        assert list(list_damage(ride.event)) == []

    def test_road_captains_and_organisers_may_and_other_crew_may_not(self, ride: Ride, mark: Mark, desk: Actor) -> None:
        for actor in (make_actor(ride.tom), replace(make_actor(ride.rita), needs_review=True)):
            with pytest.raises(NotAllowed):
                mark(2, by=actor)
        mark(2, by=desk)
        mark(3, by=make_actor(ride.gus))
        assert list_numbers(ride) == [2, 3]

    def test_a_bike_with_a_turn_is_not_marked(self, ride: Ride, mark: Mark, add_turn) -> None:
        add_turn(2, 1, make_paper_turn("chance", 20))
        receipt = mark(2)
        assert (receipt.outcome, receipt.data) == ("merged", {"has_turns": True})
        assert list_numbers(ride) == []
        assert list(list_damage(ride.event)) == []

    def test_a_turn_outweighs_a_mark_in_any_order_and_nothing_is_lost(self, ride: Ride, mark: Mark, add_turn) -> None:
        mark(2)
        assert add_turn(2, 1, make_paper_turn("chance", 20)).outcome == "recorded"
        assert list_numbers(ride) == []
        assert list(list_damage(ride.event)) == []

        turn = Turn.objects.get()
        target = CorrectionTarget(turn.pk, turn.seq, None)
        amend_turns(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[2].pk, [target], "the wrong bike")
        assert list_numbers(ride) == [2], "without a turn, the mark counts again"

    def test_a_marked_bike_is_not_deleted(self, ride: Ride, mark: Mark) -> None:
        mark(2)
        with pytest.raises(BikeInUse):
            delete_bike(ride.bikes[2])

    @pytest.mark.usefixtures("without_guards")
    def test_verification_finds_marks_past_the_log(self, ride: Ride, mark: Mark) -> None:
        mark(2)
        Bike.objects.filter(number=2).update(did_not_start=False)
        Bike.objects.filter(number=3).update(did_not_start=True)
        assert len(list(list_damage(ride.event))) == 2


class TestWhereBikesAreMissing:
    @pytest.fixture(autouse=True)
    def _marked(self, ride: Ride, mark: Mark, add_turn) -> None:
        """Bike 1 has rolled at the first stop, and bikes 2 and 3 did not start."""
        add_turn(1, 1, make_paper_turn("chance", 20))
        mark(2)
        mark(3)
        refresh_standings(ride.contest.pk)

    def test_crew_do_not_wait_for_them(self, ride: Ride, add_turn) -> None:
        at_stop = get_group_at_stop(ride.contest, ride.group_one, ride.stops[0].pk)
        assert [(row.number, row.state) for row in at_stop.rows] == [
            ("4", "todo"),
            ("1", "done"),
            ("2", "did_not_start"),
            ("3", "did_not_start"),
        ]
        assert (at_stop.rolled_count, at_stop.expected_count) == (1, 2)
        slots = [slot for slot in list_slots(ride.contest) if slot.stop_id == ride.stops[0].pk]
        following = get_next_bike(ride.rita, ride.contest, slots, ride.bikes[1])
        assert (following.number, following.rolled_count, following.bike_count) == ("4", 1, 2)
        add_turn(4, 1, make_paper_turn("chance", 20))
        now_at = get_group_at_stop(ride.contest, ride.group_one).stop
        assert now_at is not None
        assert now_at.name == "Parks", "the first stop is done"

    def test_the_overview_the_screen_and_the_live_desk_do_not_miss_them(self, ride: Ride) -> None:
        shares = dict(get_contest_progress(ride.contest).groups)["Group one"]
        assert (shares[0].recorded_count, shares[0].expected_count) == (1, 2)
        to_play = get_bikes_to_play(ride.contest)
        assert to_play is not None
        assert [bike.number for bike in to_play.bikes] == [4, 5, 6, 7, 8]
        states = {row.bike.number: {cell.state for cell in row.cells} for row in get_live_grid(ride.contest).rows}
        assert (states[2], states[4]) == ({CellState.DID_NOT_START}, {CellState.MISSING, CellState.NOT_OPEN})

    def test_a_turn_makes_its_other_turns_missing_again(self, ride: Ride, add_turn) -> None:
        add_turn(2, 2, make_paper_turn("chance", 20))
        states = {row.bike.number: [cell.state for cell in row.cells] for row in get_live_grid(ride.contest).rows}
        assert states[2][:2] == [CellState.MISSING, CellState.RECORDED]
        assert get_group_at_stop(ride.contest, ride.group_one, ride.stops[0].pk).expected_count == 3

    def test_they_did_not_take_part_and_closing_records_nothing_as_missed(
        self, ride: Ride, desk: Actor, sign_in: SignIn, alice: User
    ) -> None:
        def list_absent() -> list[str]:
            board = get_live_leaderboard(ride.contest)
            return [row.number for row in board.rows if row.status == "absent"]

        assert list_absent() == ["2", "3"]
        assert [row.number for row in get_checklist(ride.contest).report.absent if row.status == "absent"] == ["2", "3"]
        page = get_visible_text(sign_in(alice).get(f"/desk/events/{ride.event.slug}/finish/{ride.contest.slug}/"))
        assert "2 bikes did not start: they will be listed as “Did not take part”" in page
        assert "5 bikes have not played" in page
        rows = list_crew_standings(ride.group_one)[0].rows
        assert [row.number for row in rows if row.is_non_starter] == ["2", "3"]

        close_contest(desk, uuid4(), ride.contest.pk, "over")
        assert not Turn.objects.filter(card__seats__bike__number__in=[2, 3]).exists()
        assert list(list_damage(ride.event)) == []

    def test_the_overview_says_how_many(self, ride: Ride, sign_in: SignIn, alice: User) -> None:
        page = get_visible_text(sign_in(alice).get(f"/desk/events/{ride.event.slug}/"))
        assert "2 bikes did not start" in page


class TestPages:
    def test_a_road_captain_marks_a_bike_and_takes_it_back(self, ride: Ride, crew_client: CrewClient) -> None:
        phone, address = crew_client(ride.rita), f"/crew/bikes/{ride.bikes[2].pk}/did-not-start/"
        page = phone.get(address)
        assert "Did bike 2 not start?" in get_visible_text(page)
        answer = phone.post(address, list_forms(page)[0], follow=True)
        assert "Bike 2 did not start." in get_visible_text(answer)
        page = phone.get(address)
        assert "Did bike 2 start after all?" in get_visible_text(page)
        phone.post(address, list_forms(page)[0])
        assert list_numbers(ride) == []

    def test_a_form_sent_twice_counts_once(self, ride: Ride, crew_client: CrewClient) -> None:
        phone, address = crew_client(ride.rita), f"/crew/bikes/{ride.bikes[2].pk}/did-not-start/"
        sent = list_forms(phone.get(address))[0]
        assert [phone.post(address, sent).status_code for _ in range(2)] == [302, 302]
        answer = phone.post(address, {**sent, "value": "0"})
        assert answer.status_code == 409
        assert Entry.objects.filter(kind="did_not_start").count() == 1

    def test_a_bike_with_turns_is_refused_with_what_to_do_instead(
        self, ride: Ride, add_turn, crew_client: CrewClient
    ) -> None:
        phone, address = crew_client(ride.rita), f"/crew/bikes/{ride.bikes[2].pk}/did-not-start/"
        sent = list_forms(phone.get(address))[0]
        add_turn(2, 1, make_paper_turn("chance", 20))
        answer = phone.post(address, sent)
        assert answer.status_code == 409
        assert "Bike 2 has turns, so it did start." in get_visible_text(answer)
        assert "retire it" in get_visible_text(phone.get(address))

    def test_other_crew_are_told_whom_to_ask(self, ride: Ride, crew_client: CrewClient) -> None:
        answer = crew_client(ride.tom).get(f"/crew/bikes/{ride.bikes[2].pk}/did-not-start/")
        assert answer.status_code == 403

    def test_bad_input_and_a_draft_are_refused(self, ride: Ride, crew_client: CrewClient) -> None:
        phone, address = crew_client(ride.rita), f"/crew/bikes/{ride.bikes[2].pk}/did-not-start/"
        sent = list_forms(phone.get(address))[0]
        assert phone.post(address, {**sent, "reason": "x" * 201}).status_code == 422
        assert phone.post(address, {**sent, "value": "2"}).status_code == 422
        Event.objects.update(state=Event.State.DRAFT)
        answer = phone.post(address, sent)
        assert (answer.status_code, "not open" in get_visible_text(answer)) == (422, True)
        assert list_numbers(ride) == []
        assert phone.get(f"/crew/bikes/{uuid4()}/did-not-start/").status_code == 404

    def test_an_organiser_marks_a_bike_from_the_check_in_list(self, ride: Ride, sign_in: SignIn, alice: User) -> None:
        client, address = sign_in(alice), f"/desk/events/{ride.event.slug}/bikes/{ride.bikes[5].pk}/did-not-start/"
        answer = client.post(address, next(form for form in list_forms(client.get(address)) if "operation" in form))
        assert answer.headers["Location"] == f"/desk/events/{ride.event.slug}/check-in/"
        assert list_numbers(ride) == [5]

    def test_the_scorecard_leads_there_and_the_entry_page_warns(
        self, ride: Ride, mark: Mark, crew_client: CrewClient
    ) -> None:
        phone, card = crew_client(ride.rita), f"/crew/bikes/{ride.bikes[2].pk}/"
        assert f"{card}did-not-start/" in phone.get(f"{card}history/").content.decode()
        assert "marked as not started" not in get_visible_text(phone.get(card))
        mark(2)
        assert "This bike is marked as not started." in get_visible_text(phone.get(card))
        assert "Did not start" in get_visible_text(phone.get("/crew/"))

    def test_a_captain_of_another_group_may(self, ride: Ride, crew_client: CrewClient, gus: CrewMember) -> None:
        page = crew_client(gus).get(f"/crew/bikes/{ride.bikes[2].pk}/did-not-start/")
        assert page.status_code == 200, "a road captain may take over any bike"
