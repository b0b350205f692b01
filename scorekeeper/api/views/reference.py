"""What describes the API: `/api/v1/`, a page that needs no other host and no script, and `/api/v1/schema`, as OpenAPI.

Both depend only on the program, so a process makes each once.
"""

from __future__ import annotations

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from scorekeeper.api.reference import get_reference
from scorekeeper.common.languages import in_english
from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.ledger.canonical import sha256

MEDIA_TYPE = "application/vnd.oai.openapi+json"


def show_reference(request: HttpRequest) -> HttpResponse:
    """List every operation by topic, with its parameters, answers and examples, and every object."""
    return render(request, "api/reference.html", {"reference": get_reference()})


@limit_public_reads
def send_schema(request: HttpRequest) -> HttpResponseBase:
    """Send the OpenAPI schema."""
    content, digest = _make_schema()
    return send_public_file(request, digest, lambda: ("", [content]), MEDIA_TYPE)


@cache
@in_english
def _make_schema() -> tuple[bytes, str]:
    """Return the schema and its digest. Other packages add games to it, so the version of the program does not do."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    content: bytes = OpenApiJsonRenderer().render(schema)
    return content, sha256(content.decode())
