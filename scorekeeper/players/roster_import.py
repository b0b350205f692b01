"""Importing a roster: its columns, the bikes and people in its rows, and how they are stored.

Invariants:
- A bike has only the fields that the file has columns for: a missing column leaves a field as it is, an empty cell
  clears it.
- Exactly the changes that the user saw before confirming are made.
- A class that the event does not have is made. Once anything is recorded, the classes of a bike are corrected one by
  one, with a reason, so an import gives them to new bikes only.
- A bike that was given a number is recognised by its rider when the same file is imported again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import gettext, ngettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.numbers import MAX_NUMBER, BikeNumber, parse_bike_number
from scorekeeper.bikes.selectors import is_roster_fixed
from scorekeeper.bikes.services import RosterFixed, lock_roster
from scorekeeper.common.labels import label_value
from scorekeeper.common.names import clean_name, fold_name
from scorekeeper.common.spreadsheets.cells import (
    is_nobody,
    looks_garbled,
    reduce_name,
    split_people,
    tidy_number,
    turn_name,
)
from scorekeeper.common.spreadsheets.importer import (
    Change,
    Choices,
    Importer,
    ImportPlan,
    Line,
    StaleImportPlan,
)
from scorekeeper.common.spreadsheets.sheets import (
    Cells,
    Field,
    Note,
    Problem,
    Record,
    Sheet,
    find_missing_cells,
    find_overlong_cells,
    guess_by_name,
    simplify_name,
)
from scorekeeper.common.word_lists import join_and
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.crew.services.groups import add_group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event
from scorekeeper.players.class_members import are_classes_fixed, list_classes, read_own_classes
from scorekeeper.players.class_settings import MAX_CLASSES, ClassesFixed, add_class
from scorekeeper.players.models import MAX_CLASS_NAME, ClassMember, Player
from scorekeeper.players.selectors import get_rider, list_bikes_with_people, list_passengers
from scorekeeper.players.services import update_bike

MAX_NAME_LENGTH = 80  # characters, of a person and of a group
MAX_PASSENGERS_LENGTH = 400  # characters of all passengers of one bike
MAX_MAKE_LENGTH = 60
MAX_CLASSES_LENGTH = 400  # characters of all classes of one bike
ROWS_EXAMINED = 50  # rows that decide whether a column has numbers
MAX_NAMED = 10  # bikes that a sentence names
# A column with such a name has numbers if most of its cells do; "bike" has makes otherwise.
NUMBER_OR_MAKE_NAMES = ("bike", "motorcycle", "motorrad", "moto", "motocicleta")
NUMBER_OR_REGISTRATION_NAMES = ("plate", "entry", "id", "plaque", "placa")
FIELDS: Mapping[str, Field] = {  # the names in English, German, French and Spanish
    "number": Field(
        _("Number"),
        (
            *("number", "bike number", "bike no", "start number", "start no", "startnumber", "race number"),
            *("entrant", "entrant id", "entrant number", "entrant no", "entry number", "entry no", "rider number"),
            *("startnummer", "startnr", "start nr", "nummer", "nr", "dossard", "numero", "numero de moto", "dorsal"),
            *("num", "n", "no", "#", *NUMBER_OR_REGISTRATION_NAMES, *NUMBER_OR_MAKE_NAMES),
        ),
        missing=_("there is no number. Type one, or let numbers be given"),
    ),
    "rider": Field(
        _("Rider"),
        (
            *("rider", "rider name", "riders name", "name of rider", "driver", "pilot", "full name", "your full name"),
            *("your name", "fahrer", "fahrerin", "fahrer in", "name des fahrers", "vollstandiger name", "pilote"),
            *("nom du pilote", "conducteur", "nom complet", "nom et prenom", "nom prenom", "piloto", "conductor"),
            *("nombre completo", "nombre y apellidos", "nombre del piloto", "participant", "teilnehmer"),
            *("teilnehmerin", "participante", "name", "nom"),
        ),
        max_length=MAX_NAME_LENGTH,
    ),
    "rider_first": Field(
        _("Rider’s first name"),
        (
            *("rider first", "rider first name", "riders first name", "first name", "firstname", "first", "forename"),
            *("given name", "vorname", "vorname fahrer", "fahrer vorname", "prenom", "prenom du pilote"),
            *("prenom pilote", "nombre", "nombre de pila", "nombre piloto"),
        ),
        max_length=MAX_NAME_LENGTH,
    ),
    "rider_last": Field(
        _("Rider’s last name"),
        (
            *("rider last", "rider last name", "riders last name", "last name", "lastname", "last", "surname"),
            *("family name", "nachname", "familienname", "nachname fahrer", "fahrer nachname", "nom de famille"),
            *("nom pilote", "apellido", "apellidos", "apellidos piloto"),
        ),
        max_length=MAX_NAME_LENGTH,
    ),
    "people": Field(  # as in our own files of results
        _("Rider and passengers"),
        (
            *("riders", "rider and passengers", "riders and passengers", "rider passenger", "fahrer und beifahrer"),
            *("fahrer beifahrer", "pilotes et passagers", "pilote et passager", "pilotos y acompanantes"),
            *("piloto y acompanante", "pilote et passagers", "piloto y acompanantes"),
        ),
        is_list=True,
        max_length=MAX_NAME_LENGTH,
        max_list_length=MAX_NAME_LENGTH + MAX_PASSENGERS_LENGTH,
    ),
    "passengers": Field(  # several are often in a column each
        _("Passengers"),
        (
            *("passengers", "passenger", "passenger s", "passenger name", "passenger 1", "passenger 2", "pillion"),
            *("pillions", "pillion name", "pillion rider", "co rider", "beifahrer", "beifahrerin", "beifahrer in"),
            *("mitfahrer", "mitfahrerin", "sozius", "sozia", "passager", "passagere", "passagers", "nom du passager"),
            *("pasajero", "pasajera", "pasajeros", "acompanante", "acompanantes"),
        ),
        is_list=True,
        max_length=MAX_NAME_LENGTH,
        max_list_length=MAX_PASSENGERS_LENGTH,
    ),
    "passenger_first": Field(
        _("Passenger’s first name"),
        (
            *("passenger first", "passenger first name", "passengers first name", "pillion first"),
            *("pillion first name", "pillions first name", "beifahrer vorname", "vorname beifahrer", "sozius vorname"),
            *("vorname sozius", "prenom du passager", "prenom passager", "nombre pasajero", "nombre del pasajero"),
            "nombre acompanante",
        ),
        max_length=MAX_NAME_LENGTH,
    ),
    "passenger_last": Field(
        _("Passenger’s last name"),
        (
            *("passenger last", "passenger last name", "passengers last name", "pillion last", "pillion last name"),
            *("pillions last name", "passenger surname", "pillion surname", "beifahrer nachname"),
            *("nachname beifahrer", "sozius nachname", "nachname sozius", "nom passager", "apellidos pasajero"),
            *("apellidos del pasajero", "apellidos acompanante"),
        ),
        max_length=MAX_NAME_LENGTH,
    ),
    "make": Field(
        _("Make"),
        (
            *("make", "bike make", "brand", "manufacturer", "marke", "hersteller", "marque", "marca", "fabricante"),
            "constructeur",
        ),
        max_length=MAX_MAKE_LENGTH,
    ),
    "model": Field(
        _("Model"),
        ("model", "bike model", "make and model", "machine", "type", "modell", "typ", "modele", "modelo"),
        max_length=MAX_MAKE_LENGTH,
    ),
    "group": Field(
        _("Group"), ("group", "group name", "gruppe", "team", "groupe", "equipe", "grupo"), max_length=MAX_NAME_LENGTH
    ),
    "classes": Field(
        _("Classes"),
        (
            *("class", "classes", "category", "categories", "division", "divisions", "klasse", "klassen", "kategorie"),
            *("kategorien", "wertung", "wertungsklasse", "wertungsklassen", "classe", "categorie", "clase", "clases"),
            *("categoria", "categorias"),
        ),
        is_list=True,
        max_length=MAX_CLASS_NAME,
        max_list_length=MAX_CLASSES_LENGTH,
    ),
}
# Names that stand for the whole name, or for its last part beside a column with the first.
WHOLE_OR_LAST_NAMES = ("name", "nom")
FIRST_OR_WHOLE_NAMES = ("nombre",)
PARTS = {"rider": ("rider_first", "rider_last"), "passengers": ("passenger_first", "passenger_last")}
SAMPLE_CSV = """\
number,rider,passengers,make,model,group,classes
1,Ann Miller,,Honda,Rebel 500,Group one,Veterans
2,Ben Novak,"Zoe Novak, Max Novak",BMW,R 1250 RT,Group one,
57,Cleo Hart,Dan Hart,Harley-Davidson,Freewheeler,Group two,"Veterans, Trikes"
"""


@dataclass(frozen=True)
class RosterRow:
    """One bike in the file, with only the fields that the file has columns for; passengers are a tuple of names.

    Attributes:
        number: None for a bike that is given one.
    """

    row_number: int
    number: BikeNumber | None
    cells: Cells
    passengers: tuple[str, ...] | None = None
    classes: tuple[str, ...] | None = None

    @property
    def key(self) -> BikeNumber:
        """By what a bike is recognised."""
        return -self.row_number if self.number is None else self.number


class BikeDetails(NamedTuple):
    """The details of a bike, before or after the import."""

    rider: str = ""
    passengers: tuple[str, ...] = ()
    make: str = ""
    model: str = ""
    group: str = ""
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RosterLine(Line):
    """A bike in the file, and what would happen to it.

    Attributes:
        number: of the bike, its own or one that it is given.
        bike: None for a new one.
        details: as they would be.
    """

    row: RosterRow
    number: BikeNumber
    bike: Bike | None
    details: BikeDetails

    @property
    def people(self) -> str:
        """Who would be on the bike, rider first; a comma may be part of a name."""
        return " · ".join(name for name in (self.details.rider, *self.details.passengers) if name)

    @property
    def content(self) -> tuple[object, ...]:
        """Everything that would be stored."""
        return self.number, self.status, self.details


class RosterImporter(Importer[RosterRow, RosterLine]):
    """The import of an event's roster."""

    fields = FIELDS
    example = "number,rider"
    sample = SAMPLE_CSV
    no_rows = _("There are column names but no bikes below them. Add a row for each bike")
    no_columns = _("No column has the bikes’ numbers. Choose it, or let numbers be given")
    repetition = _("number %(number)s is used more than once")
    given_field = "number"
    added = ngettext_lazy("%(count)s bike added", "%(count)s bikes added", "count")

    def __init__(self, event: Event) -> None:
        self.event = event

    def guess_fields(self, sheet: Sheet) -> Mapping[int, str]:
        """Return the field of each column that its name and content suggest: "Bike" may have numbers or makes."""
        names = [simplify_name(name) for name in sheet.header]
        number = _guess_number(names, sheet.body)
        others = {key: field for key, field in FIELDS.items() if key != "number"}
        guess = guess_by_name(sheet.header, others, {} if number is None else {number: "number"})
        if "make" not in guess.values():
            makes = [index for index, name in enumerate(names) if name in NUMBER_OR_MAKE_NAMES and index not in guess]
            guess.update(dict.fromkeys(makes[:1], "make"))
        return _settle_names(names, guess)

    def read_row(self, row: int, cells: Cells, choices: Choices) -> Iterator[RosterRow | Problem]:
        """Yield a row's problems and notes, and the row itself if it has a valid number or is given one."""
        cell = cells.get("number", "")
        number = parse_bike_number(tidy_number(cell))
        if number is not None and cell.lstrip("0").upper() != str(number):
            yield Note(_("read as a number"), row, f"{cell} → {number}", field="number")
        if number is not None or (not cell and choices.gives_numbers):
            classes = split_classes(cells["classes"]) if "classes" in cells else None
            yield RosterRow(row, number, *_read_people(cells), classes)
        elif cell:
            text = _("the number is not one from 1 to %(high)s, perhaps with letters, such as 12A")
            yield Problem(text % {"high": MAX_NUMBER}, row, cell, field="number")
        else:
            yield from find_missing_cells(row, cells, FIELDS)
        yield from find_overlong_cells(row, cells, FIELDS)

    def plan_lines(self, rows: Iterable[RosterRow]) -> Iterator[RosterLine | Problem]:
        """Yield a line for each bike, or else its problem; four queries."""
        groups = {fold_name(group.name): group.name for group in list_groups(self.event)}
        new_groups: dict[str, str] = {}
        bikes: dict[BikeNumber, list[Bike]] = {}
        for bike in list_bikes_with_people(self.event):
            bikes.setdefault(bike.number, []).append(bike)
        is_fixed = is_roster_fixed(self.event)
        listed = list(rows)
        has_classes = any(row.classes is not None for row in listed)
        classes = _ClassNames.read(self.event) if has_classes else _ClassNames({}, {}, are_fixed=False)
        for row, number in _give_numbers(listed, bikes):
            existing = bikes.get(number, [])
            if len(existing) > 1:
                text = _("several bikes already have the number %(number)s; give each its own number first")
                yield Problem(text % {"number": number}, row.row_number)
            elif is_fixed and not existing:
                text = _("a contest is closed, so an import cannot add bikes; use “Add a bike”, which the log records")
                yield Problem(text, row.row_number)
            else:
                line = _plan_line(row, number, existing[0] if existing else None, groups, new_groups, classes)
                if existing and classes.are_fixed and line.details.classes != classes.of_bike(existing[0]):
                    text = _("something is recorded, so change the classes of a bike on its page, with a reason")
                    yield Problem(text, row.row_number, ", ".join(row.classes or ()), field="classes")
                else:
                    yield line
        if len(classes.names) > MAX_CLASSES:
            text = _("an event can have %(most)s classes. Leave some out of the column “Classes”")
            yield Problem(text % {"most": MAX_CLASSES}, cell=", ".join(classes.new), is_about_columns=True)

    def list_doubts(self, lines: Sequence[RosterLine]) -> Iterator[str]:
        """Yield riders with several bikes, groups whose names look alike, and names that seem to be garbled."""
        bikes_by_rider: dict[str, list[RosterLine]] = {}
        for line in lines:
            bikes_by_rider.setdefault(fold_name(line.details.rider), []).append(line)
        for rider, ridden in bikes_by_rider.items():
            if rider and len(ridden) > 1:
                text = gettext("%(name)s rides several bikes: %(numbers)s. Is it one person entered twice?")
                yield text % {"name": ridden[0].details.rider, "numbers": _list_numbers(ridden)}
        names = {group.name for group in list_groups(self.event)} | {line.new_group for line in lines if line.new_group}
        alike: dict[str, list[str]] = {}
        for name in sorted(names):
            alike.setdefault(reduce_name(name), []).append(name)
        for similar in alike.values():
            if len(similar) > 1:
                quoted = join_and([f"“{name}”" for name in similar])
                yield gettext("The names of the groups %(names)s look alike. Are they one group?") % {"names": quoted}
        garbled = [line for line in lines if looks_garbled(f"{line.people} {line.details.group}")]
        if garbled:
            text = gettext(
                "Letters seem to be garbled: %(names)s. Save the file as UTF-8, or correct them in the text."
            )
            yield text % {"names": "; ".join(line.people for line in garbled[:MAX_NAMED])}

    def list_questions(self, lines: Sequence[RosterLine]) -> Iterator[str]:
        """Yield which new bikes would have no rider, and which no group."""
        new = [line for line in lines if line.is_new]
        if bare := [line for line in new if not line.details.rider]:
            text = ngettext("%(count)s bike would have no rider", "%(count)s bikes would have no rider", len(bare))
            yield _name_bikes(text, bare, new)
        if bare := [line for line in new if not line.details.group]:
            text = ngettext("%(count)s bike would have no group", "%(count)s bikes would have no group", len(bare))
            yield _name_bikes(text, bare, new)

    def lock(self) -> None:
        """Lock the event."""
        lock_event(self.event)

    def apply_plan(self, plan: ImportPlan[RosterLine]) -> None:
        """Add and change bikes.

        Raises:
            StaleImportPlan: a contest was closed after the plan was made.
        """
        for name in plan.new_groups:
            add_group(self.event, name)
        for name in dict.fromkeys(name for line in plan.lines for name in line.new_classes):
            add_class(self.event, name)
        class_ids = {fold_name(one.name): one.pk for one in list_classes(self.event)}
        groups = {fold_name(group.name): group for group in list_groups(self.event)}
        if new := [line for line in plan.lines if line.bike is None]:
            try:
                lock_roster(self.event)
            except RosterFixed as error:
                raise StaleImportPlan from error
            _create_bikes(self.event, new, groups, class_ids)
        for line in plan.lines:
            if line.bike is not None and line.changes:
                self._update(line, line.bike, groups, class_ids)

    def _update(self, line: RosterLine, bike: Bike, groups: Mapping[str, Group], class_ids: Mapping[str, UUID]) -> None:
        details = line.details
        try:
            update_bike(
                bike,
                number=bike.number,
                make=details.make,
                model=details.model,
                group=groups.get(fold_name(details.group)),
                rider=details.rider,
                passengers=details.passengers,
                classes=None if line.row.classes is None else [class_ids[fold_name(one)] for one in details.classes],
            )
        except ClassesFixed as error:
            raise StaleImportPlan from error


