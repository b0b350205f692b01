"""Pages on which an organiser creates access tokens for programs, sees when they were used, and revokes them."""

from __future__ import annotations

from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from scorekeeper.events.forms.access_tokens import AccessTokenForm
from scorekeeper.events.selectors import get_default_time_zone, list_access_tokens
from scorekeeper.events.services.access_tokens import create_access_token, revoke_access_token

REFUSED = 422


@sensitive_variables("secret")
def index(request: HttpRequest) -> HttpResponse:
    """List the tokens of the account. The form creates one, whose secret is shown once."""
    user = _get_user(request)
    form = AccessTokenForm(request.POST or None)
    zone = ZoneInfo(get_default_time_zone(user))
    if form.is_valid():
        token, secret = create_access_token(user, **form.cleaned_data)
        return render(request, "events/access_token.html", {"token": token, "secret": secret, "zone": zone})
    context = {"form": form, "tokens": list_access_tokens(user), "zone": zone}
    return render(request, "events/access_tokens.html", context, status=REFUSED if form.is_bound else 200)


def revoke(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """End a token, after confirmation."""
    token = get_object_or_404(list_access_tokens(_get_user(request)), pk=token_id)
    if request.method == "POST":
        revoke_access_token(token)
        messages.success(request, _("“%(name)s” has been revoked. It no longer works.") % {"name": token})
        return redirect("events:access_tokens")
    return render(request, "events/revoke_access_token.html", {"token": token})


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "signed in"
    return request.user
