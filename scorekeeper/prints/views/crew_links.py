"""The crew sheet as a PDF: made once, sent once, and stored nowhere."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.crew.selectors import list_members_with_phones
from scorekeeper.crew.services.invitations import create_invitations
from scorekeeper.crew.sheet_requests import choose_members, is_printed, read_sheet_id, remember_printed
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import EventArchived
from scorekeeper.prints.paper import read_paper
from scorekeeper.prints.pdf_compiler import PrintBusy, PrintFailed
from scorekeeper.prints.selectors.crew_link_pages import make_crew_links
from scorekeeper.prints.selectors.print_source import PrintSource

PDF = "application/pdf"


@organiser_required
def crew_links(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Create new links and send their cards. A form that is sent again creates nothing."""
    source = PrintSource(event, None, read_paper(request, event))
    chosen = choose_members(list(list_members_with_phones(event)), request.POST.get("who", ""))
    sheet_id = read_sheet_id(request)
    if chosen is None:
        messages.error(request, _("No links were created: that person is no longer in the crew. Choose again."))
        return redirect("crew:sheet", event.slug)
    if is_printed(request, sheet_id):
        messages.warning(request, _("This sheet was already created, and its links still work. Print new links below."))
        return redirect("crew:sheet", event.slug)
    try:
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
