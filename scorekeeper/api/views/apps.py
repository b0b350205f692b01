"""Apps that record without being one of our pages: with an invitation of the crew, or with an organiser's token."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import APIException, NotFound, PermissionDenied
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scorekeeper.api import schema
from scorekeeper.api.access import TokenAuthentication, open_event
from scorekeeper.api.batch_recording import RideNotOpen, UnprocessableBatch, record_operations
from scorekeeper.api.card_reading import can_read_card, find_bike, read_scorecard
from scorekeeper.api.examples import list_operation_examples, list_receipt_examples
from scorekeeper.api.json_parser import StrictJsonParser
from scorekeeper.api.problems import refuse_with_problem
from scorekeeper.api.read_schema import describe_refusals
from scorekeeper.api.serializers.play import ScorecardDetailSerializer
from scorekeeper.api.serializers.recording import BatchResultsSerializer, InvitationSerializer, NewDeviceSerializer
from scorekeeper.api.views.crew_phones import PhoneView
from scorekeeper.common.access_control import refuse_with
from scorekeeper.crew.selectors import get_former_device, get_invitation
from scorekeeper.crew.services.invitations import InvitationUnusable, accept_invitation
from scorekeeper.events.models import AccessToken, Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.models import Seat

REPORT_REFUSED = _("Only phones report what they have yet to send. Leave out the field “report”.")
NO_CARD = _("Your event has no such scorecard.")
NOT_YOURS = _("Your group cannot record on this scorecard. Ask its own crew, or the organiser.")


class UnusableInvitation(APIException):
    """The invitation was used, or has expired."""

    status_code = 410
    default_detail = _("This link has been used or has expired. Ask the organiser for a new one.")
    default_code = "invitation_unusable"


class EventGone(APIException):
    """The event of the invitation was deleted."""

    status_code = 410
    default_detail = _("This event was deleted by its organiser.")
    default_code = "event_deleted"


class AppView(APIView):
    """Receives JSON from an app and returns JSON that is not cached."""

    authentication_classes: Any = ()
    permission_classes = ()
    parser_classes = (StrictJsonParser,)
    renderer_classes = (JSONRenderer,)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. Refusals are problem details as well."""
        return refuse_with(refuse_with_problem)(super().as_view(**initkwargs))

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Response:
        """Keep the response out of every cache."""
        response.headers["Cache-Control"] = "private, no-store"
        return super().finalize_response(request, response, *args, **kwargs)


class DevicesView(AppView):
    """Redeems an invitation of the crew for a device, as opening its link and pressing the button does."""

    @extend_schema(
        operation_id="devices",
        tags=["Recording"],
        request=InvitationSerializer,
        responses={201: NewDeviceSerializer, **describe_refusals(400, 404, 410, 413, 415)},
        auth=[],
    )
    @sensitive_variables("token", "secret")
    def post(self, request: Request) -> Response:
        """Make the app that crew member's device; the invitation is used up, and the device's token is sent once."""
        form = InvitationSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        token = form.validated_data["invitation"].rstrip("/").rsplit("/", 1)[-1]
        invitation = get_invitation(token)
        if invitation is None:
            if get_former_device(token) is not None:
                raise EventGone
            raise NotFound(_("We don’t recognise this invitation. Copy the whole link."), "invitation_unknown")
        try:
            device, secret = accept_invitation(invitation)
        except InvitationUnusable:
            raise UnusableInvitation from None
        member = invitation.member
        data = {
            "device": device.pk,
            "token": secret,
            "expires_at": device.expires_at,
            "event": member.group.event.slug,
            "member": member.pk,
            "name": member.name,
            "role": member.role,
            "group": member.group_id,
        }
        return Response(NewDeviceSerializer(data).data, status=201)


class OrganiserOperationsView(AppView):
    """Records operations in the name of the organiser whose token the program has, as crews record them."""

    authentication_classes = (TokenAuthentication,)

    @extend_schema(
        operation_id="organiser_operations",
        examples=[*list_operation_examples(), *list_receipt_examples()],
        tags=["Recording"],
        request={"application/json": schema.ORGANISER_BATCH},
        responses={200: BatchResultsSerializer, **describe_refusals(400, 401, 403, 404, 409, 413, 415, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Record the operations in order, and return a receipt for each."""
        token = request.auth
        assert isinstance(token, AccessToken), "the guard has checked it"
        reader = open_event(token, slug)
        assert reader.organiser is not None, "a token that records is of an organiser"
        if not reader.event.is_open:
            raise RideNotOpen
        if isinstance(request.data, dict) and "report" in request.data:
            raise UnprocessableBatch(REPORT_REFUSED)
        return Response(record_operations(Actor.from_organiser(reader.organiser), request.data).to_data())


class CrewScorecardView(PhoneView):
    """Reads a scorecard that the phone's crew member records on, with what can be recorded on it now."""

    @extend_schema(
        operation_id="crew_scorecard",
        tags=["Recording"],
        responses={200: ScorecardDetailSerializer, **schema.describe_phone_refusals(401, 403, 404, 410)},
    )
    def get(self, request: Request, card_id: UUID) -> Response:
        """Return the scorecard of a bike or a table; `play` says what can be recorded."""
        device = self.get_phone(request)
        contest = _find_contest(device.member.group.event, card_id)
        if not can_read_card(device, contest, card_id):
            raise PermissionDenied(str(NOT_YOURS), "not_yours")
        card = read_scorecard(contest, card_id, is_for_audience=False)
        return Response(ScorecardDetailSerializer(card).data)


def _find_contest(event: Event, card_id: UUID) -> Contest:
    """Return the contest of a scorecard: that of its seats, or for one on which nothing is recorded, of its bike."""
    seat = Seat.objects.filter(card_id=card_id, contest__event=event, index=0).select_related("contest").first()
    contests = list_contests(event) if seat is None else [seat.contest]
    found = next((one for one in contests if seat is not None or find_bike(one, card_id) is not None), None)
    if found is None:
        raise NotFound(str(NO_CARD), "scorecard_not_found")
    found.event = event
    return found
