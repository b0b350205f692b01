"""Texts in which a person's name occurs, as `scorecards.name_search` finds them, and what was said of their scorecards.

Names of other people are taken out of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from scorekeeper.agreements.models import Objection
from scorekeeper.personal_data.person_section import PersonSection
from scorekeeper.personal_data.selectors.rider_sections import Holdings
from scorekeeper.scorecards.selectors.name_search import NameMatches, find_name


def list_text_sections(own: Holdings) -> Iterator[PersonSection]:
    """Return the sections. If there are others with the same name, no text is found by the name."""
    subject = own.subject
    found = [] if subject.namesakes else [find_name(subject.event, name) for name in subject.names]
    yield _list_objections(own, found)
    yield _list_mentions(own, found)


def _list_objections(own: Holdings, found: list[NameMatches]) -> PersonSection:
    headings = {
        "contest": _("Contest"),
        "bike": _("Bike"),
        "text": _("What is wrong"),
        "created_at": _("Sent"),
        "settled_at": _("Settled"),
        "answer": _("What was found"),
    }
    mentioning = [objection.pk for matches in found for objection in matches.objections]
    objections = Objection.objects.filter(Q(bike__in=own.bikes) | Q(pk__in=mentioning))
    names, bikes = own.other_names, {bike.pk for bike in own.bikes}
    rows = [
        {
            "contest": row.contest.name,
            # It may be about someone else's bike, and only mention the person.
            "bike": row.bike.label if row.bike_id in bikes else None,
            "text": names.remove_from(row.text),
            "created_at": row.created_at,
            "settled_at": row.settled_at,
            "answer": names.remove_from(row.answer),
        }
        for row in objections.select_related("contest", "bike").order_by("created_at", "pk")
    ]
    about = _("What somebody said is wrong on the scorecard, and the answer.")
    return PersonSection("objections", _("“Something is wrong”"), about, headings, rows)


def _list_mentions(own: Holdings, found: list[NameMatches]) -> PersonSection:
    headings = {"where": _("Where"), "at": _("Time"), "text": _("Text")}
    rows: dict[tuple[str, object], dict[str, Any]] = {}
    for matches in found:
        for reason in matches.reasons:
            rows["reason", reason.pk] = {"at": reason.operation.received_at, "text": reason.text}
        for witness in matches.witnesses:
            rows["witness", witness.pk] = {"at": witness.operation.received_at, "text": witness.name}
        for message in matches.messages:
            rows["message", message.pk] = {"at": message.sent_at, "text": message.text}
        for dismissal in matches.dismissals:
            rows["dismissed_warning", dismissal.pk] = {"at": dismissal.dismissed_at, "text": dismissal.reason}
    listed = [
        {"where": where, "at": row["at"], "text": own.other_names.remove_from(row["text"])}
        for (where, _pk), row in rows.items()
    ]
    about = _("Reasons, witnesses of cuts, messages to the crews and reasons for dismissed warnings with the name.")
    if own.subject.namesakes:
        about = _(
            "Left out: others at this event have the same name, and a text with the name may be about them. Search the "
            "log for the name, and pass on what is about this person."
        )
    return PersonSection("mentions", _("Texts with the name"), about, headings, listed)
