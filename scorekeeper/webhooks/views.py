"""The organiser's pages for webhooks: adding one, its messages, pausing it, its secret, tests, and deleting it.

A secret is shown once, on the page that follows its making. That page is never stored by a browser.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from scorekeeper.common.sent_once import sent_once
from scorekeeper.common.sent_once_for_secret import sent_once_for_secret
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.models import Event
from scorekeeper.webhooks import services
from scorekeeper.webhooks.forms import WebhookForm
from scorekeeper.webhooks.models import Webhook
from scorekeeper.webhooks.selectors import find_delivery, find_webhook, list_webhooks, paginate_deliveries

REFUSED = 422


@sent_once_for_secret
@never_cache
@organiser_required
@sensitive_variables("secret")
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the webhooks of the event. The form adds one, whose secret is shown once."""
    form = WebhookForm(request.POST or None)
    if form.is_valid():
        try:
            webhook, secret = services.add_webhook(event, form.cleaned_data["url"], form.cleaned_data["kinds"])
        except services.TooManyWebhooks:
            text = _("An event can have %(most)s webhooks. Delete one before you add another.")
            form.add_error(None, text % {"most": services.MAX_WEBHOOKS})
        else:
            return _show_secret(request, event, webhook, secret)
    context = {"event": event, "form": form, "webhooks": list_webhooks(event)}
    return render(request, "webhooks/list.html", context, status=REFUSED if form.is_bound else 200)


@organiser_required
def show(request: OrganiserRequest, event: Event, webhook_id: UUID) -> HttpResponse:
    """Show a webhook and its messages, the newest first."""
    webhook = _get_webhook(event, webhook_id)
    page = paginate_deliveries(webhook, request.GET.get("page", 1))
    return render(request, "webhooks/webhook.html", {"event": event, "webhook": webhook, "page": page})


@sent_once
@organiser_required
def steer(request: OrganiserRequest, event: Event, webhook_id: UUID) -> HttpResponse:
    """Pause or resume the webhook, or send a test."""
    webhook = _get_webhook(event, webhook_id)
    match request.POST.get("to"):
        case "pause":
            services.pause_webhook(webhook)
            messages.success(request, _("The webhook is paused. It gets nothing until you resume it."))
        case "resume":
            services.resume_webhook(webhook)
            messages.success(request, _("The webhook gets messages again."))
        case "test":
            _send_test(request, webhook)
    return redirect("webhooks:webhook", event.slug, webhook.pk)


def _send_test(request: OrganiserRequest, webhook: Webhook) -> None:
    try:
        services.send_test(webhook)
    except services.PingPending:
        messages.warning(request, _("The last test is still on its way. Wait for its result."))
    else:
        messages.success(request, _("A test is on its way. Its result appears in the list of messages."))


@sent_once
@organiser_required
def send_again(request: OrganiserRequest, event: Event, webhook_id: UUID, delivery_id: UUID) -> HttpResponse:
    """Deliver a message once more."""
    webhook = _get_webhook(event, webhook_id)
    delivery = find_delivery(webhook, delivery_id)
    if delivery is None:
        raise Http404
    try:
        services.send_again(delivery)
    except services.NewerPending:
        messages.warning(request, _("A newer message about the same standings is on its way, so this one is not sent."))
    else:
        messages.success(request, _("The message is on its way again."))
    return redirect("webhooks:webhook", event.slug, webhook.pk)


@sent_once_for_secret
@never_cache
@organiser_required
@sensitive_variables("secret")
def rotate(request: OrganiserRequest, event: Event, webhook_id: UUID) -> HttpResponse:
    """Replace the secret, after confirmation, and show the new one once."""
    webhook = _get_webhook(event, webhook_id)
    if request.method == "POST":
        secret = services.rotate_secret(webhook)
        return _show_secret(request, event, webhook, secret, is_new_webhook=False)
    return render(request, "webhooks/rotate.html", {"event": event, "webhook": webhook})


@organiser_required
def delete(request: OrganiserRequest, event: Event, webhook_id: UUID) -> HttpResponse:
    """Delete a webhook, after confirmation."""
    webhook = _get_webhook(event, webhook_id)
    return Confirmation(
        event=event,
        tab="settings",
        title=_("Delete the webhook"),
        question=_("Delete this webhook?"),
        explanation=_("Its address gets no more messages. The list of its messages and its secret are deleted too."),
        detail=webhook.url,
        done=_("The webhook has been deleted. Its address gets no more messages."),
        back=reverse("webhooks:webhook", args=[event.slug, webhook.pk]),
        next_url=reverse("webhooks:list", args=[event.slug]),
    ).answer(request, partial(services.delete_webhook, webhook))


@sensitive_variables("secret")
def _show_secret(
    request: OrganiserRequest, event: Event, webhook: Webhook, secret: str, *, is_new_webhook: bool = True
) -> HttpResponse:
    context = {"event": event, "webhook": webhook, "secret": secret, "is_new_webhook": is_new_webhook}
    return render(request, "webhooks/secret.html", context)


def _get_webhook(event: Event, webhook_id: UUID) -> Webhook:
    webhook = find_webhook(event, webhook_id)
    if webhook is None:
        raise Http404
    return webhook
