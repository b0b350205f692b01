"""The organiser's pages about an event's own page, and the files that the public page offers."""

from __future__ import annotations

import hashlib
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.pictures import MAX_WIDE_BYTES, is_presentable
from scorekeeper.common.public_files import limit_public_reads, send_public_file
from scorekeeper.common.sent_once import sent_once
from scorekeeper.event_page import services
from scorekeeper.event_page.forms import (
    DistancesForm,
    EventPageForm,
    GpxChoiceForm,
    GpxForm,
    PosterForm,
    ProgrammeForm,
    SponsorForm,
    prepare_poster,
)
from scorekeeper.event_page.markdown_text import render_text
from scorekeeper.event_page.models import MAX_SPONSORS, PosterImage, RouteTrack
from scorekeeper.event_page.selectors import (
    get_invitation,
    get_logo_url,
    get_page,
    get_route,
    list_event_sponsors,
    make_route_file,
)
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event

TAB = "event_page"
PREVIEW = "preview"  # the name of the button
APPLY = "apply"  # of the button that takes over what was chosen of a GPX file
ONE_YEAR = 365 * 24 * 3600  # seconds
FOREVER = f"public, max-age={ONE_YEAR}, immutable"  # another poster has another address


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Change what the page says in words, or show how the text will look; lead to its other parts."""
    page = get_page(event)
    is_preview = PREVIEW in request.POST
    editing = Edit(request, partial(EventPageForm, event=event, page=page), is_draft=is_preview)
    text_html = None
    if is_preview:
        editing.form.is_valid()
        text_html = render_text(editing.form.cleaned_data.get("text", ""))
    elif editing.is_valid():
        services.save_page(page, editing.form.cleaned_data)
        editing.announce(request, _("The page has been saved."))
        return redirect("event_page:edit", event.slug)
    context = {
        "event": event,
        "form": editing.form,
        "edit": editing,
        "invitation": get_invitation(event, is_preview=True),
        "text_html": text_html,
        "is_preview": is_preview,
    }
    status = editing.status if not is_preview else 422 if editing.form.errors else 200
    return render(request, "event_page/edit.html", context, status=status)


@organiser_required
def poster(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Choose the poster, say what it shows, or remove it."""
    prepare_poster(request.FILES)  # before anything is locked: it takes a second
    return _save_poster(request, event)


@one_edit_at_a_time
def _save_poster(request: OrganiserRequest, event: Event) -> HttpResponse:
    page = get_page(event)
    editing = Edit(request, partial(PosterForm, event=event, page=page))
    if editing.is_valid():
        data = editing.form.cleaned_data
        if data["poster"] or data.get("remove_poster"):
            services.replace_poster(event, data["poster"] or [])
        if data["poster_alt"] != page.poster_alt:
            services.save_page(page, {"poster_alt": data["poster_alt"]})
        editing.announce(request, _("The poster has been saved."))
        return redirect("event_page:poster", event.slug)
    invitation = get_invitation(event, is_preview=True)
    context = {"event": event, "form": editing.form, "edit": editing, "poster": invitation.poster}
    return render(request, "event_page/poster.html", context, status=editing.status)