def _settle_names(names: Sequence[str], guess: dict[int, str]) -> dict[int, str]:
    """Return the guess, in which a name such as "Nom" is the last name beside a column with the first."""
    columns = {field: index for index, field in guess.items()}
    whole, first, last = columns.get("rider"), columns.get("rider_first"), columns.get("rider_last")
    if first is not None and whole is not None and last is None and names[whole] in WHOLE_OR_LAST_NAMES:
        guess[whole] = "rider_last"
    elif first is not None and whole is None and last is None and names[first] in FIRST_OR_WHOLE_NAMES:
        guess[first] = "rider"
    return guess


def _read_people(cells: Cells) -> tuple[dict[str, str], tuple[str, ...] | None]:
    """Return the fields of a row with the rider's whole name, and the passengers; None without a column for them."""
    values = {key: cell for key, cell in cells.items() if key in BikeDetails._fields and key != "passengers"}
    first, last = PARTS["rider"]
    if "rider" in cells or first in cells or last in cells:
        whole = turn_name(cells.get("rider", "")) or f"{cells.get(first, '')} {cells.get(last, '')}".strip()
        values["rider"] = "" if is_nobody(whole) else whole
    if "people" in cells:
        named = (*filter(None, [values.get("rider")]), *split_people(cells["people"]))
        return {**values, "rider": "".join(named[:1])}, named[1:]
    first, last = PARTS["passengers"]
    if "passengers" not in cells and first not in cells and last not in cells:
        return values, None
    passengers = split_people(cells.get("passengers", ""), values.get("rider", ""))
    parts = [cells.get(part, "") for part in (first, last)]
    whole = " ".join(part for part in parts if part and not is_nobody(part))
    return values, (*passengers, whole) if whole else passengers


