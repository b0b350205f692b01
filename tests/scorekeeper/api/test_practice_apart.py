"""Entries of a practice and of its ride, made on the same phones, never cross over: online, offline and carried.

Terms: a phone *crosses over* if something that it recorded for one of the two is in the log of the other. Whatever is
made here is made for the event that the phone was in at that moment.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.access import DEVICE_HEADER, DEVICE_ID_COOKIE, OTHER_DEVICE_ID_COOKIE
from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.desk.services.practice import start_practice
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops, list_slots
from scorekeeper.standings.selectors.verification import list_damage
from tests.faults.figures import Figures
from tests.faults.scale import FULL
from tests.scorekeeper.api.conftest import list_outcomes
from tests.scorekeeper.api.signing_phone import RECORDED_AT, encode_public_key, make_key, sign
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.card_forms import read_form

pytestmark = pytest.mark.django_db

ENTRIES = 1000 if FULL else 80
BOXES = (("aces", 1), ("twos", 2), ("threes", 3), ("fours", 4), ("fives", 5))
SWITCH_SHARE, WALK_UP_SHARE, SEND_SHARE = 0.15, 0.1, 0.1
MODES = ("online", "offline", "carried")


@dataclass
class MadeEntry:
    """An operation, the device it was made on, its event, and how it is to reach the server."""

    body: dict[str, Any]
    device: str
    event_id: UUID
    mode: str


@dataclass
class SwitchingPhone:
    """A phone that is in the ride and in its practice, with what it has not sent yet, as its database has it."""

    name: str
    client: Client
    keys: dict[str, ec.EllipticCurvePrivateKey] = field(default_factory=dict)
    pending: list[MadeEntry] = field(default_factory=list)
    sequence: int = 0

    @property
    def device(self) -> str:
        return self.client.cookies[DEVICE_ID_COOKIE].value

    def get_member(self) -> CrewMember:
        return Device.objects.select_related("member__group__event").get(pk=self.device).member

    def switch(self) -> None:
        assert self.client.post("/crew/switch/").status_code == 302
        self.register_key()

    def register_key(self) -> None:
        if self.device not in self.keys:
            self.keys[self.device] = make_key()
            body = {"public_key": encode_public_key(self.keys[self.device])}
            headers = {DEVICE_HEADER: self.device}
            answer = self.client.post(reverse("api:key"), body, content_type="application/json", headers=headers)
            assert answer.status_code == 200, answer.content

    def send(self, entries: list[MadeEntry], device: str) -> list[dict[str, Any]]:
        """Send operations as a device."""
        body = json.dumps({"operations": [entry.body for entry in entries]})
        headers = {DEVICE_HEADER: device}
        answer = self.client.post(reverse("api:operations"), body, content_type="application/json", headers=headers)
        assert answer.status_code == 200, answer.content
        receipts: list[dict[str, Any]] = answer.json()["receipts"]
        return receipts

    def seal(self, entry: MadeEntry) -> dict[str, str]:
        """Return an entry signed as the device it was made on."""
        self.sequence += 1
        claims = {"device": entry.device, "sequence": self.sequence, "noted": RECORDED_AT, "operation": entry.body}
        text = json.dumps(claims)
        return {"device": entry.device, "operations_json": text, "signature": sign(self.keys[entry.device], text)}

    def carry(self, envelopes: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Deliver envelopes in whichever event this phone is."""
        body = json.dumps({"carried": envelopes})
        answer = self.client.post(reverse("api:carried"), body, content_type="application/json")
        assert answer.status_code == 200, answer.content
        receipts: list[dict[str, Any]] = answer.json()["receipts"]
        return receipts


class Field:
    """The ride and its practice: what is still to be recorded for each bike, in both."""

    def __init__(self, ride: Ride, alice: User, bikes: int) -> None:
        members = (ride.group_one, ride.group_two)
        Bike.objects.bulk_create(
            Bike(event=ride.event, number=100 + number, group=members[number % 2]) for number in range(bikes)
        )
        self.events = {event.pk: event for event in (ride.event, start_practice(ride.event, alice))}
        self.turns: dict[UUID, list[dict[str, Any]]] = defaultdict(list)
        self.numbers = iter(range(10_000, 99_999))
        for event in self.events.values():
            (contest,) = list_contests_at_stops(event)
            for bike in event.bikes.filter(number__gte=100):
                assert bike.group_id is not None
                for slot, (box, points) in zip(list_slots(contest), BOXES, strict=True):
                    actions = [{"type": "paper", "box": box, "points": points}]
                    ids = {"contest": str(contest.pk), "bike": str(bike.pk), "slot": str(slot.pk)}
                    self.turns[bike.group_id].append({"kind": "turn", **ids, "actions": actions})

    def make(self, phone: SwitchingPhone, rng: Random) -> MadeEntry:
        """Make an entry on the phone, for the event that it is in."""
        member = phone.get_member()
        turns = self.turns[member.group_id]
        if not turns or rng.random() < WALK_UP_SHARE:
            body = {"kind": "register_bike", "bike": str(uuid4()), "number": next(self.numbers)}
            body["rider"] = "Nell"
        else:
            body = turns.pop()
        return MadeEntry({"id": str(uuid4()), **body}, phone.device, member.group.event_id, rng.choice(MODES))


