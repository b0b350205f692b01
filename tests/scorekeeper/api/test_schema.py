"""The OpenAPI schema of the API matches the forms that parse the requests."""

from __future__ import annotations

import datetime as dt
import json
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from games.core.game import Game
from scorekeeper.api.action_schema import get_component_name, list_rulesets
from scorekeeper.api.forms.operation_parser import OPERATION_KINDS
from scorekeeper.audience.versions import PublicState
from scorekeeper.common.game_adapter import list_games
from scorekeeper.common.rights_check import list_routes
from scorekeeper.webhooks.messages import make_contest_body, make_ping_body
from scorekeeper.webhooks.models import MessageKind
from tests.games.sampling import walk

# Pages for people, and the schema itself.
NOT_DESCRIBED = {"api:schema", "api:reference"}
OPERATION_IDS = {
    "record_operations": "operations",
    "read_key": "key",
    "register_key": "key",
    "record_messages_read": "messages_read",
    "record_carried_operations": "carried",
}


@pytest.fixture
def schema(client: Client) -> Any:
    response = client.get(reverse("api:schema"))
    assert response.status_code == 200
    return response.json()


def test_the_schema_is_public_and_valid_openapi(schema: Any) -> None:
    validate(schema)
    assert schema["openapi"].startswith("3.1")
    routes = {name for name in list_routes() if name.startswith("api:")} - NOT_DESCRIBED
    operations = {operation["operationId"] for path in schema["paths"].values() for operation in path.values()}
    assert {f"api:{OPERATION_IDS.get(operation, operation)}" for operation in operations} == routes
    schemes = schema["components"]["securitySchemes"]
    assert (schemes["device"]["in"], schemes["token"]["scheme"]) == ("cookie", "bearer")


def test_every_kind_is_described_with_its_fields(schema: Any) -> None:
    post = schema["paths"]["/api/v1/operations"]["post"]
    batch = post["requestBody"]["content"]["application/json"]["schema"]
    kinds = batch["properties"]["operations"]["items"]["oneOf"]
    assert [kind["title"] for kind in kinds] == list(OPERATION_KINDS)
    for kind in kinds:
        assert set(kind["properties"]) == {"id", "kind", *OPERATION_KINDS[kind["title"]].form.fields}
        assert {"id", "kind"} <= set(kind["required"])
    assert set(post["responses"]) == {"200", "400", "401", "403", "409", "410", "413", "415", "422"}


def make_validator(schema: Any, name: str) -> OAS31Validator:
    """Return a validator of the component with this name."""
    return OAS31Validator({"$ref": f"#/components/schemas/{name}", "components": schema["components"]})


def test_every_body_is_required_and_no_schema_tells_what_a_cursor_is_made_of(schema: Any) -> None:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    bodies = [operation["requestBody"] for operation in operations if "requestBody" in operation]
    parameters = [one for operation in operations for one in operation.get("parameters", ())]

    assert len(bodies) > 5
    assert all(body["required"] for body in bodies)
    cursors = [one["schema"] for one in parameters if one["name"] == "cursor"]
    assert cursors
    assert all(cursor.keys() <= {"type", "minLength", "maxLength"} for cursor in cursors)


@pytest.mark.parametrize("game", list_games().values(), ids=list(list_games()))
def test_the_schema_of_a_game_has_its_actions_and_no_others(schema: Any, game: Game[Any]) -> None:
    validator = make_validator(schema, get_component_name(game))
    ruleset, random = game.ruleset(), Random(7)
    *_, last = walk(ruleset, game.seat_limits[0], random)

    assert last.actions
    for action in last.actions:
        validator.validate(action)
        assert not validator.is_valid({**action, "unknown": 1})
        assert not validator.is_valid({**action, "type": "no such action"})
        for name in action.keys() - {"type", "seat"}:
            assert not validator.is_valid({**action, name: {"an": "object"}}) or not _is_described(validator, name)


@pytest.mark.parametrize("game", list_games().values(), ids=list(list_games()))
def test_the_schema_of_a_game_takes_the_actions_of_every_contest(schema: Any, game: Game[Any]) -> None:
    """A contest may have other dice than usual."""
    validator = make_validator(schema, get_component_name(game))
    described = {repr(game.ruleset().types)}
    for ruleset in list_rulesets(game):
        if repr(ruleset.types) not in described:
            described.add(repr(ruleset.types))
            *_, last = walk(ruleset, game.seat_limits[0], Random(7))
            for action in last.actions:
                validator.validate(action)


def test_dice_with_twenty_faces_are_in_the_schema(schema: Any) -> None:
    make_validator(schema, "DiceRunAction").validate({"type": "throw", "dice": [20, 1]})
    assert not make_validator(schema, "DiceRunAction").is_valid({"type": "throw", "dice": [21]})


def _is_described(validator: OAS31Validator, name: str) -> bool:
    """Return whether the schema says what is in a field; a game may read one in a way of its own."""
    schema = validator.schema
    component = schema["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return all(kind["properties"].get(name, True) for kind in component["oneOf"])


def test_the_messages_of_webhooks_are_as_the_schema_says(schema: Any, ride: Any) -> None:
    now = dt.datetime(2026, 6, 20, 15, 40, tzinfo=dt.UTC)
    contest = ride.contest
    messages = {
        MessageKind.PING: [make_ping_body(contest.event, now)],
        MessageKind.STANDINGS_CHANGED: [
            make_contest_body(MessageKind.STANDINGS_CHANGED, contest, PublicState("a", "open", 0), now)
        ],
        MessageKind.RESULTS_PUBLISHED: [
            make_contest_body(MessageKind.RESULTS_PUBLISHED, contest, PublicState("a", "official", 1), now)
        ],
    }

    assert set(schema["webhooks"]) == set(MessageKind.values) == {str(kind) for kind in messages}
    for kind, bodies in messages.items():
        content = schema["webhooks"][kind]["post"]["requestBody"]["content"]["application/json"]
        validator = make_validator(schema, content["schema"]["$ref"].rpartition("/")[2])
        for body in bodies:
            validator.validate(json.loads(body))
    links = json.loads(messages[MessageKind.RESULTS_PUBLISHED][0])["data"]["links"]
    assert list(links) == ["page", "standings", "results"]
