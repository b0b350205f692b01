"""Importing a crew list: its columns, the members in its rows, and how they are stored.

A member is recognised by group and name. Somebody of the same name in another group is another person.

Invariants:
- Without the column "Any bike at", the stops of members stay as they are; an empty cell clears them.
- Nobody is removed: members who are missing from the file stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from scorekeeper.common.names import clean_name, fold_name
from scorekeeper.common.spreadsheets.importer import Change, Choices, Importer, ImportPlan, Line
from scorekeeper.common.spreadsheets.sheets import (
    Cells,
    Field,
    Problem,
    find_missing_cells,
    find_overlong_cells,
    simplify_name,
    split_names,
)
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.selectors import list_groups, list_members
from scorekeeper.crew.services.groups import add_group
from scorekeeper.crew.services.members import update_member
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.stops.models import Stop
from scorekeeper.stops.selectors import list_stops

MAX_NAME_LENGTH = 80  # characters, of a group and of a person
FIELDS: Mapping[str, Field] = {  # the names in English, German, French and Spanish
    "group": Field(
        _("Group"),
        ("group", "group name", "bike group", "gruppe", "gruppenname", "groupe", "nom du groupe", "grupo"),
        missing=_("no group"),
        max_length=MAX_NAME_LENGTH,
    ),
    "name": Field(
        _("Name"),
        (
            *("name", "full name", "crew", "crew member", "member", "person", "supervisor name", "names"),
            *("vollstandiger name", "mitglied", "nom", "nom complet", "nom et prenom", "membre", "nombre"),
            *("nombre completo", "nombre y apellidos", "miembro"),
        ),
        missing=_("no name"),
        max_length=MAX_NAME_LENGTH,
    ),
    "role": Field(
        _("Role"),
        (
            *("role", "position", "job", "function", "duty", "rolle", "funktion", "aufgabe", "fonction", "poste"),
            *("rol", "funcion", "cargo", "puesto"),
        ),
        missing=_("no role"),
    ),
    "any_bike_at": Field(
        _("Any bike at"),
        (
            *("any bike at", "any bike", "any bikes at", "all bikes at", "stops", "stop", "finale crew at"),
            *("jedes motorrad bei", "alle motorrader bei", "stationen", "station"),
            *("toute moto a", "toutes les motos a"),
            *("haltes", "halte", "etapes", "cualquier moto en", "todas las motos en", "paradas", "parada"),
        ),
        is_list=True,
    ),
}
_ROLE_WORDS: Mapping[str, Sequence[str]] = {
    CrewMember.Role.ROAD_CAPTAIN: (
        *("road captain", "captain", "rc", "lead", "leader", "lead rider", "ride leader", "ride captain"),
        *("front", "tourguide", "guide", "kapitän", "capitaine", "capitaine de route", "capitán", "capitán de ruta"),
    ),
    CrewMember.Role.TAIL_GUNNER: (
        *("tail gunner", "tailgunner", "tail", "tg", "tail end", "tail end charlie", "sweep", "sweeper", "sweep rider"),
        *("rear", "last", "schlussfahrer", "schlusslicht", "serre file", "balai", "moto balai", "escoba", "cola"),
        *("cierre", "barredora"),
    ),
    CrewMember.Role.SUPERVISOR: (
        *("supervisor", "third", "third supervisor", "3rd", "marshal", "steward", "helper", "judge", "scorer"),
        *("scorekeeper", "official", "volunteer", "crew", "aufsicht", "helfer", "helferin", "dritte aufsicht"),
        *("contrôleur", "contrôleuse", "troisième contrôleur", "bénévole"),
        *("supervisora", "tercer supervisor", "tercero", "ayudante", "voluntario", "voluntaria"),
    ),
}
ROLES_BY_WORD = {simplify_name(word): CrewMember.Role(role) for role, words in _ROLE_WORDS.items() for word in words}
SAMPLE_CREW_CSV = """\
group,name,role,any_bike_at
Group one,Rita Moore,road captain,
Group one,Tom Hale,tail-gunner,
Group one,Sue Park,supervisor,Finale
Group two,Gus Lind,road captain,
"""


@dataclass(frozen=True)
class CrewRow:
    """One crew member in the file.

    Attributes:
        any_bike_at: what the cell says, and the names in it; None if the file has no such column.
    """

    row_number: int
    group: str
    name: str
    role: CrewMember.Role
    any_bike_at: tuple[str, tuple[str, ...]] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """By what a member is recognised: group and name, ignoring case."""
        return fold_name(self.group), fold_name(self.name)


@dataclass(frozen=True, kw_only=True)
class CrewLine(Line):
    """A crew member in the file, and what would happen to them.

    Attributes:
        member: None for a new member.
        group: the name of their group as it is or will be written.
        any_bike_at: the stops where they record any bike; None to leave these as they are.
    """

    row: CrewRow
    member: CrewMember | None
    group: str
    any_bike_at: tuple[Stop, ...] | None

    @property
    def stops_text(self) -> str:
        """The names of the stops where they would record any bike."""
        if self.any_bike_at is None:
            return _format_stops(() if self.member is None else self.member.any_bike_at.all())
        return _format_stops(self.any_bike_at)

    @property
    def content(self) -> tuple[object, ...]:
        """Everything that would be stored."""
        return self.group, self.row.name, self.row.role, self.status, self.stops_text


class CrewImporter(Importer[CrewRow, CrewLine]):
    """The import of an event's crew."""

    fields = FIELDS
    example = "group,name,role"
    sample = SAMPLE_CREW_CSV
    no_rows = _("There are column names but no crew below them. Add a row for each person")
    repetition = _("%(name)s is listed more than once in %(group)s")
    added = ngettext_lazy("%(count)s crew member added", "%(count)s crew members added", "count")

    def __init__(self, event: Event) -> None:
        self.event = event

    def read_row(self, row: int, cells: Cells, choices: Choices) -> Iterator[CrewRow | Problem]:
        """Yield a row's problems, or else the row."""
        problems = [*find_missing_cells(row, cells, FIELDS), *find_overlong_cells(row, cells, FIELDS)]
        role = find_role(cells["role"])
        if role is None and cells["role"]:
            text = _("the role is not road captain, tail-gunner or supervisor")
            problems.append(Problem(text, row, cells["role"], field="role"))
        if role is None or problems:
            yield from problems
            return
        stops = cells.get("any_bike_at")
        any_bike_at = None if stops is None else (clean_name(stops), split_names(stops))
        yield CrewRow(row, cells["group"], cells["name"], role, any_bike_at)

    def plan_lines(self, rows: Iterable[CrewRow]) -> Iterator[CrewLine | Problem]:
        """Yield a line for each member, or else their problems; four queries."""
        groups = {fold_name(group.name): group.name for group in list_groups(self.event)}
        new_groups: dict[str, str] = {}
        stops = list(list_stops(self.event))
        members: dict[tuple[str, str], list[CrewMember]] = {}
        for member in list_members(self.event).prefetch_related("any_bike_at"):
            members.setdefault((fold_name(member.group.name), fold_name(member.name)), []).append(member)
        # Of several members with a name, the one of the last group.
        by_name = {name: found[0] for (_group, name), found in members.items()}
        for row in rows:
            existing = members.get(row.key, [])
            any_bike_at, unknown = _find_stops(row, stops)
            if len(existing) > 1:
                text = _("%(name)s is already in %(group)s more than once; change one of the names first")
                yield Problem(text % {"name": row.name, "group": row.group}, row.row_number)
            for name in unknown:
                yield Problem(_("this event has no stop of that name"), row.row_number, name)
            if len(existing) > 1 or unknown:
                continue
            known = existing[0] if existing else None
            group_key, name_key = row.key
            new_group = "" if group_key in groups else new_groups.setdefault(group_key, row.group)
            other = by_name.get(name_key)
            yield CrewLine(
                is_new=known is None,
                changes=tuple(_list_changes(known, row, any_bike_at)) if known else (),
                new_group=new_group,
                namesake=_describe_namesake(other) if other and not known else "",
                row=row,
                member=known,
                group=groups.get(group_key, new_group),
                any_bike_at=any_bike_at,
            )

    def lock(self) -> None:
        """Lock the event."""
        lock_event(self.event)

    def apply_plan(self, plan: ImportPlan[CrewLine]) -> None:
        """Add and change members."""
        for name in plan.new_groups:
            add_group(self.event, name)
        groups = {group.name: group for group in list_groups(self.event)}
        new, at_stops = [], []
        for line in plan.lines:
            row, group = line.row, groups[line.group]
            if line.member is None:
                member = CrewMember(group=group, name=row.name, role=row.role)
                new.append(member)
                at_stops += [
                    CrewMember.any_bike_at.through(crewmember_id=member.pk, stop_id=stop.pk)
                    for stop in line.any_bike_at or ()
                ]
            elif line.changes:
                name = line.member.name
                update_member(line.member, name=name, role=row.role, group=group, any_bike_at=line.any_bike_at)
        CrewMember.objects.bulk_create(new)
        CrewMember.any_bike_at.through.objects.bulk_create(at_stops)


