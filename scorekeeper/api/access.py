"""API permissions. Anyone may read what the audience sees; a token, what its organiser sees.

Terms: a *caller* is whoever made a request; they read an event as its audience or as one of its organisers.

Invariants:
- A token that does not work is an error, and never the same as no token.
- A token of scope `read` or `record` gives access to the events that its person organises, and to no other.
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

from scorekeeper.api.problems import respond_error
from scorekeeper.common.request_data import read_bearer_token
from scorekeeper.events.models import AccessToken, Contest, Event, Organiser
from scorekeeper.events.selectors import get_access_token, get_open_event, get_organiser
from scorekeeper.events.services.access_tokens import record_token_use, revoke_access_token

CHALLENGE = 'Bearer realm="api"'
Scope = AccessToken.Scope
READING = frozenset({Scope.READ, Scope.RECORD})

MISSING = _("This needs an organiser’s access token: send it as “Authorization: Bearer tgp_…”.")
UNKNOWN = _("This token is not known here. Copy it again, or create a new one on your account’s page.")
EXPIRED = _("This token has expired. Create a new one on your account’s page.")
REVOKED = _("This token was revoked. Create a new one on your account’s page.")
CANNOT_READ = _("This token may only read what everyone can see. Create one that may read what you can see.")
CANNOT_RECORD = _("This token may not record. Create one that may.")
NO_EVENT = _("There is no such event.")
NOT_ORGANISED = _(
    "The person who created this token organises no such event. Leave the token out to read what everyone can see."
)
NO_CONTEST = _("This event has no such contest.")


@dataclass(frozen=True)
class Reader:
    """A caller who reads an event.

    Attributes:
        organiser: as whom they read it; None for the audience.
    """

    event: Event
    organiser: Organiser | None

    @property
    def is_organiser(self) -> bool:
        """Whether they see what its organisers see."""
        return self.organiser is not None

    def get_contest(self, slug: str) -> Contest:
        """Return a contest of the event, or raise `NotFound`."""
        contest = self.event.contests.filter(slug=slug).first()
        if contest is None:
            raise NotFound(NO_CONTEST, "contest_not_found")
        contest.event = self.event
        return contest


def find_token(request: HttpRequest) -> AccessToken | None:
    """Return the token that a request comes with, and store that it was used; None if it comes with none.

    Raises:
        AuthenticationFailed: it does not work.
    """
    secret = read_bearer_token(request)
    if secret is None:
        return None
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


def open_event(token: AccessToken | None, slug: str) -> Reader:
    """Return the caller as a reader of an event.

    Raises:
        NotFound: there is no such event for them.
    """
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
    return _admit(request, READING, CANNOT_READ)


def admit_recorder(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in a program with a token that may record; the guard of the role."""
    return _admit(request, {Scope.RECORD}, CANNOT_RECORD)


def _admit(request: HttpRequest, scopes: Set[Scope], refusal: str | Promise) -> HttpResponse | None:
    try:
        token = find_token(request)
        if token is None:
            raise AuthenticationFailed(MISSING, "token_missing")
        if token.scope not in scopes:
            raise PermissionDenied(str(refusal), "scope_too_small")
    except APIException as error:
        response = respond_error(error)
        if error.status_code == AuthenticationFailed.status_code:
            response.headers["WWW-Authenticate"] = CHALLENGE
        return response
    request.access_token = token  # type: ignore[attr-defined]
    return None


class TokenAuthentication(BaseAuthentication):
    """Authenticates by an organiser's token, which the role's guard may have found. `request.auth` is the token."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        """Return the account and its token; None for everyone else.

        Raises:
            AuthenticationFailed: the token does not work.
        """
        plain: HttpRequest = request._request  # noqa: SLF001 - the documented way to Django's own request
        token: AccessToken | None = getattr(plain, "access_token", None) or find_token(plain)
        return None if token is None else (token.user, token)

    def authenticate_header(self, request: Request) -> str:
        """Return how to authenticate; with it, an error is 401 and not 403."""
        return CHALLENGE
