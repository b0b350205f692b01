"""Understands what people write into the cells of a list, and what programs have made of it.

Numbers, nobody, one name or several; dates that a spreadsheet made of a model, texts read in a wrong encoding, totals.
"""

from __future__ import annotations

import re
import unicodedata

from scorekeeper.common.names import clean_name

# What people write for “nobody”, in English, German, French and Spanish.
NOBODY = frozenset(
    (
        *("-", "–", "—", "/", ".", "x", "0", "no", "none", "nobody", "no one", "no-one", "nil", "null", "n/a", "na"),
        *("n.a.", "n.a", "tbc", "tba", "tbd", "solo", "alone", "nein", "kein", "keine", "keiner", "niemand", "allein"),
        *("non", "aucun", "aucune", "personne", "seul", "seule", "ninguno", "ninguna", "nadie", "sin", "sólo"),
    )
)
_SUFFIXES = frozenset(("jr", "sr", "jun", "sen", "junior", "senior", "ii", "iii", "iv", "md", "phd"))
_LIST_BREAK = re.compile(r"[;\n]|\s[/&+]\s|/(?=\S\S)|&|\s+(?:and|und|et|y|(?-i:e)(?=\s+h?[iíy]))\s+", re.IGNORECASE)
_DECORATION = re.compile(r"^(?:#|№|n[or°º]?\.?\s*(?=\d)|no\.?\s*)", re.IGNORECASE)
_GROUPED = re.compile(r"\d{1,3}(?:[,.'’ \u202f]\d{3})+")  # digits in groups of three: 1,204
_WHOLE = re.compile(r"(\d+)[.,]0{1,2}")  # 12.0; three zeros are a group of digits
_MOJIBAKE = re.compile("[ÂÃÄÅâ][\u0080-\u00bf\u0152-\u0178\u02c6-\u02dc\u2013-\u203a\u20ac\u2122]")
_MONTHS = (
    *("jan", "feb", "mar", "mär", "mrz", "apr", "may", "mai", "jun", "jul", "aug", "sep", "oct", "okt", "nov", "dec"),
    *("dez", "janv", "févr", "mars", "avr", "juin", "juil", "août", "sept", "déc", "ene", "abr", "ago", "dic"),
)
_MADE_DATE = re.compile(
    rf"\d{{4}}-\d\d-\d\d(?: 00:00:00)?|\d{{1,2}}[-. ]\s?(?:{'|'.join(_MONTHS)})\.?|(?:{'|'.join(_MONTHS)})\.?[-. ]\d\d",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:grand |sub)?(?:total|totals|totale?s?|sum|summe|gesamt|gesamtsumme|anzahl|count|somme|suma)"
    r"(?:\s+(?:bikes?|riders?|entries|teilnehmer|fahrer|motos?|général|general))?\s*[:=]?\s*[\d.,]*",
    re.IGNORECASE,
)


def tidy_number(cell: str) -> str:
    """Return a number as it is written without decoration: "12" for "#12", "12.0", "No. 12"; "1204" for "1,204"."""
    text = _DECORATION.sub("", clean_name(cell)).strip()
    if whole := _WHOLE.fullmatch(text):
        return whole[1]
    return re.sub(r"\D", "", text) if _GROUPED.fullmatch(text) else text


def is_nobody(cell: str) -> bool:
    """Return whether a cell says that there is nobody: "none", "n/a", "-"."""
    return clean_name(cell).casefold() in NOBODY


def is_total(cells: list[str]) -> bool:
    """Return whether a row reads like a total of the rows above it: its first word is one, and no name follows it."""
    filled = [cell for cell in cells if cell]
    return (
        bool(filled)
        and _TOTAL.fullmatch(filled[0]) is not None
        and all(re.fullmatch(r"[\d.,\s]*", one) for one in filled[1:])
    )


# Before a formula of a workbook whose value was never computed. Any other text may begin with "=".
FORMULA_MARK = "#FORMULA "


def is_made_date(cell: str) -> bool:
    """Return whether a cell has a date as spreadsheets make them of text such as "9/3"."""
    return _MADE_DATE.fullmatch(cell.strip()) is not None


def repair_encoding(cell: str) -> str:
    """Return a text that was UTF-8 and once read as Windows-1252, as it was: "René" for "RenÃ©"; any other as it is."""
    if not _MOJIBAKE.search(cell):
        return cell
    try:
        return b"".join(_encode(char) for char in cell).decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return cell


def _encode(char: str) -> bytes:
    """Return the byte that a character stands for. Windows-1252 lacks five; programs keep these as controls."""
    return char.encode("latin-1" if "\x80" <= char <= "\x9f" else "cp1252")


def looks_garbled(text: str) -> bool:
    """Return whether a text seems to have been read in a wrong encoding."""
    return _MOJIBAKE.search(text) is not None or "\ufffd" in text


def turn_name(cell: str) -> str:
    """Return a name that is written last name first as it is said: "Dora Example" for "Example, Dora"."""
    parts = [clean_name(part) for part in cell.split(",")]
    if len(parts) != 2 or not all(parts) or _is_suffix(parts[1]):
        return clean_name(cell)
    return f"{parts[1]} {parts[0]}"


def split_people(cell: str, rider: str = "") -> tuple[str, ...]:
    """Return the people in a cell, without those that say "nobody".

    People are separated by semicolons, slashes, line breaks, "&" or "and", and by commas. A comma before "Jr." is part
    of a name, and so is one between two single words if the rider's name has several: "Example, Dora" is one person.

    Args:
        rider: the name of the rider in the same row; "" if it is not known.
    """
    people: list[str] = []
    for part in _LIST_BREAK.split(cell):
        names = [name for name in map(clean_name, part.split(",")) if name]
        if len(names) == 2 and " " in rider and not any(" " in name for name in names) and not _is_suffix(names[1]):
            names = [f"{names[1]} {names[0]}"]
        for place, name in enumerate(names):
            if place and _is_suffix(name):
                people[-1] = f"{people[-1]}, {name}"
            else:
                people.append(name)
    return tuple(name for name in people if not is_nobody(name))


def _is_suffix(word: str) -> bool:
    return word.rstrip(".").casefold() in _SUFFIXES


def reduce_name(name: str) -> str:
    """Return what names that look alike have in common: no accents, case, blanks or signs, and 0 for O, 1 for I."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(char for char in letters if char.isalnum())
    return kept.translate(str.maketrans("oil", "011")).replace("ß", "ss")
