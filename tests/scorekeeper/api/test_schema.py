"""The OpenAPI schema of the API matches the forms that parse the requests."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.validation import validate_schema

from scorekeeper.api.forms.operation_parser import OPERATION_KINDS
from scorekeeper.api.schema import OUTCOMES
from scorekeeper.ledger.models import Operation


@pytest.fixture
def schema(client: Client) -> Any:
    response = client.get(reverse("api:schema"))
    assert response.status_code == 200
    return response.json()


def test_the_schema_is_public_and_valid_openapi(schema: Any) -> None:
    validate_schema(schema)
    assert list(schema["paths"]) == [f"/api/v1/{name}" for name in ("carried", "key", "messages-read", "operations")]
    assert schema["components"]["securitySchemes"]["device"]["in"] == "cookie"


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
