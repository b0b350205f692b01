"""The fields of a crew list, the names its columns usually have, and the words for a role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from scorekeeper.common.spreadsheet_columns import assign_by_name, simplify_name
from scorekeeper.crew.models import CrewMember

FIELDS: Mapping[str, str | Promise] = {
    "group": gettext_lazy("Group"),
    "name": gettext_lazy("Name"),
    "role": gettext_lazy("Role"),
    "any_bike_at": gettext_lazy("Any bike at"),
}
LISTS = ("any_bike_at",)
COLUMN_NAMES: Mapping[str, Sequence[str]] = {
    "group": ("group", "group name", "bike group", "gruppe"),
    "name": ("name", "full name", "crew", "crew member", "member", "person", "supervisor name", "names"),
    "role": ("role", "position", "job", "function", "duty", "rolle", "funktion"),
    "any_bike_at": ("any bike at", "any bike", "any bikes at", "all bikes at", "stops", "stop", "finale crew at"),
}
_ROLE_WORDS: Mapping[str, Sequence[str]] = {
    CrewMember.Role.ROAD_CAPTAIN: (
        *("road captain", "captain", "rc", "lead", "leader", "lead rider", "ride leader", "ride captain"),
        *("front", "tourguide", "guide", "kapitän"),
    ),
    CrewMember.Role.TAIL_GUNNER: (
        *("tail gunner", "tailgunner", "tail", "tg", "tail end", "tail end charlie", "sweep", "sweeper", "sweep rider"),
        *("rear", "last", "schlussfahrer", "schlusslicht"),
    ),
    CrewMember.Role.SUPERVISOR: (
        *("supervisor", "third", "third supervisor", "3rd", "marshal", "steward", "helper", "judge", "scorer"),
        *("scorekeeper", "official", "volunteer", "crew", "aufsicht", "helfer", "helferin"),
    ),
}
ROLES_BY_WORD = {word: CrewMember.Role(role) for role, words in _ROLE_WORDS.items() for word in words}


def guess_crew_fields(header: Sequence[str]) -> list[str]:
    """Return the field that the name of each column suggests; "" for a column that is not used."""
    fields = [""] * len(header)
    assign_by_name(fields, [simplify_name(name) for name in header], COLUMN_NAMES, repeatable=LISTS)
    return fields


def find_role(text: str) -> CrewMember.Role | None:
    """Return the role that a text stands for, in English or in the language of the page; None for an unknown one."""
    word = simplify_name(text.replace("-", " "))
    if word in ROLES_BY_WORD:
        return ROLES_BY_WORD[word]
    labels = {simplify_name(str(role.label).replace("-", " ")): role for role in CrewMember.Role}
    return labels.get(word)
