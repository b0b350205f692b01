"""Guesses which column of a roster file has which field of a bike.

The guess uses the name of the column and, for the number, also its content: a column "Bike" may have numbers or makes.
The organiser sees the guess and can change it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from scorekeeper.common.spreadsheet_columns import assign_by_name, simplify_name

ROWS_EXAMINED = 50  # rows that decide whether a column has numbers

FIELDS: Mapping[str, str | Promise] = {
    "number": gettext_lazy("Number"),
    "rider": gettext_lazy("Rider"),
    "passengers": gettext_lazy("Passengers"),
    "make": gettext_lazy("Make"),
    "model": gettext_lazy("Model"),
    "group": gettext_lazy("Group"),
}
# The clearest names come first: if several columns could be a field, the one with the earliest name is used.
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
LISTS = ("passengers",)  # several passengers are often in a column each
NUMBER_OR_MAKE_NAMES = ("bike", "motorcycle", "motorrad")  # a column with such a name has makes if it has no numbers


def guess_fields(header: Sequence[str], body: Sequence[Sequence[str]]) -> list[str]:
    """Return the field that the name and content of each column suggest; "" for a column that is not used."""
    names = [simplify_name(name) for name in header]
    fields = [""] * len(names)
    number = _guess_number(names, body)
    if number is not None:
        fields[number] = "number"
    others = {field: known for field, known in COLUMN_NAMES.items() if field != "number"}
    assign_by_name(fields, names, others, repeatable=LISTS)
    if "make" not in fields:
        for index, name in enumerate(names):
            if name in NUMBER_OR_MAKE_NAMES and not fields[index]:
                fields[index] = "make"
                break
    return fields


def _guess_number(names: Sequence[str], body: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the column with the number: by its name unless the content contradicts, else by its content.

    If the first row has a number in it, nothing is guessed from the content: that row may be a bike.
    """
    known_names = COLUMN_NAMES["number"]
    cells = [
        [row[index] for row in body[:ROWS_EXAMINED] if index < len(row) and row[index]] for index in range(len(names))
    ]
    named = [index for index, name in enumerate(names) if name in known_names]
    numeric = [index for index in named if _count_numbers(cells[index]) * 2 >= len(cells[index])]
    unambiguous = [index for index in named if names[index] not in NUMBER_OR_MAKE_NAMES]
    if numeric or unambiguous:
        return min(numeric or unambiguous, key=lambda index: known_names.index(names[index]))
    if any(_count_numbers([name]) for name in names):
        return None
    other_names = {name for field, aliases in COLUMN_NAMES.items() if field != "number" for name in aliases}
    for index, name in enumerate(names):
        values = cells[index]
        is_full = len(values) == len(body[:ROWS_EXAMINED]) > 0
        is_unique = _count_numbers(values) == len(values) == len(set(values))
        if name and name not in other_names and is_full and is_unique:
            return index
    return None


def _count_numbers(cells: Sequence[str]) -> int:
    return sum(cell.isascii() and cell.isdigit() and len(cell) <= 5 and int(cell) > 0 for cell in cells)
