"""`/api/v1/`: the reference of the API as a page, made from the schema. It needs no other host and no script."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from scorekeeper.api.reference import get_reference


def show_reference(request: HttpRequest) -> HttpResponse:
    """List every operation by topic, with its parameters, answers and examples, and every object."""
    return render(request, "api/reference.html", {"reference": get_reference()})
