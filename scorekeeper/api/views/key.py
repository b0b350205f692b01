"""`/api/v1/key`: the public key with which a phone's signatures are verified. `GET` reads it, `POST` registers it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.api import schema
from scorekeeper.api.views.phone_view import PhoneView
from scorekeeper.crew.keys import InvalidPhoneKey, check_key
from scorekeeper.crew.services.devices import DeviceKeyMismatch, register_key


class InvalidKey(APIException):
    """The body is JSON but not a key."""

    status_code = 422
    default_detail = _("Send an object with the field “public_key”: a point on P-256, as SPKI in base64url.")
    default_code = "no_key"


class KeyAlreadyRegistered(APIException):
    """The device has registered another key; a key cannot be replaced."""

    status_code = 409
    default_detail = _(
        "This phone registered a different key before and seems to have lost it. Ask the organiser for a new "
        "link. Entries on the phone are kept and will be sent."
    )
    default_code = "other_key"


class KeyView(PhoneView):
    """The key of a phone."""

    @extend_schema(
        operation_id="read_key",
        responses={200: schema.REGISTERED_KEY, **dict.fromkeys((401, 403), schema.ERROR)},
    )
    def get(self, request: Request) -> Response:
        """Return the device id and its key, "" if none is registered. A phone asks before it registers one."""
        device = self.get_phone(request)
        return Response({"device": str(device.pk), "public_key": device.public_key})

    @extend_schema(
        operation_id="register_key",
        request={"application/json": schema.KEY},
        responses={200: schema.KEY_RESULT, **dict.fromkeys(schema.REFUSALS, schema.ERROR)},
    )
    def post(self, request: Request) -> Response:
        """Store the key, whether or not the ride is open; return the device id."""
        device = self.get_phone(request)
        key = self._parse_key(request.data)
        try:
            register_key(device, key)
        except DeviceKeyMismatch:
            raise KeyAlreadyRegistered from None
        return Response({"device": str(device.pk)})

    def _parse_key(self, data: object) -> str:
        if not isinstance(data, dict) or data.keys() != {"public_key"} or not isinstance(data["public_key"], str):
            raise InvalidKey
        key: str = data["public_key"]
        try:
            check_key(key)
        except InvalidPhoneKey:
            raise InvalidKey from None
        return key
