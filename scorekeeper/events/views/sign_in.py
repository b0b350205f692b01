"""Signing in. Django's own view; a refusal has the status it deserves."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpResponse

from scorekeeper.events.forms.sign_in import SignInForm

REFUSED, THROTTLED = 422, 429


class SignInView(LoginView):
    """Asks an organiser for name and password."""

    authentication_form = SignInForm
    template_name = "events/sign_in.html"
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the form again: 422, or 429 when the account has been guessed at too often."""
        assert isinstance(form, SignInForm)
        status = THROTTLED if form.is_throttled else REFUSED
        return self.render_to_response(self.get_context_data(form=form), status=status)