@sent_once
@organiser_required
@one_edit_at_a_time
def programme(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Change the programme, with empty rows for more."""
    editing = Edit(request, partial(ProgrammeForm, event=event))
    if editing.is_valid():
        services.save_programme(event, editing.form.get_changed(), editing.form.get_added())
        editing.announce(request, _("The programme has been saved."))
        return redirect("event_page:programme", event.slug)
    context = {"event": event, "form": editing.form, "edit": editing}
    return render(request, "event_page/programme.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def route(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Change the distances between the stops; choose a GPX file."""
    page = get_page(event)
    editing = Edit(request, partial(DistancesForm, event=event, page=page))
    if editing.is_valid():
        services.save_distances(event, editing.form.get_distances())
        editing.announce(request, _("The distances have been saved."))
        return redirect("event_page:route", event.slug)
    context = {
        "event": event,
        "form": editing.form,
        "edit": editing,
        "route": get_route(event, page),
        "has_track": RouteTrack.objects.filter(event=event).exists(),
    }
    return render(request, "event_page/route.html", context, status=editing.status)


@sent_once
@organiser_required
def import_gpx(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask for a GPX file, show what it has, and take over what is chosen of it."""
    if APPLY in request.POST:
        return _apply_gpx(request, event)
    upload = GpxForm(request.POST or None, request.FILES or None)
    context = {"event": event, "upload": upload}
    if not upload.is_valid():
        return render(request, "event_page/import_gpx.html", context, status=422 if upload.is_bound else 200)
    content = upload.cleaned_data["file"]
    form = GpxChoiceForm(event=event, page=get_page(event), content=content)
    context = {"event": event, "form": form, "has_more": content.has_more_waypoints}
    return render(request, "event_page/choose_places.html", context)


@one_edit_at_a_time
def _apply_gpx(request: OrganiserRequest, event: Event) -> HttpResponse:
    form = GpxChoiceForm(request.POST, event=event, page=get_page(event))
    if not form.is_valid():
        return render(request, "event_page/choose_places.html", {"event": event, "form": form}, status=422)
    data = form.cleaned_data
    services.apply_gpx(
        event,
        form.get_places(),
        form.track,
        sets_distances=data.get("sets_distances", False),
        keeps_track=data.get("keeps_track", False),
    )
    messages.success(request, _("What you chose has been taken over from the file."))
    return redirect("event_page:route", event.slug)


@organiser_required
@one_edit_at_a_time
def delete_track(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Delete the track of the route, after confirmation."""
    return Confirmation(
        event=event,
        tab=TAB,
        title=_("Delete the track"),
        question=_("Delete the track of the route?"),
        explanation=_("The stops and their distances stay. The GPX file then has the stops only."),
        button=_("Delete the track"),
        done=_("The track has been deleted."),
        back=reverse("event_page:route", args=[event.slug]),
    ).answer(request, partial(services.delete_track, event))


@sent_once
@organiser_required
@one_edit_at_a_time
def sponsors(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the sponsors of the page, and add one."""
    form = SponsorForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            sponsor = services.add_sponsor(event, data["name"], data["link"], data["logo"])
        except services.TooManySponsors:
            text = _("The list is full: it can have %(most)s sponsors. Delete one first.")
            form.add_error(None, text % {"most": MAX_SPONSORS})
        else:
            messages.success(request, _("%(sponsor)s has been added.") % {"sponsor": sponsor})
            return redirect("event_page:sponsors", event.slug)
    listed = [(sponsor, get_logo_url(event, sponsor)) for sponsor in list_event_sponsors(event)]
    context = {"event": event, "form": form, "sponsors": listed}
    return render(request, "event_page/sponsors.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit_sponsor(request: OrganiserRequest, event: Event, sponsor_id: UUID) -> HttpResponse:
    """Change a sponsor."""
    sponsor = event.page_sponsors.filter(pk=sponsor_id).first()
    back = reverse("event_page:sponsors", args=[event.slug])
    if sponsor is None:
        return show_deleted(request, SponsorForm(request.POST), {"event": event}, back)
    editing = Edit(request, partial(SponsorForm, sponsor=sponsor))
    if editing.is_valid():
        data = editing.form.cleaned_data
        removes_logo = data.get("remove_logo", False)
        services.change_sponsor(sponsor, data["name"], data["link"], data["logo"], removes_logo=removes_logo)
        editing.announce(request, _("%(sponsor)s has been changed.") % {"sponsor": sponsor})
        return redirect(back)
    context = {"event": event, "sponsor": sponsor, "form": editing.form, "edit": editing, "back": back}
    return render(request, "event_page/edit_sponsor.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def move_sponsor(request: OrganiserRequest, event: Event, sponsor_id: UUID) -> HttpResponse:
    """Move a sponsor up or down by one."""
    sponsor = get_object_or_404(event.page_sponsors, pk=sponsor_id)
    services.move_sponsor(sponsor, upwards=is_move_up(request))
    return redirect("event_page:sponsors", event.slug)


@organiser_required
@one_edit_at_a_time
def delete_sponsor(request: OrganiserRequest, event: Event, sponsor_id: UUID) -> HttpResponse:
    """Delete a sponsor, after confirmation."""
    sponsor = get_object_or_404(event.page_sponsors, pk=sponsor_id)
    return Confirmation(
        event=event,
        tab=TAB,
        title=_("Delete a sponsor"),
        question=_("Delete %(sponsor)s?") % {"sponsor": sponsor},
        explanation=_("The page no longer shows this sponsor. Prizes keep theirs."),
        button=_("Delete this sponsor"),
        done=_("%(sponsor)s has been deleted.") % {"sponsor": sponsor},
        back=reverse("event_page:sponsors", args=[event.slug]),
    ).answer(request, sponsor.delete)


@organiser_required
def show_desk_poster(request: OrganiserRequest, event: Event, image_id: UUID) -> HttpResponse:
    """Send the poster to organisers, also of a draft."""
    image = get_object_or_404(PosterImage, event=event, pk=image_id)
    return HttpResponse(_read_poster(image), image.media_type)


def show_poster(request: HttpRequest, slug: str, image_id: UUID) -> HttpResponseBase:
    """Send the poster of an open event in one of its widths. Reads are not limited, as for logos."""
    event = _get_open_event(slug)
    image = get_object_or_404(PosterImage.objects.defer("content"), event=event, pk=image_id)
    return send_public_file(
        request, image.pk, lambda: ("", [_read_poster(image)]), image.media_type, FOREVER, has_language=False
    )


def _read_poster(image: PosterImage) -> bytes:
    """Return the bytes of a picture.

    Raises:
        Http404: it is no longer accepted, or never was a picture.
    """
    content = bytes(image.content)
    if not is_presentable(content, image.media_type, MAX_WIDE_BYTES):
        raise Http404
    return content


@limit_public_reads
def download_route(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the route of an open event as a GPX file."""
    event = _get_open_event(slug)
    content = make_route_file(event)
    if content is None:
        raise Http404
    name, version = f"{event.slug}-route.gpx", hashlib.sha256(content).hexdigest()
    return send_public_file(request, version, lambda: (name, [content]), "application/gpx+xml", has_language=False)


def _get_open_event(slug: str) -> Event:
    event = get_open_event(slug)
    if event is None:
        raise Http404
    return event
