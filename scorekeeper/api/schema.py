"""The OpenAPI schema of the API, built from the same forms that parse the requests."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from scorekeeper.api.access import TokenAuthentication
from scorekeeper.api.action_schema import describe_actions, list_action_schemas
from scorekeeper.api.authentication import DeviceCookieAuthentication
from scorekeeper.api.forms.envelopes import MAX_MESSAGES
from scorekeeper.api.forms.operation_batch import MAX_OPERATIONS, MAX_REPORTED
from scorekeeper.api.forms.operation_parser import OPERATION_FORMS, OPERATION_KINDS
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.common.problem_details import MEDIA_TYPE
from scorekeeper.crew.access import DEVICE_COOKIE

Schema = dict[str, Any]
TOKEN_SCHEME: Schema = {"type": "http", "scheme": "bearer"}

ID: Schema = {"type": "string", "format": "uuid"}
TEXT: Schema = {"type": "string"}


class TokenScheme(OpenApiAuthenticationExtension):
    """An organiser's access token."""

    target_class: type[TokenAuthentication] = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> Schema:
        words = "An organiser’s access token, from the page of their account. It begins with “tgp_”."
        return {**TOKEN_SCHEME, "description": words}


class DeviceCookieScheme(OpenApiAuthenticationExtension):
    """The cookie of a crew member's phone."""

    target_class: type[DeviceCookieAuthentication] = DeviceCookieAuthentication
    name = ["device", "deviceToken"]  # either of them

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        return [{"deviceToken": []}, {"device": []}]

    def get_security_definition(self, auto_schema: Any) -> list[Schema]:
        cookie = {"type": "apiKey", "in": "cookie", "name": get_cookie_name(DEVICE_COOKIE)}
        words = "A device’s token, from an invitation of the crew."
        return [{**cookie, "description": "A crew phone’s cookie."}, {**TOKEN_SCHEME, "description": words}]


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _describe_kind(name: str) -> Schema:
    form = OPERATION_FORMS[name].describe()
    _type_actions(form)
    kind = {"type": "string", "enum": [name]}
    described = {"properties": {"kind": kind, **form["properties"]}, "required": ["kind", *form["required"]]}
    return {**form, **described, "title": name, "description": str(OPERATION_KINDS[name].label)}


def _type_actions(form: Schema) -> None:
    """Say what actions look like, in a form and in the lists of objects in it."""
    for field, described in form["properties"].items():
        if field == "actions":
            described["items"] = describe_actions()
        elif "properties" in described.get("items", {}):
            _type_actions(described["items"])


_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_REPORTED}
REPORT: Schema = {
    **_object(unsent=_COUNT, attention=_COUNT),
    "additionalProperties": False,
    "description": "What else the phone has: entries not sent yet, and entries that were not accepted.",
}
BATCH: Schema = {
    **_object(operations=_list({"oneOf": [_describe_kind(name) for name in OPERATION_KINDS]}, maxItems=MAX_OPERATIONS)),
    "additionalProperties": False,
}
ORGANISER_BATCH: Schema = {**BATCH, "properties": dict(BATCH["properties"])}
BATCH["properties"]["report"] = REPORT
ENVELOPE: Schema = {
    **_object(
        device={**ID, "description": "The phone it was recorded on."},
        operations_json={
            **TEXT,
            "description": "The exact text that was signed: a JSON object with “device”, “sequence” (increasing "
            "whole numbers), “noted” (a time) and “operation” (a single one, as sent by itself).",
        },
        signature={**TEXT, "description": "ECDSA on P-256 with SHA-256 of that text in UTF-8: r and s, in base64url."},
    ),
    "additionalProperties": False,
}
RELAYED_BATCH: Schema = {**_object(carried=_list(ENVELOPE, maxItems=MAX_OPERATIONS)), "additionalProperties": False}
KEY: Schema = {
    **_object(public_key={**TEXT, "description": "A point on P-256, as SPKI in base64url without padding."}),
    "additionalProperties": False,
}
MESSAGES_READ: Schema = {**_object(messages=_list(ID, maxItems=MAX_MESSAGES)), "additionalProperties": False}
_NULL_OR_TEXT: Schema = {"type": ["string", "null"]}
ERROR = _object(
    type=TEXT,
    title=TEXT,
    status={"type": "integer"},
    code=TEXT,
    detail=TEXT,
    field=_NULL_OR_TEXT,
    clause=_NULL_OR_TEXT,
)
ERROR["properties"]["error"] = {
    **_object(code=TEXT, message=TEXT),
    "description": "The same for apps from before problem details.",
}
REFUSALS = (400, 401, 403, 409, 410, 413, 415, 422)


def describe_phone_refusals(*statuses: int) -> dict[tuple[int, str], Schema]:
    """Return the refusals of phones with these statuses."""
    return {(status, MEDIA_TYPE): ERROR for status in statuses}


def add_webhook_schemas(result: Schema, generator: Any, **_context: Any) -> Schema:
    """Add the schemas that only webhooks use: drf-spectacular 0.30 lists the schemas before it describes webhooks."""
    result["components"]["schemas"] |= generator.registry.build({})["schemas"]
    return result


def finish_schema(result: Schema, **_context: Any) -> Schema:
    """Add what REST framework does not know: the games' actions, and that every body is required."""
    result["components"]["schemas"] |= list_action_schemas()
    for operations in result["paths"].values():
        for operation in operations.values():
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
    return result
