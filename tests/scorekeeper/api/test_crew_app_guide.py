"""“Write a crew app” of docs/api.md: its commands and programs, run as they are written, and a client for every game.

The client knows nothing but the schema that the server sends and what the chapter says.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import jsonschema
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pytest_django.live_server_helper import LiveServer

from games.core.game import Game
from scorekeeper.common.game_adapter import list_games
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.models import Turn
from scorekeeper.stops.models import Slot
from tests.scorekeeper.api.test_guide import GUIDE
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

CHAPTER = GUIDE.partition("## Write a crew app")[2].partition("\n## ")[0]
AT_STOPS = {key: game for key, game in list_games().items() if get_kind(game).enters_roster}


def list_blocks(language: str) -> list[str]:
    """Return the blocks of the chapter in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", CHAPTER, re.MULTILINE | re.DOTALL)


@pytest.fixture
def ride(live_server: LiveServer) -> SmallRide:
    return make_small_ride("Quokka")


@pytest.fixture
def invitation(live_server: LiveServer, ride: SmallRide) -> str:
    return f"{live_server.url}/join/{create_invitation(ride.gunner)[1]}/"


@pytest.fixture
def program() -> dict[str, Any]:
    """The names that the Python blocks of the chapter define."""
    names: dict[str, Any] = {}
    for block in list_blocks("python"):
        exec(compile(block, "docs/api.md", "exec"), names)
    return names


def test_the_commands_join_show_what_is_next_and_record(
    live_server: LiveServer, ride: SmallRide, invitation: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "SERVER": live_server.url, "INVITATION": invitation}

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(list_blocks("sh"))],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:5] == [
        "Quokka tail_gunner joined quokka-ride as tail_gunner",
        "Quokka rock-yahtzee: next is 1 (2), ",
        "1 to_roll conflict,missing",
        "1 (2) to_roll missing,missing",
        "2 to_roll missing,missing",
    ]
    assert "paper: box, points" in lines
    assert lines[-1] == "recorded []"


def make_turn(ride: SmallRide, points: int = 22) -> dict[str, Any]:
    where = {"contest": str(ride.ids["yahtzee"]), "bike": str(ride.ids["other_bike"]), "slot": str(ride.ids["slot"])}
    return {**where, "actions": [{"type": "paper", "box": "chance", "points": points}]}


def test_the_app_keeps_what_it_could_not_send_and_sends_it_once(
    live_server: LiveServer, ride: SmallRide, invitation: str, program: dict[str, Any], tmp_path: Path
) -> None:
    app = program["CrewApp"](live_server.url, tmp_path)
    assert app.join(invitation)["event"] == "quokka-ride"
    reachable, app.server = app.server, "http://127.0.0.1:9"
    assert app.record("turn", **make_turn(ride)) == []

    again = program["CrewApp"](reachable, tmp_path)  # the app was closed meanwhile
    again.token = app.token
    sent = list(again.pending)
    (receipt,) = again.send()
    again.pending = sent  # the answer was lost
    (repeated,) = again.send()

    assert receipt == repeated
    assert receipt["outcome"] == "recorded"
    assert again.pending == json.loads((tmp_path / "pending.json").read_text()) == []
    assert Turn.objects.filter(card__seats__bike=ride.ids["other_bike"]).count() == 1


def test_the_app_keeps_what_the_server_does_not_know_yet_and_shows_what_is_refused(
    live_server: LiveServer, ride: SmallRide, invitation: str, program: dict[str, Any], tmp_path: Path
) -> None:
    app, bike = program["CrewApp"](live_server.url, tmp_path), str(uuid4())
    app.join(invitation)

    assert app.record("turn", **{**make_turn(ride), "bike": bike}) == []
    (refused,) = app.record("turn", **make_turn(ride, points=3))

    assert (refused["outcome"], bool(refused["problems"][0]["clause"])) == ("refused", True)
    assert [operation["bike"] for operation in app.pending] == [bike]
    app.token = "wrong"
    with pytest.raises(HTTPError) as error:
        app.send()
    error.value.close()
    assert (error.value.code, len(app.pending)) == (401, 1)


def test_a_signed_entry_is_delivered_by_another_device(
    live_server: LiveServer, ride: SmallRide, invitation: str, program: dict[str, Any], tmp_path: Path
) -> None:
    app, relay = (program["CrewApp"](live_server.url, tmp_path) for _number in range(2))
    device = app.join(invitation)["device"]
    relay.join(f"{live_server.url}/join/{create_invitation(ride.captain)[1]}/")
    key = ec.generate_private_key(ec.SECP256R1())
    app.ask("/api/v1/key", {"public_key": program["write_public_key"](key)})

    operation = {"id": str(uuid4()), "kind": "turn", **make_turn(ride)}
    body = {"carried": [program["seal"](key, device, 1, operation)]}

    (receipt,) = relay.ask("/api/v1/carried", body)["receipts"]
    assert receipt["outcome"] == "recorded"
    assert Turn.objects.get(card__seats__bike=ride.ids["other_bike"]).actor_id == ride.gunner.pk


