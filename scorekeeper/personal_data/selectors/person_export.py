"""Everything that is stored about one person of an event, as sections and as the content of a file."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.personal_data.person_record import DataSubject
from scorekeeper.personal_data.person_section import PersonSection
from scorekeeper.personal_data.selectors.crew_sections import list_crew_sections
from scorekeeper.personal_data.selectors.log_sections import list_log_sections
from scorekeeper.personal_data.selectors.rider_sections import Holdings, list_rider_sections
from scorekeeper.personal_data.selectors.text_sections import list_text_sections

FORMAT, VERSION = "tailgunner-personal-data", 1


@dataclass(frozen=True)
class PersonExport:
    """What is stored about a person at one moment."""

    subject: DataSubject
    made_at: dt.datetime
    sections: Sequence[PersonSection]

    @property
    def about(self) -> str:
        """What the file is, in a few sentences."""
        return _(
            "Everything that this installation holds about one person of one event. Each section says what it is. "
            "Names of other people are left out, and of those who recorded something only the role "
            "is said. Not in here: the server’s own log files and backups."
        )

    @property
    def file_name(self) -> str:
        """Under which browsers save the file."""
        event = self.subject.event
        practice = "practice-" if event.is_practice else ""
        name = slugify(self.subject.names[0]) or "person"
        return f"{practice}{event.slug}-personal-data-{name}.json"

    def to_data(self) -> dict[str, Any]:
        """Return the content of the file."""
        event = self.subject.event
        return {
            "format": FORMAT,
            "version": VERSION,
            "about": self.about,
            "times": "UTC",
            "made_at": self.made_at.astimezone(dt.UTC).isoformat(timespec="seconds"),
            "event": {
                "name": event.name,
                "address": event.slug,
                "date": event.date.isoformat(),
                "time_zone": event.time_zone,
                "is_practice": event.is_practice,
            },
            "names": self.subject.names,
            "records": [
                {"kind": record.key.kind.value, "id": str(record.key.id), "details": record.details}
                for record in self.subject.records
            ],
            "sections": {section.key: section.to_data() for section in self.sections},
        }

    def to_json(self) -> str:
        """Return the file, to be read by people too."""
        return json.dumps(self.to_data(), ensure_ascii=False, indent=2) + "\n"


def make_person_export(subject: DataSubject) -> PersonExport:
    """Collect everything about a person, as it is at one moment."""
    own = Holdings(subject)
    with consistent_snapshot():
        sections = (
            *list_rider_sections(own),
            *list_log_sections(own),
            *list_text_sections(own),
            *list_crew_sections(subject),
        )
    return PersonExport(subject, timezone.now(), sections)
