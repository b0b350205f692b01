"""Views to compare with: one locks a row, inserts another and updates the first; one inserts all rows it is sent."""

from __future__ import annotations

import json
import os

import dj_database_url
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={"default": dj_database_url.parse(os.environ["DATABASE_URL"], conn_max_age=600)},
    ROOT_URLCONF=__name__,
    USE_TZ=True,
)

import django  # noqa: E402 - after the settings

django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from django.http import HttpRequest, JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402
from django.utils import timezone  # noqa: E402


class Card(models.Model):
    length = models.IntegerField(default=0)

    class Meta:
        app_label = "bare"


class Entry(models.Model):
    card = models.ForeignKey(Card, on_delete=models.PROTECT)
    body = models.TextField()
    at = models.DateTimeField()

    class Meta:
        app_label = "bare"


def make_tables(cards: int) -> None:
    """Create the two tables, and this many cards, numbered from 1."""
    with connection.schema_editor() as editor:
        editor.create_model(Card)
        editor.create_model(Entry)
    Card.objects.bulk_create([Card(id=number) for number in range(1, cards + 1)])


def record(request: HttpRequest, card_id: int) -> JsonResponse:
    with transaction.atomic():
        card = Card.objects.select_for_update().get(pk=card_id)
        entry = Entry.objects.create(card=card, body=request.body.decode(), at=timezone.now())
        card.length += 1
        card.save(update_fields=["length"])
    return respond({"entry": entry.pk, "length": card.length})


def record_many(request: HttpRequest) -> JsonResponse:
    now = timezone.now()
    rows = [Entry(card_id=row["card"], body=row["body"], at=now) for row in json.loads(request.body)]
    Entry.objects.bulk_create(rows)
    return respond({"entries": [row.pk for row in rows]})


def respond(data: dict[str, object]) -> JsonResponse:
    response = JsonResponse(data)
    response.headers["Content-Length"] = str(len(response.content))  # else the response is sent in chunks
    return response


urlpatterns = [path("record/<int:card_id>", record), path("record/many", record_many)]
application = get_wsgi_application()
