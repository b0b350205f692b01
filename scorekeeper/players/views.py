"""Pages of the roster, its import, its bikes and people, and of asking for a place.

The public page for asking is there while the organiser has opened sign-up, also for a draft, whose other pages stay
hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple, Self
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import find_free_number, get_bike, is_roster_fixed, list_taken_numbers
from scorekeeper.bikes.services import NumberFixed, NumberTaken, RosterFixed
from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.names import clean_name
from scorekeeper.common.qr import QUICK_MASK, QrCode, make_qr_code
from scorekeeper.common.request_data import get_next_url
from scorekeeper.common.sent_once import sent_once
from scorekeeper.common.spreadsheets.views import ImportPages, send_sample
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event
from scorekeeper.players import services, sign_ups
from scorekeeper.players.bike_search import search_bikes
from scorekeeper.players.class_settings import ClassesFixed
from scorekeeper.players.forms import BikeForm, PlayerForm, SignUpDecisionForm, SignUpForm
from scorekeeper.players.models import SignUp
from scorekeeper.players.roster_import import RosterImporter
from scorekeeper.players.selectors import (
    BikeSortKey,
    are_contacts_erased,
    count_pending_sign_ups,
    get_sign_up,
    get_sign_up_event,
    list_bikes_with_people,
    list_decided_sign_ups,
    list_pending_sign_ups,
    list_people_without_bike,
    list_roster,
    list_untold_sign_ups,
    sort_bikes,
)
from scorekeeper.players.sign_up_answers import write_answer

CONFLICT, TOO_MANY = 409, 429
MAX_SEARCHED = 80  # characters
SORTED_COLUMNS: tuple[tuple[BikeSortKey, str | Promise], ...] = (
    ("number", _lazy("Number")),
    ("rider", _lazy("Riders")),
    ("group", _lazy("Group")),
)


@organiser_required
def show_roster(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the bikes, and the people without one.

    `?q=` finds bikes by number, name, machine or group; `?sort=` is a column, with a minus sign for the reverse order.
    """
    searched, sort = clean_name(request.GET.get("q", ""))[:MAX_SEARCHED], request.GET.get("sort", "number")
    bikes = list(list_bikes_with_people(event))
    found = search_bikes(bikes, searched) if searched else bikes
    columns = [_SortLink.make(key, label, sort, searched) for key, label in SORTED_COLUMNS]
    chosen = next((column for column in columns if column.direction), columns[0])
    context = {
        "event": event,
        "bikes": bikes,
        "found": sort_bikes(found, chosen.key, is_descending=chosen.direction == "descending"),
        "columns": columns,
        "searched": searched,
        "sort": sort if chosen.direction else "",
        "sign_ups": count_pending_sign_ups(event) + len(list_untold_sign_ups(event)),
        "people": list_people_without_bike(event),
    }
    return render(request, "players/roster.html", context)


class _SortLink(NamedTuple):
    """The heading of a column: what `aria-sort` says of it, "" if others are sorted by, and where its link leads."""

    key: BikeSortKey
    label: str | Promise
    direction: Literal["ascending", "descending", ""]
    query: str

    @classmethod
    def make(cls, key: BikeSortKey, label: str | Promise, sort: str, searched: str) -> Self:
        """Return the heading; a second press on it reverses the order."""
        direction: Literal["ascending", "descending", ""] = ""
        if sort.removeprefix("-") == key:
            direction = "descending" if sort.startswith("-") else "ascending"
        target = f"-{key}" if direction == "ascending" else key
        return cls(key, label, direction, urlencode({"sort": target} | ({"q": searched} if searched else {})))


