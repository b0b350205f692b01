"""What all of the interface's addresses have in common."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scorekeeper.api.access import DeviceCookie
from scorekeeper.api.parsing import StrictJsonParser
from scorekeeper.crew.models import Device


class NotOpen(APIException):
    """Nothing is noted at an event that is not open."""

    status_code = 409
    default_detail = _(
        "The ride is not open: nothing can be noted. Keep what is noted on the phone, and send it later."
    )
    default_code = "not_open"


class NoBatch(APIException):
    """The body is JSON, and no batch of operations."""

    status_code = 422
    default_code = "no_batch"


class PhoneView(APIView):
    """JSON from a phone of the crew, answered with JSON that nobody keeps."""

    authentication_classes = (DeviceCookie,)
    permission_classes = ()
    parser_classes = (StrictJsonParser,)
    renderer_classes = (JSONRenderer,)

    def get_phone(self, request: Request) -> Device:
        """Return the phone that asks, with its member, group and event."""
        device = request.auth
        assert isinstance(device, Device), "nobody comes in without"
        return device

    def get_noting_phone(self, request: Request) -> Device:
        """Return the phone that asks.

        Raises:
            NotOpen: nothing can be noted at its event now.
        """
        device = self.get_phone(request)
        if not device.member.group.event.is_open:
            raise NotOpen
        return device

    def handle_exception(self, exc: Exception) -> Response:
        """Answer what cannot be taken in with a code and a sentence."""
        response = super().handle_exception(exc)
        if isinstance(exc, APIException):
            response.data = {"error": {"code": exc.get_codes(), "message": str(exc.detail)}}
        return response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Keep the answer out of every cache."""
        response.headers["Cache-Control"] = "private, no-store"
        return super().finalize_response(request, response, *args, **kwargs)
