"""Searching an event for a person's name: in people, crew, former organisers, reasons, witnesses of cuts, sign-ups,
messages, objections, and names that the organiser has yet to accept.

Chains, operations and revisions have only ids and digests. Bikes, groups, dice sets and stops are renamed on their own
pages. An organiser's name is that of their account, which is kept while they run the event.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from scorekeeper.common.names import clean_name
from scorekeeper.crew.models import CrewMember, CrewMessage
from scorekeeper.events.models import Event, FormerOrganiser
from scorekeeper.ledger.models import CutWitness, OperationReason, UncheckedPeople
from scorekeeper.players.models import Player, SignUp


@dataclass(frozen=True, slots=True)
class NameMatches:
    """The people with a name, and the texts in which it occurs.

    Attributes:
        pattern: matches the name, ignoring case.
        witnesses: of cuts of cards; they were typed freely, so the name may be a part of the text.
        unchecked_people: the names of walk-ups that the organiser has yet to accept.
        dismissals: dismissed warnings (of the app `desk`, a layer above) in whose reasons the name occurs.
        objections: what riders said is wrong (of the app `agreements`, a layer above), with the organisers' answers.
        pages: the event's page (of the app `event_page`, a layer above), if its contact has the name.
    """

    pattern: re.Pattern[str]
    players: tuple[Player, ...]
    crew: tuple[CrewMember, ...]
    former_organisers: tuple[FormerOrganiser, ...]
    reasons: tuple[OperationReason, ...]
    witnesses: tuple[CutWitness, ...]
    unchecked_people: tuple[UncheckedPeople, ...]
    sign_ups: tuple[SignUp, ...]
    messages: tuple[CrewMessage, ...]
    dismissals: tuple[Any, ...]
    objections: tuple[Any, ...]
    pages: tuple[Any, ...]

    def __bool__(self) -> bool:
        people = self.players or self.crew or self.former_organisers or self.unchecked_people or self.sign_ups
        texts = self.reasons or self.witnesses or self.messages or self.dismissals or self.objections
        return bool(people or texts or self.pages)

    def is_name(self, text: str) -> bool:
        """Whether the text is the name."""
        return self.pattern.fullmatch(text) is not None or self.pattern.fullmatch(clean_name(text)) is not None


def find_name(event: Event, name: str) -> NameMatches:
    """Return where a name occurs in the event, ignoring case. In reasons, witnesses and messages, only whole words
    match.

    It is compared in Python, since databases differ in which letters they treat as equal.
    """
    spellings = "|".join(map(re.escape, dict.fromkeys(filter(None, (name.strip(), clean_name(name))))))
    pattern = re.compile(rf"(?<!\w)(?:{spellings})(?!\w)", re.IGNORECASE)
    reasons = OperationReason.objects.filter(operation__event=event).select_related("operation")
    witnesses = CutWitness.objects.filter(operation__event=event).select_related("operation")
    unchecked = UncheckedPeople.objects.filter(operation__event=event).select_related("bike")
    return NameMatches(
        pattern,
        tuple(player for player in event.players.all() if pattern.fullmatch(player.name)),
        tuple(person for person in CrewMember.objects.filter(group__event=event) if pattern.fullmatch(person.name)),
        tuple(person for person in event.former_organisers.select_related("user") if pattern.fullmatch(str(person))),
        tuple(reason for reason in reasons if pattern.search(reason.text)),
        tuple(witness for witness in witnesses if pattern.search(witness.name)),
        tuple(row for row in unchecked if pattern.fullmatch(row.rider) or pattern.fullmatch(row.passenger)),
        tuple(row for row in event.sign_ups.all() if pattern.fullmatch(row.rider) or pattern.fullmatch(row.passenger)),
        tuple(message for message in event.crew_messages.all() if pattern.search(message.text)),
        tuple(row for row in event.dismissed_warnings.all() if pattern.search(row.reason)),
        tuple(row for row in event.objections.all() if pattern.search(row.text) or pattern.search(row.answer)),
        tuple(row for row in _list_pages(event) if pattern.fullmatch(row.contact_name)),
    )


def _list_pages(event: Event) -> list[Any]:
    """Return the event's page, as it is stored now; none without one."""
    current = Event.objects.select_related("page").get(pk=event.pk)
    return [current.page] if hasattr(current, "page") else []
