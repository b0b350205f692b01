"""Pages on which an organiser adds passkeys to their account, sees when they were used, renames and removes them."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.browsers import get_browser
from scorekeeper.events.forms.accounts import OwnPasswordForm
from scorekeeper.events.forms.passkeys import (
    NOT_ADDED,
    NewPasskeyForm,
    PasskeyNameForm,
    PasskeyResponseForm,
)
from scorekeeper.events.models import Passkey
from scorekeeper.events.passkey_session import (
    begin_new_passkey,
    end_passkey_step,
    get_new_passkey_name,
    set_challenge,
    take_challenge,
)
from scorekeeper.events.selectors import get_default_time_zone, list_passkeys
from scorekeeper.events.services import passkeys as services
from scorekeeper.events.services.account_lock import lock_account
from scorekeeper.events.services.sessions import end_sessions, rename_session
from scorekeeper.events.views.sign_in import REFUSED, THROTTLED


def index(request: HttpRequest) -> HttpResponse:
    """List the passkeys of the account."""
    user = _get_user(request)
    passkeys = list_passkeys(user)
    context = {
        "passkeys": passkeys,
        "party": services.get_relying_party(),
        "site": settings.BASE_URL,
        "is_full": len(passkeys) >= services.MAX_PASSKEYS,
        "most": services.MAX_PASSKEYS,
        "zone": ZoneInfo(get_default_time_zone(user)),
    }
    return render(request, "events/passkeys.html", context)


@sensitive_post_parameters()
def add(request: HttpRequest) -> HttpResponse:
    """Ask for the name of a new passkey and for the password; the next page creates it."""
    user = _get_user(request)
    if not _can_add(user):
        return redirect("events:passkeys")  # it says why
    form = NewPasskeyForm(request.POST or None, user=user, browser=get_browser(request))
    if form.is_valid():
        begin_new_passkey(request, form.cleaned_data["name"])
        return redirect("events:create_passkey")
    return render(request, "events/add_passkey.html", {"form": form}, status=_get_status(form))


@sent_once
def create(request: HttpRequest) -> HttpResponse:
    """Have the browser create the passkey, and add it. The first one signs the account out in other browsers."""
    user, party, name = _get_user(request), services.get_relying_party(), get_new_passkey_name(request)
    if party is None or name is None:
        return redirect("events:add_passkey")
    form = PasskeyResponseForm(request.POST or None)
    if form.is_valid():
        is_first = not list_passkeys(user).exists()
        try:
            passkey = services.add_passkey(user, name, party, take_challenge(request), form.cleaned_data["response"])
        except services.PasskeyRefused as error:
            form.add_refusal(error, NOT_ADDED)
        else:
            end_passkey_step(request)
            text = _("“%(name)s” has been added. From now on you are asked for a passkey when you sign in.")
            if is_first:
                # Other browsers were signed in with the password alone.
                key = request.session.session_key
                end_sessions(user, kept_key=key)
                request.session.cycle_key()
                rename_session(key, request.session.session_key)
                text = f"{text} {_('You are signed out in all other browsers.')}"
            messages.success(request, text % {"name": passkey})
            return redirect("events:passkeys")
    ceremony = services.begin_adding(user, party)
    context = {"form": form, "name": name, **begin_ceremony(request, ceremony, party)}
    return render(request, "events/create_passkey.html", context, status=_get_status(form))


def rename(request: HttpRequest, passkey_id: UUID) -> HttpResponse:
    """Give a passkey another name."""
    user = _get_user(request)
    if request.method != "POST":
        return _rename(request, user, passkey_id)
    with transaction.atomic():
        lock_account(user)  # it may be open in two browsers
        return _rename(request, user, passkey_id)


def _rename(request: HttpRequest, user: User, passkey_id: UUID) -> HttpResponse:
    passkey = list_passkeys(user).filter(pk=passkey_id).first()
    if passkey is None:
        return show_deleted(request, PasskeyNameForm(Passkey(), request.POST), {}, reverse("events:passkeys"))
    editing = Edit(request, lambda data, _files: PasskeyNameForm(passkey, data))
    if editing.is_valid():
        services.rename_passkey(passkey, editing.form.cleaned_data["name"])
        editing.announce(request, _("“%(name)s” has been renamed.") % {"name": passkey})
        return redirect("events:passkeys")
    context = {"form": editing.form, "edit": editing, "passkey": passkey}
    return render(request, "events/rename_passkey.html", context, status=editing.status)


@sensitive_post_parameters()
def remove(request: HttpRequest, passkey_id: UUID) -> HttpResponse:
    """Remove a passkey, after the password."""
    user = _get_user(request)
    passkey = get_object_or_404(list_passkeys(user), pk=passkey_id)
    form = OwnPasswordForm(request.POST or None, user=user, browser=get_browser(request))
    if form.is_valid():
        services.remove_passkey(passkey)
        messages.success(request, _("“%(name)s” has been removed.") % {"name": passkey})
        return redirect("events:passkeys")
    is_last = not list_passkeys(user).exclude(pk=passkey.pk).exists()
    context = {"form": form, "passkey": passkey, "is_last": is_last}
    return render(request, "events/remove_passkey.html", context, status=_get_status(form))


def begin_ceremony(request: HttpRequest, ceremony: services.Ceremony, party: services.RelyingParty) -> dict[str, Any]:
    """Bind a ceremony to the browser session; return what `events/_passkey_ceremony.html` needs of it."""
    set_challenge(request, ceremony.challenge_id)
    return {"options": json.dumps(ceremony.options), "party": party}


def _can_add(user: User) -> bool:
    return services.get_relying_party() is not None and list_passkeys(user).count() < services.MAX_PASSKEYS


def _get_status(form: Any) -> int:
    if not form.is_bound:
        return 200
    return THROTTLED if getattr(form, "is_throttled", False) else REFUSED


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "signed in"
    return request.user
