"""API permissions. Anyone may read what the audience sees; a token, what its organiser or its crew sees.

Terms: a *caller* is whoever made a request; they read an event as its audience, as one of its organisers, or as its
crew. A *device token* is what an app of the crew got for an invitation; an *access token* is an organiser's.

Invariants:
- A token that does not work is an error, and never the same as no token.
- A token of scope `read` or `record` gives access to the events that its person organises, and to no other.
- A device token gives access to the event of its crew, and to no other.
- The crew sees what is set up for the ride, and of results what the audience sees; what its own scorecards have is
  read by card, as on its phones.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed, NotFound, PermissionDenied
from rest_framework.request import Request

from scorekeeper.api.authentication import EventDeleted
from scorekeeper.api.problems import respond_error
from scorekeeper.common.request_data import read_bearer_token
from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import get_device_by_token, get_former_device
from scorekeeper.crew.services.devices import record_last_seen
from scorekeeper.events.models import AccessToken, Contest, Event, Organiser
from scorekeeper.events.selectors import get_access_token, get_open_event, get_organiser
from scorekeeper.events.services.access_tokens import PREFIX, record_token_use, revoke_access_token

CHALLENGE = 'Bearer realm="api"'
Scope = AccessToken.Scope
READING = frozenset({Scope.READ, Scope.RECORD})

MISSING = _("This needs an organiser’s access token: send it as “Authorization: Bearer tgp_…”.")
MISSING_ROSTER = _(
    "This needs a token: an organiser’s access token, or the token that an app of the crew got for its invitation. "
    "Send it as “Authorization: Bearer …”."
)
UNKNOWN = _("This token is not known here. Copy it again, or create a new one on your account’s page.")
UNKNOWN_DEVICE = _(
    "This token is not known here. An access token begins with “tgp_”; an app of the crew gets its token for an "
    "invitation (POST /api/v1/devices)."
)
DEVICE_EXPIRED = _("The token of this device has expired. Ask the organiser for a new link, and redeem it.")
DEVICE_REVOKED = _("This device was signed out by the organiser. Ask for a new link, and redeem it.")
EXPIRED = _("This token has expired. Create a new one on your account’s page.")
REVOKED = _("This token was revoked. Create a new one on your account’s page.")
CANNOT_READ = _("This token may only read what everyone can see. Create one that may read what you can see.")
CANNOT_RECORD = _("This token may not record. Create one that may.")
CREW_CANNOT_READ = _(
    "Only organisers can read this. With a device’s token you read what its crew sees: /api/v1/ride/progress and "
    "/api/v1/ride/sheets, and of its event the contests, stops, groups, bikes, people, standings and scorecards."
)
CREW_CANNOT_RECORD = _("A device records as its crew member: send its operations to /api/v1/operations.")
NO_EVENT = _("There is no such event.")
NOT_ORGANISED = _(
    "The person who created this token organises no such event. Leave the token out to read what everyone can see."
)
OTHER_RIDE = _(
    "This device belongs to the crew of another event. Leave the token out to read what everyone can see of this one."
)
NO_CONTEST = _("This event has no such contest.")


@dataclass(frozen=True)
class Reader:
    """A caller who reads an event.

    Attributes:
        organiser: as whom they read it; None for the audience and the crew.
        device: the crew's device that they read it with; None for everyone else.
    """

    event: Event
    organiser: Organiser | None
    device: Device | None = None

    @property
    def is_organiser(self) -> bool:
        """Whether they see what its organisers see."""
        return self.organiser is not None

    @property
    def sees_setup(self) -> bool:
        """Whether they see what is set up for the ride and not public, such as the notes for the crew."""
        return self.organiser is not None or self.device is not None

    def get_contest(self, slug: str) -> Contest:
        """Return a contest of the event, or raise `NotFound`."""
        contest = self.event.contests.filter(slug=slug).first()
        if contest is None:
            raise NotFound(NO_CONTEST, "contest_not_found")
        contest.event = self.event
        return contest


Token = AccessToken | Device


def find_token(request: HttpRequest) -> Token | None:
    """Return the token that a request comes with, and store that it was used; None if it comes with none.

    An app of the crew is found by its device.

    Raises:
        AuthenticationFailed: it does not work.
        EventDeleted: it is of a device whose event was deleted.
    """
    secret = read_bearer_token(request)
    if secret is None:
        return None
    return _find_access_token(secret) if not secret or secret.startswith(PREFIX) else _find_device(secret)


def _find_device(secret: str) -> Device:
    device = get_device_by_token(secret)
    if device is None:
        if get_former_device(secret) is not None:
            raise EventDeleted
        raise AuthenticationFailed(UNKNOWN_DEVICE, "token_unknown")
    if device.revoked_at is not None:
        raise AuthenticationFailed(DEVICE_REVOKED, "token_revoked")
    if not device.is_valid():
        raise AuthenticationFailed(DEVICE_EXPIRED, "token_expired")
    record_last_seen(device)
    return device


def _find_access_token(secret: str) -> AccessToken:
    token = get_access_token(secret)
    if token is None:
        raise AuthenticationFailed(UNKNOWN, "token_unknown")
    if not token.user.is_active:
        revoke_access_token(token)  # so that it does not work again once the account does
    if token.revoked_at is not None or not token.user.is_active:
        raise AuthenticationFailed(REVOKED, "token_revoked")
    if token.is_expired():
        raise AuthenticationFailed(EXPIRED, "token_expired")
    record_token_use(token)
    return token


def open_event(token: Token | None, slug: str) -> Reader:
    """Return the caller as a reader of an event.

    Raises:
        NotFound: there is no such event for them.
    """
    if isinstance(token, Device):
        own = token.member.group.event
        if own.slug != slug:
            raise NotFound(OTHER_RIDE, "event_not_found")
        return Reader(own, None, token)
    if token is None or token.scope not in READING:
        event = get_open_event(slug)
        if event is None:
            raise NotFound(NO_EVENT, "event_not_found")
        return Reader(event, None)
    organiser = get_organiser(token.user, slug)
    if organiser is None:
        raise NotFound(NOT_ORGANISED, "event_not_found")
    return Reader(organiser.event, organiser)


def admit_reader(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a program with a token that may read what its organiser sees; the guard of the role."""
    return _admit(request, READING, CANNOT_READ, CREW_CANNOT_READ)