def make_phones(ride: Ride, crew_client: CrewClient) -> list[SwitchingPhone]:
    phones = []
    for member in (ride.rita, ride.tom, ride.sue, ride.gus):
        client = crew_client(member)
        client.cookies[DEVICE_ID_COOKIE] = str(Device.objects.get(member=member).pk)
        phones.append(SwitchingPhone(member.name, client))
        phones[-1].register_key()
    return phones


def deliver(phone: SwitchingPhone, others: list[SwitchingPhone], rng: Random) -> Counter[str]:
    """Send what is pending, wherever the phone is by now: its own by the device's name, the rest over another phone."""
    outcomes: Counter[str] = Counter()
    by_device: dict[str, list[MadeEntry]] = defaultdict(list)
    for entry in phone.pending:
        by_device["carried" if entry.mode == "carried" else entry.device].append(entry)
    for device, entries in by_device.items():
        for start in range(0, len(entries), 100):
            part = entries[start : start + 100]
            if device == "carried":
                receipts = rng.choice(others).carry([phone.seal(entry) for entry in part])
            else:
                receipts = phone.send(part, device)
            outcomes.update(list_outcomes(receipts))
    phone.pending = []
    return outcomes


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_a_thousand_mixed_entries_on_the_same_phones_never_cross_over(
    ride: Ride, alice: User, crew_client: CrewClient, figures: Figures
) -> None:
    rng = Random(34)
    field = Field(ride, alice, ENTRIES // 6)
    phones = make_phones(ride, crew_client)
    made: list[MadeEntry] = []
    outcomes: Counter[str] = Counter()
    switches = 0
    for _number in range(ENTRIES):
        phone = rng.choice(phones)
        if rng.random() < SWITCH_SHARE:
            phone.switch()
            switches += 1
        entry = field.make(phone, rng)
        made.append(entry)
        if entry.mode == "online":
            outcomes.update(list_outcomes(phone.send([entry], entry.device)))
        else:
            phone.pending.append(entry)
        if rng.random() < SEND_SHARE:
            outcomes += deliver(phone, [other for other in phones if other is not phone], rng)
    for phone in phones:
        phone.switch()  # half of them are not where their entries were made
        outcomes += deliver(phone, [other for other in phones if other is not phone], rng)

    logged = dict(Operation.objects.values_list("pk", "event_id"))
    crossed = [entry for entry in made if logged.get(UUID(entry.body["id"]), entry.event_id) != entry.event_id]
    lost = [entry for entry in made if UUID(entry.body["id"]) not in logged]
    assert crossed == []
    assert lost == []
    assert outcomes == {"recorded": ENTRIES}
    assert {entry.mode for entry in made} == set(MODES)
    counts = Counter(entry.event_id for entry in made)
    assert min(counts[event] for event in field.events) > ENTRIES // 4
    # The log itself: every entry is in a chain of its operation's event, by a member of it, and nothing else is there.
    for logged_entry in Entry.objects.select_related("chain", "operation"):
        assert logged_entry.chain.event_id == logged_entry.operation.event_id
    actors = dict(CrewMember.objects.values_list("pk", "group__event_id"))
    assert all(actors[actor] == event for actor, event in Operation.objects.values_list("actor_id", "event_id"))
    assert Operation.objects.count() == ENTRIES
    assert not ReviewItem.objects.exists()
    for event in field.events.values():
        assert list(list_damage(event)) == []
    modes = Counter(entry.mode for entry in made)
    figures.add(
        "34 · a practice ride and the real one on the same phones",
        f"{ENTRIES:,} entries on 4 phones that switched {switches} times ({modes['online']} online, "
        f"{modes['offline']} kept and sent later, {modes['carried']} carried by another phone): "
        f"{len(crossed)} crossed over, {len(lost)} lost, `verify` clean",
    )


def test_an_entry_sent_under_the_wrong_device_is_recorded_nowhere(
    ride: Ride, alice: User, crew_client: CrewClient
) -> None:
    field, rng = Field(ride, alice, 6), Random(1)
    phone = make_phones(ride, crew_client)[0]
    ours = [field.make(phone, rng) for _number in range(12)]
    own = phone.device
    phone.switch()
    theirs = [field.make(phone, rng) for _number in range(12)]

    turns = [[entry for entry in made if entry.body["kind"] == "turn"] for made in (ours, theirs)]

    # As an app that names the wrong device would, and signed by the wrong one.
    wrong = [
        *phone.send(turns[0], phone.device),
        *phone.send(turns[1], own),
        *phone.carry([phone.seal(replace(entry, device=phone.device)) for entry in turns[0]]),
        *phone.carry([phone.seal(replace(entry, device=own)) for entry in turns[1]]),
    ]

    assert not {"recorded", "merged"} & set(list_outcomes(wrong))
    assert not Entry.objects.exists()


def test_entries_that_name_no_device_are_kept_by_a_phone_that_has_two(
    ride: Ride, alice: User, crew_client: CrewClient
) -> None:
    """A walk-up bike names no event: an older app would register it wherever the phone is by now."""
    start_practice(ride.event, alice)
    phone = make_phones(ride, crew_client)[0]
    phone.switch()
    walk_up = {"id": str(uuid4()), "kind": "register_bike", "bike": str(uuid4()), "number": 57, "rider": "Nell"}

    body = json.dumps({"operations": [walk_up]})
    answer = phone.client.post(reverse("api:operations"), body, content_type="application/json")

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "device_not_named")
    assert not Entry.objects.exists()