class SchemaClient:
    """A client that knows only the schema: it calls operations by their ids, and checks every answer against it."""

    def __init__(self, server: str) -> None:
        self.server, self.token = server, ""
        with urlopen(f"{server}/api/v1/schema", timeout=30) as answer:
            self.schema = json.load(answer)
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for path, operations in self.schema["paths"].items()
            for method, operation in operations.items()
        }

    def call(self, name: str, body: Any = None, **parameters: str) -> Any:
        method, path, operation = self.operations[name]
        headers = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
        }
        if body is not None:
            content = operation["requestBody"]["content"]["application/json"]["schema"]
            self.check(content, body)
        data = None if body is None else json.dumps(body).encode()
        address = self.server + path.format(**parameters)
        with urlopen(Request(address, data, headers, method=method.upper()), timeout=30) as response:
            answer = json.load(response)
            described = operation["responses"][str(response.status)]["content"]["application/json"]["schema"]
        self.check(described, answer)
        return answer

    def check(self, schema: Any, value: Any) -> None:
        jsonschema.Draft202012Validator({**schema, "components": self.schema["components"]}).validate(value)


def choose(field: dict[str, Any], picked: int) -> Any:
    """Return a value for a field of an action, as the schema describes the field."""
    match field["kind"]:
        case "dice":
            faces = [face["face"] for face in field["faces"]]
            count = field["count"]
            number = count["low"] if count["less_pick"] is None else count["high"] - picked
            return faces[0] if field["single"] else [faces[index % len(faces)] for index in range(number)]
        case "pick":
            return field["picks"][-1]["dice"]
        case "choice":
            return next(choice["value"] for choice in field["choices"] if choice["open"])
        case "number":
            return field["values"][0] if field["values"] else field["low"]
        case "draw":
            return field["cards"][0] if field["single"] else field["cards"][: field["count"]]
        case _:
            return True


def make_actions(action: dict[str, Any]) -> dict[str, Any]:
    """Return an action of a spec: its type, and a value for each field that is required or one of several."""
    one_of: list[str] = action["one_of"]
    values: dict[str, Any] = {}
    for field in action["fields"]:
        if field["required"] or field["name"] == next(iter(one_of), None):
            picked = max((len(value) for value in values.values() if isinstance(value, list)), default=0)
            values[field["name"]] = choose(field, picked)
    return {"type": action["type"], **values}


@pytest.mark.parametrize("game", AT_STOPS.values(), ids=list(AT_STOPS))
def test_a_client_made_from_the_schema_records_a_turn_of_every_game(
    live_server: LiveServer, ride: SmallRide, invitation: str, game: Game[Any]
) -> None:
    """It tries what the scorecard offers until one action is a whole turn, and reads what is wrong with the others."""
    contest = Contest.objects.create(
        event_id=ride.ids["event"], name="Another", slug="another", game_key=game.key, rules_version=game.version,
        ordinal=9, seats_are="bikes",
    )  # fmt: skip
    for position in (1, 2):
        Slot.objects.create(
            contest=contest, stop_id=ride.ids["stop" if position == 1 else "last_stop"], ordinal=position
        )
    client = SchemaClient(live_server.url)
    client.token = client.call("devices", {"invitation": invitation})["token"]
    progress = next(one for one in client.call("ride_progress")["contests"] if one["slug"] == "another")
    card = client.call("crew_scorecard", card_id=progress["next"]["card"])
    where = {"contest": progress["contest"], "bike": progress["next"]["bike"], "slot": progress["next"]["slot"]}

    outcomes = []
    for action in card["play"]["legal_actions"]:
        turn = {"id": str(uuid4()), "kind": "turn", **where, "actions": [make_actions(action)]}
        (receipt,) = client.call("record_operations", {"operations": [turn]})["receipts"]
        assert receipt["outcome"] == "recorded" or receipt["problems"][0]["message"]
        outcomes.append(receipt["outcome"])
        if receipt["outcome"] == "recorded":
            break

    assert outcomes[-1] == "recorded", (outcomes, card["play"]["legal_actions"])
    sheets = client.call("sheets")["results"]
    (slot,) = (
        slot
        for sheet in sheets
        if sheet["card"] == progress["next"]["card"]
        for slot in sheet["slots"]
        if slot["slot"] == where["slot"]
    )
    assert slot["turn"]["id"] == turn["id"]
    assert client.call("crew_scorecard", card_id=progress["next"]["card"])["play"]["length"] == 1
