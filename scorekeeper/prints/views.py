"""Pages that offer and send files to print, that show how far one is, and that set up certificates."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.common.downloads import stream_file
from scorekeeper.common.languages import find_language, list_languages, mark_as_of_no_language, speaking
from scorekeeper.common.public_files import REVALIDATE, limit_public_reads
from scorekeeper.common.rate_limits import RateLimit, RateLimited, count_use
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.selectors import list_members_with_phones
from scorekeeper.crew.services.invitations import create_invitations
from scorekeeper.crew.sheet_requests import choose_members, is_printed, read_sheet_id, remember_printed
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.event_language import get_event_language
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_contest, get_open_event, list_contests
from scorekeeper.events.services.events import EventArchived
from scorekeeper.prints.bundle_builder import ENDING, read_content
from scorekeeper.prints.forms import CertificateForm
from scorekeeper.prints.handout_pages import make_crew_links
from scorekeeper.prints.models import PrintFile, PrintJob
from scorekeeper.prints.paper import Paper, get_usual_paper, read_paper
from scorekeeper.prints.pdf_compiler import PrintBusy, PrintFailed
from scorekeeper.prints.print_kinds import (
    BUNDLE_KINDS,
    PrintKind,
    find_job_kind,
    find_kind,
    list_contest_kinds,
    list_event_kinds,
)
from scorekeeper.prints.print_source import NothingToPrint, PrintSource
from scorekeeper.prints.result_pages import get_certificate_settings, get_usual_heading, get_usual_wording
from scorekeeper.prints.services import (
    PrintTooLarge,
    change_certificates,
    find_file,
    find_running_job,
    get_job_file_url,
    get_job_url,
    make_file,
    revive_job,
    start_job,
)

MAX_AT_ONCE = 40  # pages that are made while the browser waits: less than a second
MAX_SIZE = 4000  # pages
LIMIT_WINDOW = 60  # seconds, of PRINTS_PER_ADDRESS
PDF, JSON_LINES = "application/pdf", "application/jsonl; charset=utf-8"
ERROR, UNPROCESSABLE, TOO_MANY, UNAVAILABLE = 500, 422, 429, 503
_JOBS = PrintJob.objects.select_related("event", "contest")
PDF = "application/pdf"


_BUNDLE_KEYS = {kind.key for kind in BUNDLE_KINDS.values()}


@limit_public_reads
def public_file(request: HttpRequest, slug: str, contest_slug: str, kind: str) -> HttpResponseBase:
    """Send a document of a contest that everyone may have."""
    contest = get_open_contest(slug, contest_slug)
    found = find_kind(kind)
    if contest is None or found is None or not found.is_public or not found.fits(contest):
        raise Http404
    return _send_print(request, found, _read_source(request, contest.event, contest, is_public=True))


@organiser_required
def contest_file(request: OrganiserRequest, event: Event, contest_slug: str, kind: str) -> HttpResponse:
    """Send a document of a contest with full names."""
    contest = get_object_or_404(event.contests.select_related("event"), slug=contest_slug)
    found = find_kind(kind)
    if found is None or not found.is_of_contest or not found.fits(contest):
        raise Http404
    return _send_print(request, found, _read_source(request, event, contest))


@organiser_required
def event_file(request: OrganiserRequest, event: Event, kind: str) -> HttpResponse:
    """Send a document of the whole event."""
    found = find_kind(kind)
    if found is None or found.is_of_contest:
        raise Http404
    return _send_print(request, found, _read_source(request, event, None))


def public_job(request: HttpRequest, slug: str, job_id: UUID) -> HttpResponse:
    """Show how far a document is that everyone may have."""
    return _show_job(request, _get_public_job(slug, job_id))


@limit_public_reads
def public_job_file(request: HttpRequest, slug: str, job_id: UUID) -> HttpResponseBase:
    """Send the file that was made for everyone."""
    return _send_job_file(request, _get_public_job(slug, job_id))


@organiser_required
def job(request: OrganiserRequest, event: Event, job_id: UUID) -> HttpResponse:
    """Show how far a document is."""
    return _show_job(request, get_object_or_404(_JOBS, event=event, pk=job_id, is_public=False))


@organiser_required
def job_file(request: OrganiserRequest, event: Event, job_id: UUID) -> HttpResponse:
    """Send the file that was made."""
    return _send_job_file(request, get_object_or_404(_JOBS, event=event, pk=job_id, is_public=False))


def _get_public_job(slug: str, job_id: UUID) -> PrintJob:
    event = get_open_event(slug)
    if event is None:
        raise Http404
    return get_object_or_404(_JOBS, event=event, pk=job_id, is_public=True)


def _read_source(
    request: HttpRequest, event: Event, contest: Contest | None, *, is_public: bool = False
) -> PrintSource:
    """Return what the address of a document asks for."""
    entrant = None if contest is None else _read_entrant(request)
    return PrintSource(event, contest, read_paper(request, event), entrant, is_public, _read_language(request, event))


def _read_language(request: HttpRequest, event: Event) -> str:
    """Return the language in the address, `?language=de`; without that, the event's."""
    value = request.GET.get("language")
    if value is None:
        return get_event_language(event)
    language = find_language(value)
    if language is None:
        raise Http404
    return language