def _give_numbers(
    rows: Sequence[RosterRow], bikes: Mapping[BikeNumber, Sequence[Bike]]
) -> Iterator[tuple[RosterRow, BikeNumber]]:
    """Yield each row with its number. One without is its rider's bike, or gets the lowest number that is free."""
    taken = {row.number for row in rows if row.number is not None}
    by_rider = {fold_name(get_rider(bike)): number for number, same in bikes.items() for bike in same}
    following = 1
    for row in rows:
        number = row.number
        if number is None:
            number = by_rider.get(fold_name(row.cells.get("rider", ""))) if row.cells.get("rider") else None
            if number is None or number in taken:
                while following in taken or following in bikes:
                    following += 1
                number = following
            taken.add(number)
        yield row, number


def _list_numbers(lines: Sequence[RosterLine]) -> str:
    numbers = [str(line.number) for line in lines[:MAX_NAMED]]
    if more := len(lines) - len(numbers):
        numbers.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    return join_and(numbers)


def _name_bikes(text: str, lines: Sequence[RosterLine], new: Sequence[RosterLine]) -> str:
    """Return a sentence about bikes with their numbers, unless it is about all of them."""
    sentence = text % {"count": len(lines)}
    return f"{sentence}." if len(lines) == len(new) else f"{label_value(sentence, _list_numbers(lines))}."


