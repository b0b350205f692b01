"""The feed of published results (Atom, RFC 4287).

Invariants:
- An entry stands for one revision of one contest. Its id follows from both and stays the same at another address.
- It has no names of people and no figures: feed readers keep what they have read, and a name that is erased here must
  not stay there. Its link leads to them.
- The same entries make the same bytes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import uuid5

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _

from scorekeeper.audience.visible_standings import Publication
from scorekeeper.common.languages import speaking
from scorekeeper.events.event_language import get_event_language

CONTENT_TYPE = "application/atom+xml; charset=utf-8"
BEFORE_ANY = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)  # when a feed without entries changed last


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry, in the language of its event.

    Attributes:
        id: a URN.
        path: the address of the revision's page on this site.
    """

    id: str
    title: str
    summary: str
    path: str
    language: str
    published_at: dt.datetime


class _ResultsFeed(Atom1Feed):
    """Django's, with the language of each entry, and without the time of the request."""

    def latest_post_date(self) -> dt.datetime:
        dates = [item["updateddate"] for item in self.items]
        return max(dates, default=BEFORE_ANY)

    def item_attributes(self, item: dict[str, Any]) -> dict[str, str]:
        return {"xml:lang": item["language"]}


def describe_publication(publication: Publication) -> FeedEntry:
    """Return the entry of a published result."""
    contest, event, number = publication.contest, publication.contest.event, publication.number
    language = get_event_language(event)
    params = {"event": event.name, "contest": contest.name, "number": number}
    with speaking(language):
        if number == 1:
            title = _("%(event)s, %(contest)s: official result") % params
            summary = _("The result of %(contest)s at %(event)s is official.") % params
        else:
            title = _("%(event)s, %(contest)s: corrected result, revision %(number)s") % params
            summary = (
                _("Revision %(number)s of the result of %(contest)s at %(event)s replaces the one before.") % params
            )
        if event.is_practice:
            title = _("Practice: %(event)s") % {"event": title}
    path = reverse("results:revision", args=[event.slug, contest.slug, number])
    entry_id = uuid5(contest.pk, f"revision {number}").urn
    return FeedEntry(entry_id, title, summary, path, language, publication.published_at)


def get_last_change(entries: Iterable[FeedEntry]) -> dt.datetime:
    """Return when the newest of the entries was published."""
    return max((entry.published_at for entry in entries), default=BEFORE_ANY)


def write_feed(title: str, path: str, feed_path: str, entries: Iterable[FeedEntry]) -> bytes:
    """Return the feed.

    Args:
        path: of the page that shows the same, on this site.
        feed_path: of the feed itself.
    """
    base = settings.BASE_URL
    feed = _ResultsFeed(
        title=title,
        link=base + path,
        description="",
        language=settings.LANGUAGE_CODE,
        author_name="Tailgunner",
        feed_url=base + feed_path,
        feed_guid=base + feed_path,
    )
    for entry in entries:
        feed.add_item(
            title=entry.title,
            link=base + entry.path,
            description=escape(entry.summary),  # a summary is HTML
            unique_id=entry.id,
            pubdate=entry.published_at,
            updateddate=entry.published_at,
            language=entry.language,
        )
    text: str = feed.writeString("utf-8")
    return text.encode()