def _read_entrant(request: HttpRequest) -> UUID | None:
    """Return the bike or player in the address, `?of=`; None for all."""
    text = request.GET.get("of")
    if not text:
        return None
    entrant = parse_uuid(text)
    if entrant is None:
        raise Http404
    return entrant


def _send_print(request: HttpRequest, kind: PrintKind, source: PrintSource) -> HttpResponse:
    size = kind.measure(source)
    if size > MAX_SIZE:
        text = _("It would have about %(size)s pages, and %(most)s is the most. Print it for one bike at a time.")
        return _explain_refusal(request, source, text % {"size": size, "most": MAX_SIZE}, UNPROCESSABLE)
    try:
        if size > MAX_AT_ONCE:
            if find_running_job(kind, source) is None:
                _count_print(request, source)
            return redirect(get_job_url(start_job(kind, source)))
        return _make_and_send(request, kind, source)
    except RateLimited as limited:
        text = _("Too many documents were made from this address. Wait a minute, then load this page again.")
        response = _explain_refusal(request, source, text, TOO_MANY)
        response.headers["Retry-After"] = str(limited.wait)
        return response
    except NothingToPrint:
        raise Http404 from None
    except PrintTooLarge:
        return _explain_refusal(request, source, PrintJob.Problem.TOO_LARGE.label, UNPROCESSABLE)
    except PrintBusy:
        text = _("Others are printing at this moment. Wait a few seconds, then load this page again.")
        response = _explain_refusal(request, source, text, UNAVAILABLE)
        response.headers["Retry-After"] = "10"
        return response
    except PrintFailed:
        return _explain_refusal(request, source, PrintJob.Problem.FAILED.label, ERROR)


def _make_and_send(request: HttpRequest, kind: PrintKind, source: PrintSource) -> HttpResponse:
    """Send a document, which is only made if it is not kept, and the client does not have it.

    Raises:
        RateLimited: as in `_count_print`.
        NothingToPrint, PrintBusy, PrintFailed, PrintTooLarge: as in `make_file`.
    """
    document = kind.make(source)
    unchanged = get_conditional_response(request, etag=f'"{document.digest}"')
    if unchanged is not None:
        return _add_caching(unchanged, document.digest, is_public=source.is_public)
    if find_file(document) is None:
        _count_print(request, source)
    return _send_file(request, make_file(document), is_public=source.is_public)


def _count_print(request: HttpRequest, source: PrintSource) -> None:
    """Count a document that has to be made for someone who is no organiser.

    Raises:
        RateLimited: too many were made for the network address.
    """
    if source.is_public:
        limit = RateLimit("prints", settings.PRINTS_PER_ADDRESS, LIMIT_WINDOW)
        count_use(limit, get_client_address(request))


def _send_file(request: HttpRequest, file: PrintFile, *, is_public: bool) -> HttpResponse:
    """Return a document that browsers show, and save under its name, or a bundle that they save."""
    response = get_conditional_response(request, etag=f'"{file.digest}"') or _make_response(request, file)
    return _add_caching(response, file.digest, is_public=is_public)


def _add_caching(response: HttpResponse, digest: str, *, is_public: bool) -> HttpResponse:
    response.headers["ETag"] = f'"{digest}"'
    mark_as_of_no_language(response)  # its language is in its address, or the event's
    if is_public:  # that of organisers is stored by no cache, as all their pages
        response.headers["Cache-Control"] = REVALIDATE
    return response


def _make_response(request: HttpRequest, file: PrintFile) -> HttpResponse:
    if file.name.endswith(ENDING):
        return cast(HttpResponse, stream_file(request, read_content(bytes(file.content)), JSON_LINES, file.name))
    response = HttpResponse(bytes(file.content), PDF)
    response.headers["Content-Disposition"] = f'inline; filename="{file.name}"'
    return response


def _show_job(request: HttpRequest, job: PrintJob) -> HttpResponse:
    revive_job(job)
    kind = find_job_kind(job.kind)
    file_url = get_job_file_url(job) if job.file_id else ""
    context = {
        "event": job.event,
        "contest": job.contest,
        "job": job,
        "label": "" if kind is None else kind.label,
        "is_bundle": job.kind in _BUNDLE_KEYS,
        "job_url": get_job_url(job),
        "file_url": file_url,
        "back": _get_job_back_url(job),
        "base": "base.html" if job.is_public else "events/desk_base.html",
    }
    if not request.headers.get("HX-Request"):
        response = render(request, "prints/job.html", context)
    else:
        response = render(request, "prints/_job.html", context)
        if file_url:
            response.headers["HX-Redirect"] = file_url
    response.headers["Cache-Control"] = "no-store"
    return response


