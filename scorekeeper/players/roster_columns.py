"""Which column of a roster holds what.

Terms: a *field* is what we keep of a bike, a *column* what the file has. The guess is made from the column's name and,
for the number, from what is in it: "Bike" may hold numbers or makes. The organiser sees the guess and can change it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

SAMPLE_ROWS = 3
ROWS_EXAMINED = 50  # rows that decide whether a column holds numbers

FIELDS: Mapping[str, str | Promise] = {
    "number": gettext_lazy("Number"),
    "rider": gettext_lazy("Rider"),
    "passengers": gettext_lazy("Passengers"),
    "make": gettext_lazy("Make"),
    "model": gettext_lazy("Model"),
    "group": gettext_lazy("Group"),
}
# The surest names come first: of several columns that could be a field, the first of these is taken.
COLUMN_NAMES: Mapping[str, Sequence[str]] = {
    "number": (
        *("number", "bike number", "bike no", "start number", "start no", "startnumber", "startnummer", "startnr"),
        *("race number", "plate", "nummer", "nr", "no", "#", "bike", "motorcycle", "motorrad"),
    ),
    "rider": ("rider", "rider name", "driver", "fahrer", "fahrerin", "name"),
    "passengers": ("passengers", "passenger", "passenger(s)", "pillion", "co-rider", "beifahrer", "sozius", "sozia"),
    "make": ("make", "brand", "manufacturer", "marke", "hersteller"),
    "model": ("model", "type", "modell", "typ"),
    "group": ("group", "group name", "gruppe"),
}
NUMBER_OR_MAKE_NAMES = ("bike", "motorcycle", "motorrad")  # names of a column of makes, where it does not hold numbers


@dataclass(frozen=True)
class RosterColumn:
    """A column of the file: its place from 0, its name, what the first rows have in it, and the field it is read as.

    The field is "" for a column that is not used.
    """

    index: int
    name: str
    samples: tuple[str, ...]
    field: str

    @property
    def title(self) -> str:
        """Its name, or its place where it has none."""
        return self.name or _("Column %(number)s") % {"number": self.index + 1}


def guess_fields(header: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Return the field of each column as its name and content suggest it; "" for one that is not used."""
    names = [_simplify(name) for name in header]
    fields = [""] * len(names)
    number = _guess_number(names, body)
    if number is not None:
        fields[number] = "number"
    for field, known in COLUMN_NAMES.items():
        fitting = [index for index, name in enumerate(names) if name in known and not fields[index]]
        if field == "passengers":
            for index in fitting:  # one name a column is a common way to write several
                fields[index] = field
        elif field != "number" and fitting:
            fields[min(fitting, key=lambda index: known.index(names[index]))] = field
    if "make" not in fields:
        for index, name in enumerate(names):
            if name in NUMBER_OR_MAKE_NAMES and not fields[index]:
                fields[index] = "make"
                break
    return fields


def _guess_number(names: Sequence[str], body: Sequence[Sequence[str]]) -> int | None:
    """Return the column that holds the number: by its name where the content does not contradict, else by its content.

    Where even the first row has a number in it, nothing is guessed from the content: that row may be a bike.
    """
    known = COLUMN_NAMES["number"]
    cells = [
        [row[index] for row in body[:ROWS_EXAMINED] if index < len(row) and row[index]] for index in range(len(names))
    ]
    named = [index for index, name in enumerate(names) if name in known]
    fitting = [index for index in named if _count_numbers(cells[index]) * 2 >= len(cells[index])]
    sure = [index for index in named if names[index] not in NUMBER_OR_MAKE_NAMES]
    if fitting or sure:
        return min(fitting or sure, key=lambda index: known.index(names[index]))
    if any(_count_numbers([name]) for name in names):
        return None
    taken = {name for field, words in COLUMN_NAMES.items() if field != "number" for name in words}
    for index, name in enumerate(names):
        own = cells[index]
        is_full = len(own) == len(body[:ROWS_EXAMINED]) > 0
        if name and name not in taken and is_full and _count_numbers(own) == len(own) == len(set(own)):
            return index
    return None


def _count_numbers(cells: Sequence[str]) -> int:
    return sum(cell.isascii() and cell.isdigit() and len(cell) <= 5 and int(cell) > 0 for cell in cells)


def _simplify(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").replace(".", " ").replace(":", " ").split())
