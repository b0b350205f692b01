"""What is stored about somebody who runs a ride, and the texts in which a person's name occurs.

Crew have phones, organisers accounts. What they recorded is about others, so it is only counted. Texts are found as
`scorecards.name_search` finds them, and names of other people are taken out of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max, Min, Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.agreements.models import Objection
from scorekeeper.common.languages import list_languages
from scorekeeper.crew.models import CrewMember, Device, Invitation, MemoryLoss, MessageReceipt
from scorekeeper.desk.models import DismissedWarning, PracticeRun
from scorekeeper.event_page.models import EventPage
from scorekeeper.events.models import (
    AccessToken,
    AccountLanguage,
    AccountLink,
    AccountSession,
    FormerOrganiser,
    Organiser,
    OrganiserInvitation,
    Passkey,
)
from scorekeeper.events.selectors import list_received_invitations
from scorekeeper.ledger.models import Operation
from scorekeeper.personal_data.person_record import DataSubject, PersonSection, RecordKind
from scorekeeper.personal_data.rider_sections import Holdings
from scorekeeper.scorecards.selectors.name_search import NameMatches, find_name
from scorekeeper.seasons.models import Season
from scorekeeper.standings.models import Revision

ORGANISERS = (RecordKind.ORGANISER, RecordKind.FORMER_ORGANISER)


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
            "bike": row.bike_label if row.bike_id in bikes else None,
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
    headings = {"where": _("Where"), "at": pgettext("of an entry", "Time"), "text": _("Text")}
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


def list_crew_sections(subject: DataSubject) -> Iterator[PersonSection]:
    """Return the sections; they are empty for someone who only rides."""
    yield _list_members(subject)
    yield _list_phones(subject)
    yield _list_memory_losses(subject)
    yield _list_invitations(subject)
    yield _list_receipts(subject)
    yield _list_contacts(subject)
    yield _list_accounts(subject)
    yield _list_tokens(subject)
    yield _list_passkeys(subject)
    yield _list_sessions(subject)
    yield _count_recorded(subject)


def _list_members(subject: DataSubject) -> PersonSection:
    headings = {
        "name": _("Name"),
        "role": _("Role"),
        "group": _("Group"),
        "any_bike_at": _("Records for every group at"),
        "id": _("Id in the log"),
    }
    members = CrewMember.objects.filter(pk__in=subject.list_ids(RecordKind.CREW)).select_related("group")
    rows = [
        {
            "name": member.name,
            "role": str(member.get_role_display()),
            "group": member.group.name,
            "any_bike_at": [stop.name for stop in member.any_bike_at.all()],
            "id": str(member.pk),
        }
        for member in members.order_by("pk")
    ]
    return PersonSection("crew", _("Crew"), _("The entry in a group’s crew. The log has only the id."), headings, rows)


def _list_phones(subject: DataSubject) -> PersonSection:
    headings = {
        "created_at": _("Signed in"),
        "last_seen_at": _("Last seen"),
        "expires_at": _("Expires"),
        "revoked_at": _("Ended"),
        "left_at": _("Signed out"),
        "reported_at": _("Last report"),
        "unsent": _("Entries not sent then"),
        "attention": _("Entries not accepted then"),
        "public_key": _("Public key"),
        "memory": _("Id of its memory"),
        "made": _("Entries made in it"),
        "lost_at": _("Memory lost"),
        "id": _("Id in the log"),
    }
    devices = Device.objects.filter(member__in=subject.list_ids(RecordKind.CREW)).order_by("created_at", "pk")
    names = [name for name in headings if name != "id"]
    rows = [{"id": str(device.pk), **{name: getattr(device, name) for name in names}} for device in devices]
    about = _("Phones that could record in the person’s name. Their secrets are stored as digests only.")
    return PersonSection("phones", _("Phones"), about, headings, rows)


def _list_memory_losses(subject: DataSubject) -> PersonSection:
    headings = {
        "device": _("Phone"),
        "reason": _("Reason"),
        "found_at": _("Found"),
        "last_report_at": _("Last report"),
        "unsent": _("Entries not sent then"),
        "attention": _("Entries not accepted then"),
        "returned_at": _("Returned"),
        "confirmed_at": _("Confirmed"),
        "memory": _("Id of its memory"),
    }
    crew = Q(device__member__in=subject.list_ids(RecordKind.CREW))
    losses = MemoryLoss.objects.filter(crew | Q(confirmed_by__in=subject.list_ids(*ORGANISERS)))
    rows = [
        {
            **{name: getattr(loss, name) for name in headings},
            "device": str(loss.device_id),
            "reason": loss.get_reason_display(),
        }
        for loss in losses.order_by("found_at", "pk")
    ]
    about = _("Phones of the person, or confirmed by the person, whose memory was lost.")
    return PersonSection("lost_phones", _("Lost phones"), about, headings, rows)


def _list_invitations(subject: DataSubject) -> PersonSection:
    headings = {"created_at": _("Created"), "expires_at": _("Expires"), "consumed_at": _("Used")}
    invitations = Invitation.objects.filter(member__in=subject.list_ids(RecordKind.CREW)).order_by("created_at", "pk")
    rows = [{name: getattr(one, name) for name in headings} for one in invitations]
    about = _("One-time links that make a phone the person’s.")
    return PersonSection("invitations", _("Links for phones"), about, headings, rows)


def _list_receipts(subject: DataSubject) -> PersonSection:
    headings = {"sent_at": _("Sent"), "read_at": _("Read")}
    receipts = MessageReceipt.objects.filter(device__member__in=subject.list_ids(RecordKind.CREW))
    rows = [
        {"sent_at": receipt.message.sent_at, "read_at": receipt.read_at}
        for receipt in receipts.select_related("message").order_by("read_at", "pk")
    ]
    about = _("When the person confirmed messages to the crews.")
    return PersonSection("messages_read", _("Messages read"), about, headings, rows)


def _list_contacts(subject: DataSubject) -> PersonSection:
    headings = {"contact_name": _("Name"), "contact_email": _("Email"), "contact_phone": _("Phone")}
    pages = EventPage.objects.filter(pk__in=subject.list_ids(RecordKind.CONTACT))
    rows = [{name: getattr(page, name) for name in headings} for page in pages]
    about = _("Whom the event’s page tells riders to ask. Everyone can read it.")
    return PersonSection("contact", _("Contact of the event"), about, headings, rows)


def _list_users(subject: DataSubject) -> list[User]:
    ids = subject.list_ids(*ORGANISERS)
    current = Organiser.objects.filter(pk__in=ids).values_list("user_id", flat=True)
    former = FormerOrganiser.objects.filter(pk__in=ids).values_list("user_id", flat=True)
    return list(User.objects.filter(pk__in=[*current, *former]).order_by("pk"))


def _list_accounts(subject: DataSubject) -> PersonSection:
    headings = {
        "username": _("Name"),
        "first_name": _("First name"),
        "last_name": _("Last name"),
        "email": _("Email"),
        "date_joined": _("Created"),
        "last_login": _("Last sign-in"),
        "links_created": _("Links and invitations created for others"),
        "invited_to": _("Invited to organise"),
        "seasons_created": _("Seasons created"),
        "language": _("Language"),
    }
    languages = dict(AccountLanguage.objects.filter(user__in=_list_users(subject)).values_list("user", "code"))
    rows: list[dict[str, Any]] = [
        {
            **{name: getattr(user, name) for name in headings if hasattr(user, name)},
            "links_created": AccountLink.objects.filter(created_by=user).count()
            + OrganiserInvitation.objects.filter(created_by=user).count(),
            "invited_to": [invitation.event.name for invitation in list_received_invitations(user)],
            "seasons_created": [
                season.name for season in Season.objects.filter(created_by=user).order_by("created_at")
            ],
            "language": list_languages().get(languages.get(user.pk, ""), ""),
        }
        for user in _list_users(subject)
    ]
    about = _("The account of an organiser, for all events. The password is stored as a digest only.")
    return PersonSection("accounts", _("Account"), about, headings, rows)


def _list_tokens(subject: DataSubject) -> PersonSection:
    headings = {
        "name": pgettext("a token", "What it is for"),
        "scope": _("What it may do"),
        "created_at": _("Created"),
        "expires_at": _("Expires"),
        "revoked_at": _("Revoked"),
        "last_used_at": _("Last used"),
    }
    tokens = AccessToken.objects.filter(user__in=_list_users(subject)).order_by("created_at", "pk")
    rows = [
        {**{name: getattr(one, name) for name in headings}, "scope": str(one.get_scope_display())} for one in tokens
    ]
    about = _("Tokens with which programs act for the account.")
    return PersonSection("tokens", _("Tokens for programs"), about, headings, rows)


def _list_passkeys(subject: DataSubject) -> PersonSection:
    headings = {
        "name": _("Name"),
        "host": _("Works at"),
        "created_at": _("Added"),
        "last_used_at": _("Last used"),
    }
    passkeys = Passkey.objects.filter(user__in=_list_users(subject)).order_by("created_at", "pk")
    rows = [{name: getattr(one, name) for name in headings} for one in passkeys]
    about = _("Passkeys that the account asks for at sign-in. Only their public keys are stored.")
    return PersonSection("passkeys", _("Passkeys"), about, headings, rows)


def _list_sessions(subject: DataSubject) -> PersonSection:
    headings = {
        "browser": _("Browser"),
        "system": _("System"),
        "started_at": _("Signed in"),
        "last_used_at": _("Last used"),
    }
    sessions = AccountSession.objects.filter(user__in=_list_users(subject)).order_by("started_at", "pk")
    rows = [{name: getattr(one, name) for name in headings} for one in sessions]
    about = _("Browsers that are signed in to the account.")
    return PersonSection("sessions", _("Sessions"), about, headings, rows)


def _count_recorded(subject: DataSubject) -> PersonSection:
    headings = {
        "what": _("What"),
        "outcome": _("Outcome"),
        "count": _("How many"),
        "first": _("First"),
        "last": _("Last"),
    }
    actors = subject.list_ids(RecordKind.CREW, *ORGANISERS)
    operations = Operation.objects.filter(event=subject.event, actor_id__in=actors).order_by("kind", "outcome")
    counted = operations.values("kind", "outcome").annotate(
        count=Count("pk"), first=Min("received_at"), last=Max("received_at")
    )
    rows = [{**row, "what": row["kind"], "outcome": str(Operation.Outcome(row["outcome"]).label)} for row in counted]
    settled = Objection.objects.filter(event=subject.event, settled_by__in=actors)
    dismissed = DismissedWarning.objects.filter(event=subject.event, dismissed_by__in=actors)
    published = Revision.objects.filter(contest__event=subject.event, published_by__in=actors)
    practice = PracticeRun.objects.filter(event=subject.event, organiser__in=actors)
    for what, times in (
        ("objection_settled", settled.values_list("settled_at", flat=True)),
        ("warning_dismissed", dismissed.values_list("dismissed_at", flat=True)),
        ("result_published", published.values_list("published_at", flat=True)),
        ("practice_filled", practice.values_list("started_at", flat=True)),
    ):
        found = sorted(moment for moment in times if moment is not None)
        if found:
            rows.append({"what": what, "outcome": "", "count": len(found), "first": found[0], "last": found[-1]})
    about = _("How much the person recorded and decided at this event. What it was is about other people.")
    return PersonSection("recorded", _("What the person recorded"), about, headings, rows)
