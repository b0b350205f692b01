"""The reference of the API as plain data for a page, made from its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from scorekeeper.common.languages import in_english

Schema = Mapping[str, Any]
MAX_EXAMPLE_LENGTH = 3_000  # characters; longer ones are cut


@dataclass(frozen=True)
class DescribedField:
    """A parameter, or a field of a body.

    Attributes:
        type: in words: "text", "id or null", "list of Bike".
        link: the name of the schema that it leads to; "" if none.
    """

    name: str
    type: str
    description: str
    is_required: bool
    link: str = ""


@dataclass(frozen=True)
class DescribedOperation:
    """What one method of an address does."""

    id: str
    method: str
    path: str
    description: str
    parameters: tuple[DescribedField, ...]
    responses: tuple[DescribedField, ...]
    needs_token: bool
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class DescribedObject:
    """An object that the API sends."""

    name: str
    description: str
    fields: tuple[DescribedField, ...]


@dataclass(frozen=True)
class ApiReference:
    """All operations by their headings, and all objects."""

    sections: tuple[tuple[str, tuple[DescribedOperation, ...]], ...]
    objects: tuple[DescribedObject, ...]


@cache
@in_english
def get_reference() -> ApiReference:
    """Return the reference, in English; it depends only on the program."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    schema = _inline_values(schema, schema["components"]["schemas"])
    sections: dict[str, list[DescribedOperation]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            (tag,) = operation["tags"]
            sections.setdefault(tag, []).append(_describe_operation(method, path, operation))
    sections["Webhooks"] = [
        _describe_operation(method, name, {"operationId": name, "security": [{}], **operation})
        for name, operations in schema["webhooks"].items()
        for method, operation in operations.items()
    ]
    objects = tuple(
        DescribedObject(name, found.get("description", ""), tuple(_list_fields(found)))
        for name, found in _list_objects(schema["components"]["schemas"])
    )
    return ApiReference(tuple((name, tuple(found)) for name, found in sections.items()), objects)


def _list_objects(schemas: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield the objects by name, those of games with several kinds of actions under the title of each."""
    for name, found in sorted(schemas.items()):
        for one in found.get("oneOf", [found]):
            if "properties" in one:
                yield one.get("title", name).replace(" ", "-"), one


def _inline_values(found: Any, schemas: Schema) -> Any:
    """Return the schema with what is not an object in place of its name, since only objects are listed on the page.

    Args:
        schemas: what is referred to, by its name.
    """
    if isinstance(found, list):
        return [_inline_values(one, schemas) for one in found]
    if not isinstance(found, dict):
        return found
    if "$ref" in found:
        named = schemas[found["$ref"].rpartition("/")[2]]
        return found if "properties" in named else named
    return {key: _inline_values(one, schemas) for key, one in found.items()}


def _describe_operation(method: str, path: str, operation: Schema) -> DescribedOperation:
    parameters = (
        DescribedField(
            one["name"],
            _name_type(one["schema"])[0],
            one.get("description", ""),
            one.get("required", False),
        )
        for one in operation.get("parameters", ())
        if one["in"] != "header"
    )
    bodies = {**operation.get("requestBody", {}).get("content", {})}
    for response in operation["responses"].values():
        bodies |= {f"answer {kind}": body for kind, body in response.get("content", {}).items()}
    examples = tuple(
        (example.get("summary", name), _format_example(example["value"]))
        for body in bodies.values()
        for name, example in body.get("examples", {}).items()
    )
    return DescribedOperation(
        operation["operationId"],
        method.upper(),
        path,
        operation.get("description", ""),
        (*parameters, *_list_bodies(operation)),
        tuple(_list_responses(operation)),
        {} not in operation.get("security", [{}]),
        examples,
    )


def _list_bodies(operation: Schema) -> Iterator[DescribedField]:
    for body in operation.get("requestBody", {}).get("content", {}).values():
        kind, link = _name_type(body["schema"])
        yield DescribedField("body", kind, "", is_required=True, link=link)


def _list_responses(operation: Schema) -> Iterator[DescribedField]:
    for status, response in operation["responses"].items():
        content = next(iter(response.get("content", {}).values()), None)
        kind, link = _name_type(content["schema"]) if content else ("", "")
        yield DescribedField(status, kind, response.get("description", ""), is_required=False, link=link)


def _list_fields(schema: Schema) -> Iterator[DescribedField]:
    required = schema.get("required", ())
    for name, found in schema["properties"].items():
        kind, link = _name_type(found)
        yield DescribedField(name, kind, found.get("description", ""), name in required, link)


def _name_type(schema: Schema) -> tuple[str, str]:
    """Return the type of a value in words, and the name of the schema that it leads to."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return name, name
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            found = [_name_type(one) for one in schema[several]]
            return " or ".join(name for name, _link in found), next((link for _name, link in found if link), "")
    if "enum" in schema:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"]), ""
    kinds = schema.get("type", "any value")
    words = [_WORDS.get(kind, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if schema.get("format") and "text" in words:
        words[words.index("text")] = _FORMATS.get(schema["format"], "text")
    if "list" in words:
        name, link = _name_type(schema.get("items", {}))
        return " or ".join(word if word != "list" else f"list of {name}" for word in words), link
    return " or ".join(words), ""


_WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "array": "list"}
_FORMATS = {"uuid": "id", "date-time": "time", "date": "date", "uri": "address"}


def _format_example(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    return text if len(text) <= MAX_EXAMPLE_LENGTH else f"{text[:MAX_EXAMPLE_LENGTH]}\n…"
