"""Signing in, with Django's own view, and signing out of every browser. A failed sign-in has status 422 or 429."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.events.browsers import add_known_account, ensure_browser_id
from scorekeeper.events.forms.sign_in import SignInForm
from scorekeeper.events.services.accounts import end_sessions
from scorekeeper.events.services.sign_in_throttle import get_account_digest

REFUSED, THROTTLED = 422, 429


class SignInView(LoginView):
    """Asks an organiser for their name and password."""

    authentication_form = SignInForm
    template_name = "events/sign_in.html"
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, and give a new browser an id under which its wrong passwords are counted."""
        response = super().get(request, *args, **kwargs)
        ensure_browser_id(request, response)
        return response

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in, and make the browser known to the account."""
        response = super().form_valid(form)
        add_known_account(self.request, response, get_account_digest(form.cleaned_data["username"]))
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the form again: 422, or 429 after too many attempts for the account."""
        assert isinstance(form, SignInForm)
        status = THROTTLED if form.is_throttled else REFUSED
        return self.render_to_response(self.get_context_data(form=form), status=status)


def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of the organiser, including this one, after confirmation."""
    if request.method != "POST":
        return render(request, "events/sign_out_everywhere.html")
    assert isinstance(request.user, User), "signed in"
    end_sessions(request.user)
    logout(request)
    messages.success(request, _("You are signed out in every browser."))
    return redirect("events:sign_in")
