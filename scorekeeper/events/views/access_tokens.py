"""Pages on which an organiser creates access tokens for programs, sees when they were used, and revokes them."""

from __future__ import annotations

from functools import partial
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from scorekeeper.common.sent_once_for_secret import sent_once_for_secret
from scorekeeper.events.browsers import get_browser
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.forms.accounts import AccessTokenForm
from scorekeeper.events.selectors import get_default_time_zone, list_access_tokens
from scorekeeper.events.services.access_tokens import create_access_token, revoke_access_token


@sent_once_for_secret
@sensitive_post_parameters("own_password")
@sensitive_variables("secret")
def index(request: HttpRequest) -> HttpResponse:
    """List the tokens of the account. The form creates one, whose secret is shown once."""
    user = _get_user(request)
    form = AccessTokenForm(request.POST or None, user=user, browser=get_browser(request))
    zone = ZoneInfo(get_default_time_zone(user))
    if form.is_valid():
        values = form.cleaned_data
        token, secret = create_access_token(user, values["name"], values["scope"], values["lifetime"])
        return render(request, "events/access_token.html", {"token": token, "secret": secret, "zone": zone})
    context = {"form": form, "tokens": list_access_tokens(user), "zone": zone}
    return render(request, "events/access_tokens.html", context, status=form.status)


def revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """End a token, after confirmation."""
    token = get_object_or_404(list_access_tokens(_get_user(request)), pk=token_id)
    return Confirmation(
        title=_("Revoke the token"),
        question=_("Revoke “%(name)s”?") % {"name": token},
        explanation=_("The program that has this token can no longer use it. What it has recorded is kept."),
        done=_("“%(name)s” has been revoked. It no longer works.") % {"name": token},
        back=reverse("events:access_tokens"),
    ).answer(request, partial(revoke_access_token, token))


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "signed in"
    return request.user
