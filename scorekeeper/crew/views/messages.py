"""Messages from the organiser: the page on which they are sent, and the button with which a phone confirms one."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import get_next_url
from scorekeeper.common.sent_once import sent_once
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.forms import MessageForm
from scorekeeper.crew.models import CrewMessage
from scorekeeper.crew.selectors import list_sent_messages
from scorekeeper.crew.services.messages import record_messages_read, send_message, withdraw_message
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event


@sent_once
@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the messages with their readers, and send another."""
    form = MessageForm(request.POST or None, instance=CrewMessage(event=event))
    if form.is_valid():
        send_message(form.instance)
        messages.success(request, _("The message has been sent."))
        return redirect("crew:messages", event.slug)
    context = {"event": event, "form": form, "sent": list_sent_messages(event)}
    return render(request, "crew/messages.html", context, status=422 if form.is_bound else 200)


@organiser_required
def withdraw(request: OrganiserRequest, event: Event, message_id: UUID) -> HttpResponse:
    """Stop showing a message."""
    withdraw_message(get_object_or_404(event.crew_messages, pk=message_id))
    messages.success(request, _("The message has been withdrawn."))
    return redirect("crew:messages", event.slug)


@crew_required
def confirm_read(request: CrewRequest, message_id: UUID) -> HttpResponse:
    """Store that the member has read a message, and go back to the page that showed it."""
    message = get_object_or_404(request.device.member.group.event.crew_messages, pk=message_id)
    record_messages_read(request.device, [message.pk])
    return redirect(get_next_url(request, "scorecards:group"))
