"""The base class of the API's views."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scorekeeper.api.authentication import DeviceCookieAuthentication, refuse_as_json, serialize_error
from scorekeeper.api.json_parser import StrictJsonParser
from scorekeeper.common.access_control import refuse_with
from scorekeeper.crew.models import Device


class RideNotOpen(APIException):
    """Nothing can be recorded at an event that is not open."""

    status_code = 409
    default_detail = _(
        "The ride is not open, so nothing can be recorded. Keep the entries on the phone and send them later."
    )
    default_code = "not_open"


class UnprocessableBatch(APIException):
    """The body is JSON but not a batch of operations."""

    status_code = 422
    default_code = "no_batch"


class PhoneView(APIView):
    """Receives JSON from a crew phone and returns JSON that is not cached."""

    authentication_classes: tuple[type[DeviceCookieAuthentication], ...] = (DeviceCookieAuthentication,)
    permission_classes = ()
    parser_classes = (StrictJsonParser,)
    renderer_classes = (JSONRenderer,)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. Refusals are JSON as well."""
        return refuse_with(refuse_as_json)(super().as_view(**initkwargs))

    def get_phone(self, request: Request) -> Device:
        """Return the requesting phone, with its member, group and event."""
        device = request.auth
        assert isinstance(device, Device), "the guard has checked the device"
        return device

    def get_recording_phone(self, request: Request) -> Device:
        """Return the requesting phone.

        Raises:
            RideNotOpen: nothing can be recorded at its event now.
        """
        device = self.get_phone(request)
        if not device.member.group.event.is_open:
            raise RideNotOpen
        return device

    def handle_exception(self, exc: Exception) -> Response:
        """Return errors as a code and a message."""
        response = super().handle_exception(exc)
        if isinstance(exc, APIException):
            response.data = serialize_error(exc)
        return response

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Keep the response out of every cache."""
        response.headers["Cache-Control"] = "private, no-store"
        return super().finalize_response(request, response, *args, **kwargs)