def _guess_number(names: Sequence[str], body: Sequence[Record]) -> int | None:
    """Return the index of the column with the number: by its name unless the content contradicts, else by its content.

    If the first row has a number in it, nothing is guessed from the content: that row may be a bike.
    """
    known_names = [simplify_name(name) for name in FIELDS["number"].names]
    examined = [record.cells for record in body[:ROWS_EXAMINED]]
    cells = [[row[index] for row in examined if row[index]] for index in range(len(names))]
    named = [index for index, name in enumerate(names) if name in known_names]
    numeric = [index for index in named if _count_numbers(cells[index]) * 2 >= len(cells[index])]
    ambiguous = (*NUMBER_OR_MAKE_NAMES, *NUMBER_OR_REGISTRATION_NAMES)
    unambiguous = [index for index in named if names[index] not in ambiguous]
    if numeric or unambiguous:
        return min(numeric or unambiguous, key=lambda index: known_names.index(names[index]))
    if any(_count_numbers([name]) for name in names):
        return None
    other_names = {simplify_name(name) for key, each in FIELDS.items() if key != "number" for name in each.names}
    for index, name in enumerate(names):
        values = cells[index]
        is_full = len(values) == len(examined) > 0
        is_unique = _count_numbers(values) == len(values) == len(set(values))
        if name and name not in other_names and is_full and is_unique:
            return index
    return None


