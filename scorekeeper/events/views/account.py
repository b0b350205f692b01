"""The page on which an organiser changes their password and ends their sessions."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from scorekeeper.events.browsers import get_browser
from scorekeeper.events.forms.accounts import ChangePasswordForm
from scorekeeper.events.selectors import get_default_time_zone, list_reset_links
from scorekeeper.events.services.accounts import change_password
from scorekeeper.events.views.sign_in import REFUSED, THROTTLED


@sensitive_post_parameters()
def account(request: HttpRequest) -> HttpResponse:
    """Change the password; other sessions end and this one stays."""
    user = request.user
    assert isinstance(user, User), "signed in"
    form = ChangePasswordForm(user, request.POST or None, browser=get_browser(request))
    if form.is_valid():
        change_password(user, form.cleaned_data["new_password1"])
        update_session_auth_hash(request, user)
        messages.success(request, _("Your password has been changed. You are signed out in all other browsers."))
        return redirect("events:account")
    context = {
        "form": form,
        "reset_links": list_reset_links(user),
        "zone": ZoneInfo(get_default_time_zone(user)),
    }
    status = (THROTTLED if form.is_throttled else REFUSED) if form.is_bound else 200
    return render(request, "events/account.html", context, status=status)
