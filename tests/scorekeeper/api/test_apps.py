"""Apps that record: one with an invitation of the crew does what our phones do, one with a token what the desk does."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.coach.models import OddsAnswer
from scorekeeper.coach.services import compute_answers
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import CrewMember, Device, FormerDevice
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import Contest, DeletedEvent, Event
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from tests.scorekeeper.api.conftest import list_outcomes
from tests.scorekeeper.api.program import check_response, make_program, read
from tests.scorekeeper.rights.small_ride import RUN, SmallRide, make_small_ride

pytestmark = pytest.mark.django_db


@pytest.fixture
def ride() -> SmallRide:
    return make_small_ride("Quokka")


def redeem(invitation: object, status: int = 201) -> Any:
    response: Any = Client().post(reverse("api:devices"), {"invitation": invitation}, content_type="application/json")
    assert response.status_code == status, response.content
    assert response.headers["Cache-Control"] == "private, no-store"
    check_response(response)
    return response.json()


def make_app(member: CrewMember) -> Client:
    """Return an app that has redeemed an invitation of a crew member. It has no cookies."""
    token = redeem(f"https://example.org/join/{create_invitation(member)[1]}/")["token"]
    return Client(headers={"Authorization": f"Bearer {token}"})


def send(app: Client, *operations: Any, route: str = "operations", args: Any = (), status: int = 200) -> Any:
    body = {"operations": list(operations)}
    response: Any = app.post(reverse(f"api:{route}", args=args), body, content_type="application/json")
    assert response.status_code == status, response.content
    check_response(response)
    return response.json()["receipts"] if status == 200 else response.json()


def make_turn(ride: SmallRide, **more: Any) -> dict[str, Any]:
    ids = {name: str(ride.ids[name]) for name in ("yahtzee", "other_bike", "slot")}
    actions = [{"type": "paper", "box": "chance", "points": 22}]
    where = {"contest": ids["yahtzee"], "bike": ids["other_bike"], "slot": ids["slot"]}
    return {"id": str(uuid4()), "kind": "turn", **where, "actions": actions, **more}


def test_an_invitation_makes_an_app_a_device_once(ride: SmallRide) -> None:
    _invitation, token = create_invitation(ride.gunner)

    device = redeem(token)

    assert (device["event"], device["role"]) == (ride.slugs["event"], "tail_gunner")
    stored = Device.objects.get(pk=device["device"])
    assert stored.member == ride.gunner
    assert device["token"] not in str(Device.objects.filter(pk=stored.pk).values())
    assert redeem(token, 410)["code"] == "invitation_unusable"
    assert redeem("no-such-token", 404)["code"] == "invitation_unknown"
    assert redeem("", 400)["field"] == "invitation"
    assert redeem(None, 400)["field"] == "invitation"


def test_an_invitation_to_a_deleted_event_says_so(ride: SmallRide) -> None:
    now = Event.objects.get(slug=ride.slugs["event"]).created_at
    gone = DeletedEvent.objects.create(id=uuid4(), name="Old", slug="old", deleted_at=now)
    FormerDevice.objects.create(token_digest=hash_token("former"), event=gone)

    assert redeem("former", 410)["code"] == "event_deleted"


def test_an_app_reads_what_it_can_record_records_it_and_sees_it(ride: SmallRide) -> None:
    app = make_app(ride.gunner)
    card = str(derive_card_id(ride.ids["yahtzee"], ride.ids["other_bike"]))

    before = read(app, "crew_scorecard", card)
    assert str(ride.ids["slot"]) in before["play"]["free_slots"]
    turn = make_turn(ride)
    (receipt,) = send(app, turn)
    (again,) = send(app, turn)

    assert receipt["outcome"] == again["outcome"] == "recorded"
    after = read(app, "crew_scorecard", card)
    assert (after["seats"][0]["total"], after["play"]["length"]) == (22, 1)
    assert Turn.objects.filter(card__seats__bike=ride.ids["other_bike"]).count() == 1


def test_an_app_reads_what_choices_are_worth_where_the_contest_is_coached(ride: SmallRide) -> None:
    app, table = make_app(ride.gunner), str(ride.ids["table"])
    assert read(app, "crew_scorecard", table)["play"]["odds"] is None

    Contest.objects.filter(pk=ride.ids["campfire"]).update(odds_shown=Contest.OddsShown.COACH)
    pending = read(app, "crew_scorecard", table)["play"]["odds"]
    assert (pending["state"], pending["seat"], pending["options"]) == ("pending", 0, [])

    compute_answers(list(OddsAnswer.objects.values_list("digest", flat=True)))
    odds = read(app, "crew_scorecard", table)["play"]["odds"]
    assert (odds["state"], odds["measure"], odds["value"]) == ("ready", "turn", 250.0)
    assert {"action": {"type": "keep", "dice": [2, 3, 4, 5, 6, "C"]}, "value": 250.0, "loss": 0.0} in odds["options"]

    answer: Any = OddsAnswer.objects.get().answer
    assert not {"win", "race"} & (odds.keys() | odds["options"][0].keys()), "this game is far from its end"
    for name in ("win", "race"):
        options = [{**option, name: 0.25} for option in answer["options"]]
        OddsAnswer.objects.update(answer={**answer, "options": options, name: 0.75})
        told = read(app, "crew_scorecard", table)["play"]["odds"]
        assert (told[name], {option[name] for option in told["options"]}) == (0.75, {0.25})
        assert not {"win", "race"} - {name} & (told.keys() | told["options"][0].keys())
    OddsAnswer.objects.update(answer={**answer, "method": "none", "why": "seconds"})
    none = read(app, "crew_scorecard", table)["play"]["odds"]
    assert (none["state"], none["why"], none["value"]) == ("none", "seconds", None)
    Contest.objects.filter(pk=ride.ids["campfire"]).update(status=Contest.Status.CLOSED)
    assert read(app, "crew_scorecard", table)["play"]["odds"] is None


def test_an_app_plays_at_a_table_with_the_actions_it_is_offered(ride: SmallRide) -> None:
    app, table = make_app(ride.gunner), str(ride.ids["table"])
    play = read(app, "crew_scorecard", table)["play"]
    assert "keep" in {action["type"] for action in play["legal_actions"]}

    action = {"seat": play["to_act"], "type": "keep", "dice": RUN}
    operation = {"id": str(uuid4()), "kind": "action", "card": table, "seen": play["length"], "actions": [action]}

    assert list_outcomes(send(app, operation)) == ["recorded"]
    assert read(app, "crew_scorecard", table)["play"]["length"] == play["length"] + 1


def test_an_app_has_everything_that_a_phone_has(ride: SmallRide) -> None:
    app = make_app(ride.gunner)

    assert app.get(reverse("offline:ride_parts")).status_code == 200
    assert read(app, "key")["public_key"] == ""
    body = {"messages": [str(ride.ids["message"])]}
    assert app.post(reverse("api:messages_read"), body, content_type="application/json").status_code == 200
    # Pages are for browsers, which have cookies.
    assert app.get("/crew/").status_code == 401


def test_an_app_of_another_group_reads_and_records_only_its_own_bikes(ride: SmallRide) -> None:
    far = CrewMember.objects.create(group_id=ride.ids["other_group"], name="Far", role=CrewMember.Role.TAIL_GUNNER)
    app = make_app(far)

    assert read(app, "crew_scorecard", str(ride.ids["card"]), status=403)["code"] == "not_yours"
    assert list_outcomes(send(app, make_turn(ride))) == ["not_yours"]
    assert read(app, "crew_scorecard", str(uuid4()), status=404)["code"] == "scorecard_not_found"


def test_an_expired_app_is_told_to_ask_for_a_new_link(ride: SmallRide) -> None:
    app = make_app(ride.gunner)
    Device.objects.filter(member=ride.gunner).update(expires_at=Event.objects.get(slug=ride.slugs["event"]).created_at)

    answer = send(app, make_turn(ride), status=401)

    assert (answer["code"], answer["error"]["code"]) == ("signed_out", "signed_out")


def test_a_program_records_in_the_name_of_its_organiser(ride: SmallRide) -> None:
    program, args = make_program(ride.user, "record"), [ride.slugs["event"]]

    (receipt,) = send(program, make_turn(ride, reason="from the paper card"), route="organiser_operations", args=args)

    assert receipt["outcome"] == "recorded"
    operation = Operation.objects.get(pk=receipt["id"])
    assert (operation.device_id, operation.reason.text) == (None, "from the paper card")
    assert operation.actor_id == Event.objects.get(slug=ride.slugs["event"]).organisers.get(user=ride.user).pk
    entries = read(program, "entries", ride.slugs["event"], ride.slugs["yahtzee"])["results"]
    assert entries[-1]["by"] == "quokka-alice"


def test_decisions_stay_at_the_desk(ride: SmallRide) -> None:
    """Settling, closing and publishing need somebody who reads what they do (decision 39)."""
    program, args = make_program(ride.user, "record"), [ride.slugs["event"]]
    before = Entry.objects.count()

    for kind in ("settle", "close", "publish", "cut", "award"):
        operation = {"id": str(uuid4()), "kind": kind, "reason": "why not"}
        assert list_outcomes(send(program, operation, route="organiser_operations", args=args)) == ["unreadable"]
    assert Entry.objects.count() == before


def test_recording_needs_a_token_that_may_and_an_open_event_of_its_own(ride: SmallRide) -> None:
    other, args = make_small_ride("Numbat"), [ride.slugs["event"]]

    def ask(program: Client, status: int) -> str:
        return str(send(program, make_turn(ride), route="organiser_operations", args=args, status=status)["code"])

    assert ask(Client(), 401) == "token_missing"
    assert ask(make_program(ride.user), 403) == "scope_too_small"
    assert ask(make_program(other.user, "record"), 404) == "event_not_found"
    Event.objects.filter(pk=ride.ids["event"]).update(state=Event.State.DRAFT)
    assert ask(make_program(ride.user, "record"), 409) == "not_open"
    assert not Turn.objects.filter(card__contest=ride.ids["yahtzee"], points=22).exists()


def test_only_phones_report_what_they_have_yet_to_send(ride: SmallRide) -> None:
    program, body = make_program(ride.user, "record"), {"operations": [], "report": {"unsent": 0, "attention": 0}}
    url = reverse("api:organiser_operations", args=[ride.slugs["event"]])

    response = program.post(url, body, content_type="application/json")

    assert (response.status_code, response.json()["code"]) == (422, "no_batch")
