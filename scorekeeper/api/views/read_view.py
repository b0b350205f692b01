"""The base of views that read: who reads what, the query parameters, and ETags.

A view with a version (`get_version`) answers 304 before anything is computed. Any other compares what it would send.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from drf_spectacular.utils import OpenApiExample
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.api.access import Reader, Token, TokenAuthentication, open_event
from scorekeeper.api.etags import compare_when_rendered
from scorekeeper.api.problems import refuse_value, refuse_with_problem
from scorekeeper.api.query_parameters import QueryParameters
from scorekeeper.api.read_schema import ReadSchema
from scorekeeper.api.throttling import ReadThrottle
from scorekeeper.audience.luck import get_waiting_period
from scorekeeper.audience.versions import get_audience_version
from scorekeeper.common.access_control import refuse_with
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import sha256
from scorekeeper.standings.selectors.contest_version import get_contest_version
from scorekeeper.standings.services.reading import refresh_overdue

FORMAT = 1  # increase it when the same data is written in another way, so that no client keeps the old one


class ReadView(GenericAPIView[Any]):
    """Reads what the caller may see.

    Attributes:
        query_class: the query parameters.
        is_list: whether the answer is a page of a list.
        tag: under which heading the reference lists it.
    """

    authentication_classes = (TokenAuthentication,)
    permission_classes = ()
    throttle_classes = (ReadThrottle,)
    renderer_classes = (JSONRenderer,)
    filter_backends = ()
    pagination_class = None
    query_class: ClassVar[type[QueryParameters]] = QueryParameters
    is_list: ClassVar[bool] = False
    tag: ClassVar[str] = "Events"
    schema = ReadSchema()
    reader: Reader
    contest: Contest
    query: dict[str, Any]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. Refusals are problem details as well."""
        return refuse_with(refuse_with_problem)(super().as_view(**initkwargs))

    @property
    def token(self) -> Token | None:
        """The caller's token; of an app of the crew, its device."""
        token: Any = self.request.auth
        return token if isinstance(token, Token) else None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find what the address names, and read the query parameters."""
        super().initial(request, *args, **kwargs)
        if "slug" in kwargs:
            self.reader = open_event(self.token, kwargs["slug"])
        if "contest_slug" in kwargs:
            self.contest = self.reader.get_contest(kwargs["contest_slug"])
        self.query = self.query_class.read(request.query_params.dict())

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer 304 if the caller has the current version, and otherwise send it.

        The version is read before the answer. If it changes in between, the caller gets the same answer once more.
        """
        version = self.get_version()
        if version is None:
            return Response(self.get_data())
        etag = self._make_etag(version)
        response = get_conditional_response(request, etag=etag)
        if response is None:
            response = Response(self.get_data())
        response.headers["ETag"] = etag
        return response

    def _make_etag(self, version: str) -> str:
        return quote_etag(sha256(repr((FORMAT, version, self.request.get_full_path())))[:32])

    def find_wanted_contest(self) -> Contest | None:
        """Return the contest in the query; None for all.

        Raises:
            ValidationError: the event has no such contest.
        """
        if "contest" not in self.query:
            return None
        try:
            return self.reader.get_contest(self.query["contest"])
        except NotFound as error:
            raise refuse_value("contest", "contest_not_found", str(error.detail)) from None

    @staticmethod
    def list_examples() -> list[OpenApiExample]:
        """Return examples of the answer, for the schema."""
        return []

    def get_version(self) -> str | None:
        """Return what changes whenever the answer does, if it is cheaper than the answer; else None."""
        return None

    def get_data(self) -> Any:
        """Return the answer as plain data."""
        raise NotImplementedError

    def serialize(self, found: object) -> Any:
        """Return an object as plain data."""
        return self.get_serializer(found).data

    def make_page(self, rows: Sequence[Any], cursor: str | None) -> dict[str, Any]:
        """Return a page of a list as plain data, with the address of the next one."""
        query = {**self.request.query_params.dict(), "cursor": cursor}
        address = f"{self.request.path}?{urlencode(query)}"
        following = None if cursor is None else self.request.build_absolute_uri(address)
        return {"results": self.get_serializer(rows, many=True).data, "next": following}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the ETag, and say who may store the response."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Cache-Control"] = "no-cache" if self.request.auth is None else "private, no-cache"
        patch_vary_headers(response, ["Authorization"])
        compare_when_rendered(request, response)
        return response


class ContestReadView(ReadView):
    """Reads something of a contest that is computed from its log.

    Attributes:
        has_luck: whether the answer has luck in it, once that is computed.
    """

    tag = "Contests"
    has_luck: ClassVar[bool] = False

    def get_version(self) -> str | None:
        """Return the contest's version. That of the audience does not tell what was recorded after a freeze."""
        refresh_overdue([self.contest])  # else a program would be told for ever that nothing has changed
        is_organiser = self.reader.is_organiser
        version = (get_contest_version if is_organiser else get_audience_version)(self.contest)
        waiting = get_waiting_period(self.contest, is_for_organisers=is_organiser) if self.has_luck else None
        return f"{is_organiser} {version} {waiting}"
