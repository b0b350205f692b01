"""The commands of docs/api.md and the example client, run against a server with a ride."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import Event
from scorekeeper.scorecards.contest_rules import derive_card_id
from tests.programs import ROOT
from tests.scorekeeper.api.program import add_token
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

GUIDE = (ROOT / "docs" / "api.md").read_text("utf-8")
FIVE_MINUTES = GUIDE.partition("## Write a crew app")[0]
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", FIVE_MINUTES, re.MULTILINE | re.DOTALL)
CLIENT = ROOT / "examples" / "tailgunner_client.py"


@pytest.fixture
def ride(live_server: LiveServer) -> SmallRide:
    ride = make_small_ride("Quokka")
    Event.objects.filter(pk=ride.ids["event"]).update(is_listed=True)
    return ride


@pytest.fixture
def client_module() -> ModuleType:
    """The example client, imported from its file."""
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location("tailgunner_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_five_minutes_work_as_they_are_written(live_server: LiveServer, ride: SmallRide) -> None:
    environment = {**os.environ, "SERVER": live_server.url, "TOKEN": add_token(ride.user)}
    assert len(BLOCKS) == 4

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(BLOCKS)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "quokka-ride Quokka ride"
    assert "quokka-rock-yahtzee rock-yahtzee open" in lines
    assert "1 1 20" in lines
    assert "304" in lines
    assert lines[-1].startswith("2 ") or "1 Quokka Ann" in lines


def test_the_example_lists_rides_and_leaders(live_server: LiveServer, ride: SmallRide) -> None:
    done = subprocess.run(
        [sys.executable, CLIENT, live_server.url], capture_output=True, text=True, timeout=120, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "Quokka rock-yahtzee: 1 1 Quokka Ann, Quokka Ben, 20" in done.stdout


def test_the_example_client_records_as_a_crew_and_as_an_organiser(
    live_server: LiveServer, ride: SmallRide, client_module: ModuleType
) -> None:
    connect: Any = client_module.Tailgunner
    app, program = connect(live_server.url), connect(live_server.url, add_token(ride.user, "record"))
    device = app.redeem(f"{live_server.url}/join/{create_invitation(ride.gunner)[1]}/")
    assert device["event"] == "quokka-ride"

    card = derive_card_id(ride.ids["yahtzee"], ride.ids["other_bike"])
    slots = app.get(f"ride/scorecards/{card}")["play"]["free_slots"]
    where = {"contest": str(ride.ids["yahtzee"]), "bike": str(ride.ids["other_bike"])}
    paper = [{"type": "paper", "box": "chance", "points": 22}]
    turn = client_module.make_operation("turn", **where, slot=slots[0], actions=paper)
    assert [one["outcome"] for one in app.record(turn)] == ["recorded"]

    sixes = [{"type": "paper", "box": "sixes", "points": 24}]
    later = client_module.make_operation("turn", **where, slot=slots[1], actions=sixes, reason="from the paper card")
    receipts = program.record(later, event="quokka-ride")
    assert [one["outcome"] for one in receipts] == ["recorded"]

    path = f"events/quokka-ride/contests/quokka-rock-yahtzee/scorecards/{card}"
    assert program.get(path)["seats"][0]["total"] == 46
    assert program.get(path) is program.get(path), "the second answer was 304"
    with pytest.raises(client_module.Refused, match="no such parameter"):
        program.get("events", limt=5)