def find_role(text: str) -> CrewMember.Role | None:
    """Return the role that a text stands for, in English or in the language of the page; None for an unknown one."""
    word = simplify_name(text)
    if word in ROLES_BY_WORD:
        return ROLES_BY_WORD[word]
    labels = {simplify_name(str(role.label)): role for role in CrewMember.Role}
    return labels.get(word)


def _find_stops(row: CrewRow, stops: Iterable[Stop]) -> tuple[tuple[Stop, ...] | None, list[str]]:
    """Return the stops in a row in the order of the ride, None for no such column, and the names of unknown ones.

    The name of a stop may contain what separates the names in a cell.
    """
    if row.any_bike_at is None:
        return None, []
    whole, names = row.any_bike_at
    wanted = {fold_name(name): name for name in names}
    if fold_name(whole) in {fold_name(stop.name) for stop in stops}:
        wanted = {fold_name(whole): whole}
    found = tuple(stop for stop in stops if fold_name(stop.name) in wanted)
    known = {fold_name(stop.name) for stop in found}
    return found, [name for key, name in wanted.items() if key not in known]


def _list_changes(member: CrewMember, row: CrewRow, any_bike_at: tuple[Stop, ...] | None) -> Iterator[Change]:
    if member.role != row.role:
        yield Change(FIELDS["role"].label, str(CrewMember.Role(member.role).label), str(row.role.label))
    if any_bike_at is not None and set(any_bike_at) != set(member.any_bike_at.all()):
        before, after = _format_stops(member.any_bike_at.all()), _format_stops(any_bike_at)
        yield Change(FIELDS["any_bike_at"].label, before, after)


def _describe_namesake(member: CrewMember) -> str:
    return _("%(name)s (%(group)s)") % {"name": member.name, "group": member.group.name}


def _format_stops(stops: Iterable[Stop]) -> str:
    return ", ".join(stop.name for stop in sorted(stops, key=lambda stop: stop.ordinal))
