"""A program that reads through the API, with or without a token, and checks every answer against the schema."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import Any

import jsonschema
from django.contrib.auth.models import User
from django.test import Client
from django.urls import resolve, reverse
from drf_spectacular.generators import SchemaGenerator

from scorekeeper.events.models import AccessToken
from scorekeeper.events.services.access_tokens import create_access_token


def add_token(user: User, scope: str = "read") -> str:
    """Return the secret of a new token."""
    return create_access_token(user, f"to {scope}", AccessToken.Scope(scope), dt.timedelta(days=30))[1]


def make_program(user: User | None = None, scope: str = "read") -> Client:
    """Return a program with a token of this account, or without one."""
    return Client(headers={} if user is None else {"Authorization": f"Bearer {add_token(user, scope)}"})


@cache
def get_schema() -> Any:
    """Return the schema of the API, as plain data."""
    return SchemaGenerator().get_schema(request=None, public=True)


def read(program: Client, route: str, *args: Any, status: int = 200, headers: Any = None, **query: Any) -> Any:
    """Return the answer of a route, which must have the status and be as the schema says."""
    response: Any = program.get(reverse(f"api:{route}", args=args), query, headers=headers)
    assert response.status_code == status, response.content
    check_response(response)
    return response.json()


def check_response(response: Any) -> None:
    """Fail unless the schema describes the response."""
    schema = get_schema()
    match = resolve(response.request["PATH_INFO"])
    operations = {
        operation["operationId"]: operation for path in schema["paths"].values() for operation in path.values()
    }
    names = {"operations": "record_operations", "key": "read_key"}
    described = operations[names.get(str(match.url_name), str(match.url_name))]["responses"][str(response.status_code)]
    content = described.get("content", {})
    media_type = response.headers.get("Content-Type", "")
    assert media_type in content, (media_type, list(content))
    checked = {**content[media_type]["schema"], "components": schema["components"]}
    jsonschema.Draft202012Validator(checked, format_checker=jsonschema.FormatChecker()).validate(response.json())