def test_a_walk_up_page_that_was_opened_before_switching_asks_again(
    ride: Ride, alice: User, crew_client: CrewClient
) -> None:
    practice = start_practice(ride.event, alice)
    phone = make_phones(ride, crew_client)[0]
    url = reverse("scorecards:walk_up")
    opened = {name: values[0] for name, values in read_form(phone.client.get(url)).items()}
    phone.switch()

    response = phone.client.post(url, {**opened, "number": "57", "rider": "Nell"})

    assert response.status_code == 422
    assert "switched between the event and the practice" in response.content.decode()
    assert not Bike.objects.filter(number=57).exists()
    again = {name: values[0] for name, values in read_form(response).items()}
    phone.client.post(url, {**again, "number": "57", "rider": "Nell"})
    assert Bike.objects.get(number=57).event == practice


def test_a_device_that_the_phone_has_no_token_of_cannot_be_named(
    ride: Ride, alice: User, crew_client: CrewClient
) -> None:
    start_practice(ride.event, alice)
    rita, tom = make_phones(ride, crew_client)[:2]
    rita.switch()

    headers = {DEVICE_HEADER: tom.device}
    answer = rita.client.post(
        reverse("api:operations"), json.dumps({"operations": []}), content_type="application/json", headers=headers
    )

    assert answer.status_code == 401
    assert rita.client.cookies[OTHER_DEVICE_ID_COOKIE].value != tom.device


def test_a_phone_in_the_practice_of_a_draft_carries_nothing_into_it_yet(
    ride: Ride, alice: User, crew_client: CrewClient
) -> None:
    field, rng = Field(ride, alice, 4), Random(2)
    rita, tom = make_phones(ride, crew_client)[:2]
    entry = field.make(rita, rng)
    tom.switch()
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    assert list_outcomes(tom.carry([rita.seal(entry)])) == ["not_yet"]
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.OPEN)
    assert list_outcomes(tom.carry([rita.seal(entry)])) == ["recorded"]


def test_each_device_reports_its_own_unsent_entries(ride: Ride, alice: User, crew_client: CrewClient) -> None:
    start_practice(ride.event, alice)
    phone = make_phones(ride, crew_client)[0]
    own = phone.device
    phone.switch()
    body = json.dumps({"operations": [], "report": {"unsent": 3, "attention": 0}})

    headers = {DEVICE_HEADER: own}
    answer = phone.client.post(reverse("api:operations"), body, content_type="application/json", headers=headers)

    assert answer.status_code == 200
    assert Device.objects.get(pk=own).unsent == 3
    assert Device.objects.get(pk=phone.device).unsent == 0
