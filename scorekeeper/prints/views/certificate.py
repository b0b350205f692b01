"""The organiser's page of how certificates look."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.prints.certificate_wording import get_usual_heading, get_usual_wording
from scorekeeper.prints.forms.certificate import CertificateForm
from scorekeeper.prints.paper import get_usual_paper
from scorekeeper.prints.selectors.certificate_pages import get_certificate_settings
from scorekeeper.prints.selectors.print_source import PrintSource
from scorekeeper.prints.services.certificate_settings import change_certificates


@organiser_required
@one_edit_at_a_time
def certificate(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Change heading, wording, signature and logo."""
    settings = get_certificate_settings(PrintSource(event, None, get_usual_paper(event)))
    editing = Edit(request, partial(CertificateForm, settings=settings))
    if editing.is_valid():
        cleaned = editing.form.cleaned_data
        change_certificates(
            event,
            "" if cleaned["heading"] == get_usual_heading() else cleaned["heading"],
            "" if cleaned["wording"] == get_usual_wording() else cleaned["wording"],
            cleaned["signed_by"],
            cleaned["logo"],
            removes_logo=bool(cleaned.get("remove_logo")),
        )
        messages.success(request, _("The certificates have been changed."))
        editing.announce(request)
        return redirect("prints:list", event.slug)
    context = {"event": event, "form": editing.form, "edit": editing}
    return render(request, "prints/certificate.html", context, status=editing.status)
