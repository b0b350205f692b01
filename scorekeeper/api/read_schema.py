"""How the schema describes the views that read: from their own attributes, so that it says what they do."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from scorekeeper.common.problem_details import MEDIA_TYPE
from scorekeeper.rights import ROUTES, Role

DEVICE_TOKEN: dict[str, Any] = {"deviceToken": []}  # as the schema of phones' views defines it
SLUG = {"type": "string", "pattern": r"^[-a-zA-Z0-9_]+$"}
SLUGS = {
    "slug": "The event, as in the address of its public page.",
    "contest_slug": "The contest, as in the address of its leaderboard.",
}
REFUSALS = {
    400: "A parameter is wrong.",
    401: "The token is missing or does not work.",
    403: "The token may not do this.",
    404: "There is no such thing, or not for the caller.",
    410: "The event of the device was deleted.",
    429: "There were too many requests in this minute; the header Retry-After says how many seconds to wait.",
}


class MistakeSerializer(serializers.Serializer[Any]):
    """A mistake: a stable word, a sentence, and which field or clause it is about."""

    code = serializers.CharField()
    detail = serializers.CharField()
    field = serializers.CharField(allow_null=True, help_text="The parameter or field that is wrong.")
    clause = serializers.CharField(allow_null=True, help_text="The clause of a rule book, such as ROCK-14.")


class ProblemSerializer(MistakeSerializer):
    """Problem details (RFC 9457)."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()

    errors = MistakeSerializer(many=True, required=False)  # type: ignore[assignment]


def describe_refusals(*statuses: int) -> dict[tuple[int, str], Any]:
    """Return the refusals with these statuses."""
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemSerializer, description=REFUSALS.get(status, "Refused."))
        for status in statuses
    }


class ReadSchema(AutoSchema):
    """Describes a `ReadView`."""

    view: Any

    def get_tags(self) -> list[str]:
        """Return the heading of the reference under which the view is listed."""
        return [self.view.tag]

    def get_operation_id(self) -> str:
        """Return the name of the route: it is unique."""
        return str(self._get_route())

    def get_description(self) -> str:  # type: ignore[override]
        """Return the description of the view."""
        return str(self.view.get_view_description())

    def get_override_parameters(self) -> list[Any]:
        """Return the query parameters, and the header for an unchanged answer."""
        known = OpenApiParameter(
            "If-None-Match",
            str,
            OpenApiParameter.HEADER,
            description="The ETag of an earlier answer; if nothing has changed, the answer is 304.",
        )
        slugs = [
            OpenApiParameter(name, SLUG, OpenApiParameter.PATH, description=description)
            for name, description in SLUGS.items()
            if f"{{{name}}}" in self.path
        ]
        return [*slugs, *([self.view.query_class] if self.view.query_class().fields else []), known]

    def get_response_serializers(self) -> Any:
        """Return what the view answers, by status and media type."""
        found = self.view.get_serializer_class()
        answer = make_page_serializer(found) if self.view.is_list else found
        refusals = [400, 401, *([403] if self._is_restricted() else []), *([404] if "{" in self.path else []), 410, 429]
        unchanged = OpenApiResponse(description="Nothing has changed since the answer with this ETag.")
        return {200: answer, 304: unchanged, **describe_refusals(*refusals)}

    def get_examples(self) -> list[Any]:
        """Return the examples of the view."""
        examples: list[Any] = self.view.list_examples()
        return examples

    def get_auth(self) -> list[dict[str, Any]]:
        """Return how to authenticate: with a token, or for what everyone can see, not at all."""
        needed: list[dict[str, Any]] = super().get_auth()  # adds the scheme to the schema as well
        match self._get_role():
            case Role.ANYBODY:
                return [*needed, DEVICE_TOKEN, {}]
            case Role.ROSTER_READER:
                return [*needed, DEVICE_TOKEN]
            case _:
                return needed

    def _is_restricted(self) -> bool:
        return self._get_role() is not Role.ANYBODY

    def _get_role(self) -> Role:
        return ROUTES[f"api:{self._get_route()}"]["GET"]

    def _get_route(self) -> str:
        return str(self.view.route)


def make_page_serializer(child: type[serializers.BaseSerializer[Any]]) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a page of a list."""
    fields = {
        "results": child(many=True),
        "next": serializers.URLField(allow_null=True, help_text="The next page; null on the last."),
        "__doc__": "A page of a list.",
    }
    name = child.__name__.removesuffix("Serializer")
    return type(f"{name}PageSerializer", (serializers.Serializer,), fields)
