"""The interface as OpenAPI describes it: made of the very forms that requests are read by."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from scorekeeper.api.access import DeviceCookie
from scorekeeper.api.forms.operations import MOST, MOST_HELD
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.crew.access import COOKIE
from scorekeeper.offline.forms.operations import FORMS, KINDS

Schema = dict[str, Any]

ID: Schema = {"type": "string", "format": "uuid"}
WORD: Schema = {"type": "string"}
OUTCOMES = (
    *("recorded", "merged", "conflict", "refused", "late", "review"),
    *("not_yet", "withdrawn", "not_yours", "other_body", "unreadable", "forged"),
)


class DeviceCookieScheme(OpenApiAuthenticationExtension):
    """The cookie of a crew member's phone."""

    target_class: type[DeviceCookie] = DeviceCookie
    name = "device"

    def get_security_definition(self, auto_schema: Any) -> Schema:
        return {"type": "apiKey", "in": "cookie", "name": get_cookie_name(COOKIE)}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _describe_kind(name: str) -> Schema:
    form = FORMS[name].describe()
    kind = {"type": "string", "enum": [name]}
    described = {"properties": {"kind": kind, **form["properties"]}, "required": ["kind", *form["required"]]}
    return {**form, **described, "title": name, "description": str(KINDS[name].label)}


_HELD: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_HELD}
REPORT: Schema = {
    **_object(unsent=_HELD, attention=_HELD),
    "additionalProperties": False,
    "description": "What the phone holds beside these operations: notes to be sent, and notes that were not taken in.",
}
BATCH: Schema = {
    **_object(operations=_list({"oneOf": [_describe_kind(name) for name in KINDS]}, maxItems=MOST)),
    "additionalProperties": False,
}
BATCH["properties"]["report"] = REPORT
ENVELOPE: Schema = {
    **_object(
        device={**ID, "description": "The phone it was noted on."},
        operations_json={
            **WORD,
            "description": "The exact text that was signed: a JSON object with “device”, “sequence” (whole numbers "
            "that grow), “noted” (a time) and “operation” (one, as it is sent by itself).",
        },
        signature={**WORD, "description": "ECDSA on P-256 with SHA-256 of that text in UTF-8: r and s, in base64url."},
    ),
    "additionalProperties": False,
}
CARRIED: Schema = {**_object(carried=_list(ENVELOPE, maxItems=MOST)), "additionalProperties": False}
KEY: Schema = {
    **_object(public_key={**WORD, "description": "A point on P-256, as SPKI in base64url without padding."}),
    "additionalProperties": False,
}
KEY_KNOWN = _object(device=ID)
PROBLEM = _object(code=WORD, rule=WORD, message=WORD, href=WORD)
ENTRY = _object(chain=ID, seq={"type": "integer"}, hash=WORD)
RECEIPT = _object(
    id={**WORD, "nullable": True},
    outcome={"type": "string", "enum": list(OUTCOMES)},
    entries=_list(ENTRY),
    review={**ID, "nullable": True},
    problems=_list(PROBLEM),
)
RECEIPT["properties"]["operation"] = {
    **ID,
    "description": "Under which id it is kept, where somebody else had taken the one it was sent under.",
}
RECEIPT["properties"]["data"] = {"type": "object", "additionalProperties": True}
ANSWER = _object(server_time={"type": "string", "format": "date-time"}, receipts=_list(RECEIPT))
ERROR = _object(error=_object(code=WORD, message=WORD))
REFUSALS = (400, 401, 403, 409, 413, 415, 422)
