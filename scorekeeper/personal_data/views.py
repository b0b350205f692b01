"""The organisers' pages about what is stored about one person: finding the person, showing it, the file.

The name is sent in a form and never in an address, so that no log of the server has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.personal_data.forms import PersonSearchForm
from scorekeeper.personal_data.person_record import DataSubject, PersonRecord, RecordKey
from scorekeeper.personal_data.selectors import get_subject, has_ambiguous_kinds, list_candidates, make_person_export

UNPROCESSABLE = 422
RECORD, AMONG = "record", "among"  # the records that are the person, and those among which to choose


@organiser_required
def person(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Search for a person; show everything that is stored about one, or ask which records are theirs."""
    if request.method == "POST":
        return _search(request, event)
    chosen, among = _read_keys(request, RECORD), _read_keys(request, AMONG)
    if not chosen and not among:
        return render(request, "personal_data/search.html", {"event": event, "form": PersonSearchForm(event=event)})
    candidates = list_candidates(event, [*chosen, *among])
    if not candidates:
        raise Http404
    subject = _get_subject(event, chosen) if chosen else None
    context = {
        "event": event,
        "candidates": [(record, record.key in chosen) for record in candidates],
        "subject": subject,
        "export": subject and make_person_export(subject),
        "file_url": f"{reverse('personal_data:file', args=[event.slug])}?{_write_keys(RECORD, chosen)}",
    }
    return render(request, "personal_data/person.html", context)


@organiser_required
def person_file(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Send everything that is stored about a person; without one, go to the search."""
    keys = _read_keys(request, RECORD)
    if not keys:
        return redirect("personal_data:person", event.slug)
    export = make_person_export(_get_subject(event, keys))
    response = HttpResponse(export.to_json(), "application/json; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{export.file_name}"'
    return response


def _search(request: OrganiserRequest, event: Event) -> HttpResponse:
    form = PersonSearchForm(request.POST, event=event)
    if not form.is_valid():
        return render(request, "personal_data/search.html", {"event": event, "form": form}, status=UNPROCESSABLE)
    records: Sequence[PersonRecord] = form.records
    name = AMONG if has_ambiguous_kinds(records) else RECORD
    address = reverse("personal_data:person", args=[event.slug])
    return redirect(f"{address}?{_write_keys(name, [record.key for record in records])}")


def _read_keys(request: OrganiserRequest, name: str) -> list[RecordKey]:
    """Return the records that the address names.

    Raises:
        Http404: one of them is no key of a record.
    """
    keys = [RecordKey.parse(text) for text in request.GET.getlist(name)]
    if None in keys:
        raise Http404
    return [key for key in keys if key is not None]


def _write_keys(name: str, keys: Sequence[RecordKey]) -> str:
    return urlencode([(name, str(key)) for key in keys])


def _get_subject(event: Event, keys: Sequence[RecordKey]) -> DataSubject:
    subject = get_subject(event, keys)
    if subject is None:
        raise Http404
    return subject