def admit_roster_reader(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a program as `admit_reader` does, and an app of the crew; the guard of the role."""
    return _admit(request, READING, CANNOT_READ, None)


def admit_recorder(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a program with a token that may record; the guard of the role."""
    return _admit(request, {Scope.RECORD}, CANNOT_RECORD, CREW_CANNOT_RECORD)


def _admit(
    request: HttpRequest, scopes: Set[Scope], refusal: str | Promise, crew_refusal: str | Promise | None
) -> HttpResponse | None:
    """Let in a token with one of these scopes.

    Args:
        crew_refusal: what to tell an app of the crew; None to let it in.
    """
    try:
        token = find_token(request)
        if token is None:
            missing = MISSING_ROSTER if crew_refusal is None else MISSING
            raise AuthenticationFailed(missing, "token_missing")
        if isinstance(token, Device):
            if crew_refusal is not None:
                raise PermissionDenied(str(crew_refusal), "not_for_crew")
        elif token.scope not in scopes:
            raise PermissionDenied(str(refusal), "scope_too_small")
    except APIException as error:
        response = respond_error(error)
        if error.status_code == AuthenticationFailed.status_code:
            response.headers["WWW-Authenticate"] = CHALLENGE
        return response
    request.access_token = token  # type: ignore[attr-defined]
    return None


class TokenAuthentication(BaseAuthentication):
    """Authenticates by a token, which the role's guard may have found. `request.auth` is the token, or the device."""

    def authenticate(self, request: Request) -> tuple[User | None, Token] | None:
        """Return the account and its token, or no account and the crew's device; None for everyone else.

        Raises:
            AuthenticationFailed: the token does not work.
            EventDeleted: it is of a device whose event was deleted.
        """
        plain: HttpRequest = request._request  # noqa: SLF001 - the documented way to Django's own request
        token: Token | None = getattr(plain, "access_token", None) or find_token(plain)
        if token is None:
            return None
        return (token.user if isinstance(token, AccessToken) else None), token

    def authenticate_header(self, request: Request) -> str:
        """Return how to authenticate; with it, an error is 401 and not 403."""
        return CHALLENGE