def _count_numbers(cells: Iterable[str]) -> int:
    return sum(bool(parse_bike_number(tidy_number(cell))) for cell in cells)


class _ClassNames:
    """The classes of an event while a plan is made.

    Attributes:
        names: of the classes that there are or would be, by what they have in common with other spellings.
        new: the names of those that would be made, in order.
        are_fixed: whether something is recorded.
    """

    def __init__(self, names: dict[str, str], own: Mapping[UUID, tuple[str, ...]], *, are_fixed: bool) -> None:
        self.names, self.new, self.are_fixed, self._own = names, list[str](), are_fixed, own

    @classmethod
    def read(cls, event: Event) -> _ClassNames:
        """Return those of an event; one statement if it has none."""
        classes = list(list_classes(event))
        own = read_own_classes(event.pk) if classes else {}
        of_bikes = {pk: tuple(one.name for one in classes if one.pk in given) for pk, given in own.items()}
        return cls({fold_name(one.name): one.name for one in classes}, of_bikes, are_fixed=are_classes_fixed(event))

    def of_bike(self, bike: Bike) -> tuple[str, ...]:
        """Return the names of the classes that a bike has, in order."""
        return self._own.get(bike.pk, ())

    def settle(self, typed: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names as the event spells them, in its order, and those of them that are new."""
        new = []
        for name in typed:
            if fold_name(name) not in self.names:
                self.names[fold_name(name)] = name
                self.new.append(name)
            if self.names[fold_name(name)] in self.new:
                new.append(self.names[fold_name(name)])
        wanted = {fold_name(name) for name in typed}
        return tuple(name for key, name in self.names.items() if key in wanted), tuple(dict.fromkeys(new))


def split_classes(cell: str) -> tuple[str, ...]:
    """Return the classes in a cell, which are separated by commas, semicolons or line breaks; "none" is none.

    A slash is part of a name, "50/125 cc". A class may be called “Solo”, which elsewhere means that nobody rides along.
    """
    parts = cell.replace(";", ",").replace("\n", ",").split(",")
    names = (name for name in map(clean_name, parts) if name and (not is_nobody(name) or name.casefold() == "solo"))
    return tuple({fold_name(name): name for name in names}.values())


def _plan_line(
    row: RosterRow,
    number: BikeNumber,
    bike: Bike | None,
    groups: Mapping[str, str],
    new_groups: dict[str, str],
    classes: _ClassNames,
) -> RosterLine:
    """Compare a row with the bike.

    Args:
        groups: the names of the groups, by what they have in common with other spellings.
        new_groups: those of new groups, likewise; a new one is added.
        classes: likewise.
    """
    before = _get_details(bike, classes) if bike else BikeDetails()
    cells: dict[str, Any] = dict(row.cells)
    new_group = ""
    if name := row.cells.get("group"):
        key = fold_name(name)
        new_group = "" if key in groups else new_groups.setdefault(key, name)
        cells["group"] = groups.get(key, new_group)
    # The same people in another order are not a change.
    if row.passengers is not None and sorted(row.passengers) != sorted(before.passengers):
        cells["passengers"] = row.passengers
    new_classes: tuple[str, ...] = ()
    if row.classes is not None:
        cells["classes"], new_classes = classes.settle(row.classes)
    after = before._replace(**cells)
    changes = tuple(_list_changes(before, after)) if bike else ()
    return RosterLine(
        is_new=bike is None,
        row=row,
        number=number,
        bike=bike,
        details=after,
        changes=changes,
        new_group=new_group,
        new_classes=new_classes,
    )


def _get_details(bike: Bike, classes: _ClassNames) -> BikeDetails:
    group = bike.group.name if bike.group else ""
    of_bike = classes.of_bike(bike)
    return BikeDetails(get_rider(bike), list_passengers(bike), bike.make, bike.model, group, of_bike)


def _list_changes(before: BikeDetails, after: BikeDetails) -> Iterator[Change]:
    for key in BikeDetails._fields:
        old, new = getattr(before, key), getattr(after, key)
        if old != new:
            yield Change(FIELDS[key].label, _format_value(old), _format_value(new))


def _format_value(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _create_bikes(
    event: Event, lines: Iterable[RosterLine], groups: Mapping[str, Group], class_ids: Mapping[str, UUID]
) -> None:
    """Create all new bikes at once; a club can have thousands."""
    bikes: list[Bike] = []
    people: list[Player] = []
    members: list[ClassMember] = []
    for line in lines:
        details = line.details
        group = groups.get(fold_name(details.group))
        bike = Bike(event=event, number=line.number, make=details.make, model=details.model, group=group)
        bikes.append(bike)
        if details.rider:
            people.append(Player(event=event, bike=bike, name=details.rider, role=Player.Role.RIDER))
        people += [Player(event=event, bike=bike, name=name, role=Player.Role.PASSENGER) for name in details.passengers]
        ids = [class_ids[fold_name(name)] for name in details.classes]
        members += [ClassMember(event_class_id=class_id, bike=bike) for class_id in ids]
    Bike.objects.bulk_create(bikes)
    Player.objects.bulk_create(people)
    ClassMember.objects.bulk_create(members)