@sent_once
@organiser_required
def add_bike(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Add a bike. `?next=` is the page to return to. While a contest is closed, another page registers the bike."""
    if request.method == "GET" and is_roster_fixed(event):
        return redirect(f"{reverse('desk:register_bike', args=[event.slug])}?{request.GET.urlencode()}")
    form = BikeForm(request.POST or None, event=event)
    back = get_next_url(request, reverse("players:roster", args=[event.slug]))
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            bike = services.add_bike(event, **form.cleaned_data)
        except NumberTaken:
            form.add_error("number", form.get_number_taken_message(form.cleaned_data["number"]))
        except RosterFixed:
            form.add_error(None, _("A contest has just been closed. Open this page again to add the bike."))
            status = 409
        except ClassesFixed:
            form.add_error("classes", explain_fixed_classes())
            status = 409
        else:
            messages.success(request, _("Bike %(bike)s has been added.") % {"bike": bike})
            return redirect(back)
    context = {"event": event, "form": form, "back": back}
    return render(request, "players/add_bike.html", context, status=status)


@organiser_required
@one_edit_at_a_time
def edit_bike(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Change a bike and the people on it."""
    try:
        bike = get_bike(event, bike_id)
    except Bike.DoesNotExist:
        return _show_deleted_bike(request, event)
    editing = Edit(request, partial(BikeForm, event=event, instance=bike))
    form = editing.form
    if editing.is_valid():
        try:
            services.update_bike(get_bike(event, bike_id), **form.cleaned_data)
        except Bike.DoesNotExist:  # its registration at a stop was undone at this very moment
            return _show_deleted_bike(request, event)
        except NumberTaken:
            form.add_error("number", form.get_number_taken_message(form.cleaned_data["number"]))
        except NumberFixed:
            form.add_error("number", _("The event has just been opened. Open this page again to change the number."))
        except ClassesFixed:
            form.add_error(None, explain_fixed_classes())
        else:
            editing.announce(request, _("Bike %(bike)s has been changed.") % {"bike": bike})
            return redirect("players:roster", event.slug)
    context = {"event": event, "bike": bike, "form": form, "edit": editing}
    return render(request, "players/edit_bike.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def delete_bike(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Delete a bike that has no scorecard, after confirmation."""
    bike = _find_bike(event, bike_id)
    in_use = _(
        "Bike %(bike)s has a scorecard or a prize, or is checked in or marked as not started, so it cannot be deleted."
    )
    registered = _(
        "Bike %(bike)s was registered at a stop, so you cannot delete it here. The person who registered it can undo "
        "that on the bike’s scorecard. Or give it the right number and merge it under “Bikes that share a number”."
    )
    fixed = _(
        "A contest is closed, and its log lists bike %(bike)s, so it cannot be deleted. Reopen the contest first, or "
        "keep the bike: without a scorecard it is not ranked."
    )
    roster = reverse("players:roster", args=[event.slug])
    return Confirmation(
        event=event,
        tab="roster",
        title=_("Delete the bike"),
        question=_("Delete bike %(bike)s?") % {"bike": bike},
        explanation=_("Its riders are deleted too. A bike that has a scorecard cannot be deleted."),
        done=_("Bike %(bike)s has been deleted.") % {"bike": bike},
        back=reverse("players:edit_bike", args=[event.slug, bike.pk]),
        next_url=roster,
        refusals={
            services.BikeInUse: in_use % {"bike": bike},
            services.RegisteredAtStop: registered % {"bike": bike},
            RosterFixed: fixed % {"bike": bike},
        },
        refused_url=roster,
    ).answer(request, partial(services.delete_bike, bike))


def _show_deleted_bike(request: OrganiserRequest, event: Event) -> HttpResponse:
    back = reverse("players:roster", args=[event.slug])
    return show_deleted(request, BikeForm(request.POST, event=event), {"event": event}, back)


def _find_bike(event: Event, bike_id: UUID) -> Bike:
    try:
        return get_bike(event, bike_id)
    except Bike.DoesNotExist as error:
        raise Http404 from error


@organiser_required
def show_codes(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show a QR code for each bike, to print; each group starts on a new page."""
    rosters = [
        (roster.group, [(bike, _make_bike_qr(bike)) for bike in roster.bikes])
        for roster in list_roster(event)
        if roster.bikes
    ]
    return render(request, "players/codes.html", {"event": event, "rosters": rosters})


def _make_bike_qr(bike: Bike) -> QrCode:
    return make_qr_code(settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.pk)]), mask=QUICK_MASK)


@sent_once
@organiser_required
def add_player(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Add a person. `?next=` is the page to return to."""
    form = PlayerForm(request.POST or None, event=event)
    back = get_next_url(request, reverse("players:roster", args=[event.slug]))
    if form.is_valid():
        try:
            player = services.add_player(event, **form.cleaned_data)
        except ClassesFixed:
            form.add_error(None, explain_fixed_classes())
        else:
            messages.success(request, _("%(player)s has been added.") % {"player": player})
            return redirect(back)
    context = {"event": event, "form": form, "back": back}
    return render(request, "players/add_player.html", context, status=422 if form.is_bound else 200)


def explain_fixed_classes() -> str:
    """Return why classes cannot change by the way, and how to change them."""
    return _(
        "Something is recorded already, so this would change who is in a class without a reason. First correct the "
        "classes of the bike or the person, on the page “Classes”. Then try again."
    )


@organiser_required
@one_edit_at_a_time
def edit_player(request: OrganiserRequest, event: Event, player_id: UUID) -> HttpResponse:
    """Change a person."""
    people = event.players.select_for_update(no_key=True) if request.method == "POST" else event.players
    player = people.filter(pk=player_id).first()
    if player is None:
        back = reverse("players:roster", args=[event.slug])
        return show_deleted(request, PlayerForm(request.POST, event=event), {"event": event}, back)
    editing = Edit(request, partial(PlayerForm, event=event, instance=player))
    if editing.is_valid():
        try:
            services.update_player(player, **editing.form.cleaned_data)
        except ClassesFixed:
            editing.form.add_error(None, explain_fixed_classes())
        else:
            editing.announce(request, _("%(player)s has been changed.") % {"player": player})
            return redirect("players:roster", event.slug)
    context = {"event": event, "player": player, "form": editing.form, "edit": editing}
    return render(request, "players/edit_player.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def delete_player(request: OrganiserRequest, event: Event, player_id: UUID) -> HttpResponse:
    """Delete a person who has no scorecard, after confirmation."""
    player = get_object_or_404(event.players, pk=player_id)
    in_use = _("%(player)s has a scorecard, so the name cannot be deleted.")
    roster = reverse("players:roster", args=[event.slug])
    return Confirmation(
        event=event,
        tab="roster",
        title=_("Delete the person"),
        question=_("Delete %(player)s?") % {"player": player},
        explanation=_("Someone who has a scorecard cannot be deleted."),
        done=_("%(player)s has been deleted.") % {"player": player},
        back=reverse("players:edit_player", args=[event.slug, player.pk]),
        next_url=roster,
        refusals={services.PlayerInUse: in_use % {"player": player}, ClassesFixed: explain_fixed_classes()},
        refused_url=roster,
    ).answer(request, partial(services.delete_player, player))


@sent_once
@organiser_required
def upload_roster(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask for a roster, show how it is read and what would change, and import it after confirmation."""
    pages = ImportPages(
        RosterImporter(event),
        folder="players",
        context={"event": event},
        back=reverse("players:roster", args=[event.slug]),
        sample=reverse("players:sample", args=[event.slug]),
    )
    return pages.show(request)


@organiser_required
def download_sample(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Send a sample roster."""
    return send_sample(RosterImporter, "roster.csv")


def ask_for_place(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a place. `?sent` thanks for it."""
    event = get_sign_up_event(slug)
    if event is None or not event.takes_sign_ups:
        closed = event or get_open_event(slug)
        if closed is None:
            raise Http404
        return render(request, "players/sign_up_closed.html", {"event": closed}, status=404)
    if "sent" in request.GET and request.method != "POST":
        return render(request, "players/signed_up.html", {"event": event})
    form = SignUpForm(request.POST or None, event=event)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            sign_ups.add_sign_up(event, form.to_request(), get_client_address(request))
        except sign_ups.TooManySignUps as error:
            form.add_error(None, _format_too_many(is_event_full=error.is_event_full))
            status = TOO_MANY
        else:
            return redirect(f"{reverse('players:sign_up', args=[event.slug])}?sent")
    return render(request, "players/sign_up.html", {"event": event, "form": form}, status=status)


def _format_too_many(*, is_event_full: bool) -> str:
    if is_event_full:
        return _("Too many people are waiting for an answer. Try again in a few days, or ask the organiser.")
    return _("Too many sign-ups came from your connection. Try again in an hour. What you entered is still here.")


@organiser_required
def list_sign_ups(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the sign-ups: those that need a decision, with a free number, those to tell, and those that were decided."""
    return _render_sign_ups(request, event)


@sent_once
@organiser_required
def decide_sign_up(request: OrganiserRequest, event: Event, sign_up_id: UUID) -> HttpResponse:
    """Approve a sign-up, which adds the bike, or decline it."""
    found = get_sign_up(event, sign_up_id)
    if found is None:
        raise Http404
    form = SignUpDecisionForm(request.POST, sign_up=found, groups=list(list_groups(event)))
    if not form.is_valid():
        return _render_sign_ups(request, event, form, 422)
    try:
        if form.is_declined:
            sign_ups.decline_sign_up(found)
            messages.success(request, _("The sign-up of %(rider)s has been declined.") % {"rider": found.rider})
        else:
            bike = sign_ups.approve_sign_up(found, form.cleaned_data["number"], form.cleaned_data.get("group"))
            text = _("%(rider)s rides with number %(number)s.")
            if bike.group is None and list_groups(event).exists():
                text = _("%(rider)s rides with number %(number)s. Assign the bike to a group under “Bikes and riders”.")
            messages.success(request, text % {"rider": found.rider, "number": bike.label})
    except sign_ups.AlreadyDecided:
        messages.warning(request, _("Someone has already decided on this sign-up."))
    except NumberTaken:
        form.propose(find_free_number(list_taken_numbers(event), form.cleaned_data["number"]))
        return _render_sign_ups(request, event, form, CONFLICT)
    except RosterFixed:
        form.add_error(None, _("A contest is closed, so no bike can be added here. Reopen it, or decline."))
        return _render_sign_ups(request, event, form, CONFLICT)
    return redirect("players:sign_ups", event.slug)


@organiser_required
def mark_as_told(request: OrganiserRequest, event: Event, sign_up_id: UUID) -> HttpResponse:
    """Record that the rider knows the decision, and erase how to reach them."""
    found = get_sign_up(event, sign_up_id)
    if found is None:
        raise Http404
    try:
        sign_ups.mark_as_told(found)
    except sign_ups.NothingToTell:
        messages.warning(request, _("There is nothing left to tell %(rider)s.") % {"rider": found.rider})
    else:
        text = _("%(rider)s has been told.")
        if found.contact:
            text = _("%(rider)s has been told. Their email or phone is deleted.")
        messages.success(request, text % {"rider": found.rider})
    return redirect("players:sign_ups", event.slug)


def _render_sign_ups(
    request: HttpRequest, event: Event, refused: SignUpDecisionForm | None = None, status: int = 200
) -> HttpResponse:
    taken = list_taken_numbers(event)
    groups = list(list_groups(event))
    public_url = settings.BASE_URL + reverse("results:event", args=[event.slug]) if event.is_open else ""
    context = {
        "event": event,
        "rows": [
            (sign_up, _choose_decision_form(sign_up, refused, taken, groups), sign_up.number in taken)
            for sign_up in list_pending_sign_ups(event)
        ],
        "answers": [write_answer(sign_up, public_url) for sign_up in list_untold_sign_ups(event)],
        "are_contacts_erased": are_contacts_erased(event),
        "refused": refused,
        "decided": list_decided_sign_ups(event),
        "approved": SignUp.Decision.APPROVED,
    }
    return render(request, "players/sign_ups.html", context, status=status)


def _choose_decision_form(
    sign_up: SignUp, refused: SignUpDecisionForm | None, taken: set[BikeNumber], groups: Sequence[Group]
) -> SignUpDecisionForm:
    """Return the form that was refused if it is about this sign-up, or else one with a free number."""
    if refused is not None and refused.sign_up == sign_up:
        return refused
    return SignUpDecisionForm(sign_up=sign_up, groups=groups, number=find_free_number(taken, sign_up.number))
