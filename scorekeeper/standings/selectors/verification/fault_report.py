"""What the shared checks find (`games.core.verification`), with the table, the row and the columns of the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Model

from games.core.verification.source import DIFFERS, Fault
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.scorecards.models import Seat
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.verification.event_source import BY_SECTION, list_own_kinds

# What a fault in a section is about.
LOCATIONS = {
    "": "{name}",
    "bikes": "Bike {id}",
    "cards": "Card {id}",
    "chains": "{id}",
    "contests": "Contest {id}",
    "entries": "{chain}, entry {seq}",
    "event": "Event {id}",
    "operations": "Operation {id}",
    "reasons": "Reason of {id}",
    "review_items": "Review item {id}",
    "revisions": "Revision {number} of {contest}",
    "revision_rows": "Revision {number} of {contest}",
    "revision_cards": "Revision {number} of {contest}",
    "sheets": "Sheet {id}",
    "class_members": "Classes of {id}",
    "witnesses": "Witness of {id}",
}
FIGURES = ("revision_rows", "revision_cards")


def report_faults(event: Event, faults: Iterable[Fault]) -> Iterator[LogDamage]:
    """Return faults as they are reported; of the figures of a revision, a single one."""
    kinds = {str(pk): kind for pk, kind in list_own_kinds(event).items()}
    slugs = {str(pk): slug for pk, slug in event.contests.values_list("pk", "slug")}
    reported = set()

    def name_chain(id_: str) -> str:
        return f"{Chain.Kind(kinds.get(id_, Chain.Kind.CARD)).label} {id_}"

    for fault in faults:
        data = fault.data
        known = {"contest": slugs.get(data.get("contest", ""))}
        if fault.section == "chains":
            known["id"] = name_chain(data["id"])
        elif fault.section == "entries":
            known["chain"] = name_chain(data["chain"])
        elif fault.section == "review_items" and "id" not in data:
            known["id"] = f"of {data['operation']}"
        location = LOCATIONS[fault.section].format(**{**data, **known})
        if fault.section in FIGURES:
            if location not in reported:
                reported.add(location)
                yield damage_in(Revision, data["id"], location, "its figures do not match the log", "standings")
            continue
        columns = ", ".join(fault.fields)
        about = f"{'chain' if fault.about in kinds else 'card'} {fault.about}"
        text = f"{DIFFERS}: {columns}" if fault.what == DIFFERS else fault.what.replace("{about}", about)
        if fault.section:
            yield damage_in(_get_model(fault), _get_key(fault), location, text, columns)
        else:
            yield LogDamage(location, text)


def _get_model(fault: Fault) -> type[Model]:
    if fault.section == "event":
        return Event
    return Seat if "seats" in fault.fields else BY_SECTION[fault.section].model


def _get_key(fault: Fault) -> Any:
    if fault.section == "entries":
        return fault.line
    if "seats" in fault.fields:
        return ", ".join(seat["id"] for seat in fault.data["seats"])
    return fault.data.get("id", "")
