"""The second step of signing in to an account that has a passkey.

Invariants:
- Nobody is signed in until the passkey was right; the first step only leaves a note in the browser session.
- An account with a passkey is asked for it at every address of the site, also where browsers cannot use it: there, it
  cannot sign in (decision 53).
"""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import get_next_url
from scorekeeper.common.secret_links import protect_secret_url
from scorekeeper.events.browsers import get_browser
from scorekeeper.events.forms.passkeys import NOT_OF_ACCOUNT, PasskeyResponseForm
from scorekeeper.events.passkey_session import end_passkey_step, get_pending_user, take_challenge
from scorekeeper.events.selectors import list_passkeys
from scorekeeper.events.services import passkeys as services
from scorekeeper.events.views.passkeys import begin_ceremony
from scorekeeper.events.views.sign_in import REFUSED, THROTTLED, complete_sign_in


@protect_secret_url  # `next` may be the link of an invitation
def sign_in_passkey(request: HttpRequest) -> HttpResponse:
    """Ask for a passkey of the account whose password was right, and sign in."""
    next_url = get_next_url(request, resolve_url(settings.LOGIN_REDIRECT_URL))
    if request.user.is_authenticated:
        return redirect(next_url)
    user = get_pending_user(request)
    if user is None or not list_passkeys(user).exists():
        messages.info(request, _("You are not signed in. Enter your name and password first."))
        return redirect(next_url if "next" in request.GET else "events:sign_in")
    party = services.get_relying_party()
    if party is None or not list_passkeys(user, party.host).exists():
        return _say_where(request, user)
    form = PasskeyResponseForm(request.POST or None)
    browser = get_browser(request)
    if form.is_valid() and form.count_attempt(user, browser):
        try:
            services.use_passkey(user, party, take_challenge(request), form.cleaned_data["response"])
        except services.PasskeyRefused as error:
            form.add_refusal(error, NOT_OF_ACCOUNT)
        else:
            form.clear_attempts(user, browser)
            end_passkey_step(request)
            return complete_sign_in(request, user, next_url)
    context = {"form": form, "next": next_url, "account": user}
    context |= begin_ceremony(request, services.begin_sign_in(user, party), party)
    status = (THROTTLED if form.is_throttled else REFUSED) if form.is_bound else 200
    return render(request, "events/sign_in_passkey.html", context, status=status)


def _say_where(request: HttpRequest, user: User) -> HttpResponse:
    hosts = sorted(set(list_passkeys(user).values_list("host", flat=True)))
    context = {"hosts": hosts, "site": settings.BASE_URL}
    return render(request, "events/sign_in_elsewhere.html", context, status=REFUSED)
