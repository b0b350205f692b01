"""The OpenAPI schema of the API matches the forms that parse the requests."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openapi_spec_validator import validate

from scorekeeper.api.forms.operation_parser import OPERATION_KINDS
from scorekeeper.api.serializers.recording import OUTCOMES
from scorekeeper.common.rights_check import list_routes
from scorekeeper.ledger.models import Operation

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


def test_every_stored_outcome_is_described() -> None:
    assert set(Operation.Outcome.values) <= set(OUTCOMES)