def _send_job_file(request: HttpRequest, job: PrintJob) -> HttpResponse:
    """Send the file, or go back to the page of a job that has none yet, or no longer."""
    if job.file_id is None:
        return redirect(get_job_url(job))
    return _send_file(request, get_object_or_404(PrintFile, pk=job.file_id), is_public=job.is_public)


def _get_job_back_url(job: PrintJob) -> str:
    if job.kind not in _BUNDLE_KEYS:
        return _get_back_url(job.event, job.is_public, job.contest)
    return reverse("results:event" if job.is_public else "bundles:page", args=[job.event.slug])


def _get_back_url(event: Event, is_public: bool, contest: Any) -> str:
    if not is_public:
        return reverse("prints:list", args=[event.slug])
    return reverse("results:leaderboard", args=[event.slug, contest.slug])


def _explain_refusal(request: HttpRequest, source: PrintSource, text: str | Promise, status: int) -> HttpResponse:
    context = {
        "event": source.event,
        "text": text,
        "back": _get_back_url(source.event, source.is_public, source.contest),
        "base": "base.html" if source.is_public else "events/desk_base.html",
    }
    return render(request, "prints/problem.html", context, status=status)


class PrintLink(NamedTuple):
    """A link to a document."""

    label: str | Promise
    about: str | Promise
    url: str


class PrintSection(NamedTuple):
    """Links below one heading."""

    heading: str
    links: list[PrintLink]


@organiser_required
def list_prints(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List all documents, on the paper and in the language that are usual for the event or were chosen."""
    paper, language = read_paper(request, event), _read_language(request, event)
    query = urlencode({"paper": paper.value, "language": language})
    of_event = [_make_link(event, None, kind, query) for kind in list_event_kinds()]
    sections = [
        PrintSection(contest.name, [_make_link(event, contest, kind, query) for kind in list_contest_kinds(contest)])
        for contest in list_contests(event)
    ]
    sections.insert(0, PrintSection(_("For the event"), of_event))
    context = {
        "event": event,
        "paper": paper,
        "papers": Paper,
        "language": language,
        "languages": list_languages(),
        "sections": sections,
    }
    return render(request, "prints/list.html", context)


def _make_link(event: Event, contest: Contest | None, kind: PrintKind, query: str) -> PrintLink:
    if contest is None:
        url = reverse("prints:event_file", args=[event.slug, kind.key])
    else:
        url = reverse("prints:contest_file", args=[event.slug, contest.slug, kind.key])
    return PrintLink(kind.label, kind.about, f"{url}?{query}")


@organiser_required
@one_edit_at_a_time
def certificate(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Change design, heading, wording, signature and logo."""
    source = PrintSource(event, None, get_usual_paper(event))
    settings = get_certificate_settings(source)
    with speaking(source.language):
        heading, wording = get_usual_heading(), get_usual_wording()
    editing = Edit(request, partial(CertificateForm, settings=settings, heading=heading, wording=wording))
    if editing.is_valid():
        cleaned = editing.form.cleaned_data
        change_certificates(
            event,
            "" if cleaned["heading"] == heading else cleaned["heading"],
            "" if cleaned["wording"] == wording else cleaned["wording"],
            cleaned["signed_by"],
            cleaned["logo"],
            design=cleaned["design"],
            removes_logo=bool(cleaned.get("remove_logo")),
        )
        editing.announce(request, _("The certificates have been changed."))
        return redirect("prints:list", event.slug)
    context = {"event": event, "form": editing.form, "edit": editing}
    return render(request, "prints/certificate.html", context, status=editing.status)


@organiser_required
def crew_links(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Create new links and send their cards. A form that is sent again creates nothing."""
    source = _read_source(request, event, None)
    chosen = choose_members(list(list_members_with_phones(event)), request.POST.get("who", ""))
    sheet_id = read_sheet_id(request)
    if chosen is None:
        messages.error(request, _("No links were created: that person is no longer in the crew. Choose again."))
        return redirect("crew:sheet", event.slug)
    if is_printed(request, sheet_id):
        messages.warning(request, _("This sheet was already created, and its links still work. Print new links below."))
        return redirect("crew:sheet", event.slug)
    try:
        with speaking(source.language):
            document = make_crew_links(source, create_invitations(chosen))
        content = document.make_pdf(timezone.now())
    except EventArchived:
        text = _("%(event)s is in the archive, so there are no new links. Take it out of the archive first.")
        messages.error(request, text % {"event": event})
        return redirect("crew:groups", event.slug)
    except (PrintFailed, PrintBusy):
        messages.error(request, _("The PDF file could not be made. Print the links from the page instead."))
        return redirect("crew:sheet", event.slug)
    remember_printed(request, sheet_id)
    # Saved, and not shown: a browser that shows it would ask for it again to save it, and get nothing.
    headers = {"Content-Disposition": f'attachment; filename="{document.file_name}"'}
    return HttpResponse(content, PDF, headers=headers)
