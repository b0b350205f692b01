"""`make translations`: brings the catalogues up to date with the texts in code and pages, and checks them.

The texts of a game lie in its folder, those of everything else in `locale`, each in `<code>/LC_MESSAGES/django.po`.
`scorekeeper.common.user_strings` finds the texts, so GNU gettext is not needed. The form that the program reads
(`django.mo`) is made beside each catalogue, and not stored.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from django.utils.translation import to_language, to_locale

from config.catalogues import compile_catalogue
from scorekeeper.common.user_strings import MarkedText, list_marked_texts

ROOT = Path(__file__).resolve().parent.parent
PLACEHOLDER = re.compile(r"%\(\w+\)[ds]|%%|</?\w+[^>]*>")
MAIN = ""  # the folder of the texts of everything but the games


class Problem(NamedTuple):
    """What is wrong with a translation."""

    file: Path
    text: str
    why: str

    def __str__(self) -> str:
        return f"{self.file}: “{self.text}”: {self.why}"


def list_languages(root: Path = ROOT) -> list[str]:
    """Return the codes of the languages that have a catalogue."""
    return sorted(to_language(path.parent.name) for path in root.glob("locale/*/LC_MESSAGES"))


def get_path(folder: str, language: str, root: Path = ROOT) -> Path:
    """Return where a catalogue is.

    Args:
        folder: of the texts, such as "games/rogue"; `MAIN` for those of no game.
    """
    return root / folder / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"


def make_templates(root: Path = ROOT) -> Mapping[str, Catalog]:
    """Return the texts to translate, by folder, in the order of the files."""
    found: dict[str, Catalog] = {}
    for marked in list_marked_texts(root):
        folder = _get_folder(marked)
        texts = marked.text if marked.plural is None else (marked.text, marked.plural)
        found.setdefault(folder, Catalog()).add(texts, locations=[(marked.path, marked.line)], context=marked.context)
    return found


def list_doubly_marked(texts: Iterable[MarkedText]) -> Iterator[Problem]:
    """Yield the texts that are marked with a plural form in one place, and without in another.

    A catalogue has one entry for both, with plural forms, in which the place without finds nothing: it stays English.
    """
    plurals: dict[tuple[str, str, str | None], set[str | None]] = {}
    for marked in texts:
        key = _get_folder(marked), marked.text, marked.context
        plurals.setdefault(key, set()).add(marked.plural)
    for (folder, text, _context), found in plurals.items():
        if len(found) > 1:
            yield Problem(
                Path(folder or "locale"), text, "it has a plural form in one place only; give it a context there"
            )


def _get_folder(marked: MarkedText) -> str:
    parts = Path(marked.path).parts
    return "/".join(parts[:2]) if parts[0] == "games" and len(parts) > 2 else MAIN


def read_catalogue(path: Path) -> Catalog:
    """Return a catalogue; an empty one if it is not there yet.

    Raises:
        PoFileError: it cannot be read.
    """
    language = path.parent.parent.name
    if not path.is_file():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, locale=language, ignore_obsolete=True, abort_invalid=True)


def update(catalogue: Catalog, template: Catalog) -> None:
    """Add the texts that are new, with the nearest translation marked as doubtful, and remove those that are gone."""
    catalogue.update(template, update_creation_date=False)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False


def write_catalogue(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue with a head that stays the same however often it is written."""
    heads = {
        "Language": path.parent.parent.name,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": catalogue.plural_forms,
    }
    lines = ['msgid ""', 'msgstr ""', *(f'"{name}: {value}\\n"' for name, value in heads.items()), "", ""]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write("\n".join(lines).encode())
        write_po(file, catalogue, width=0, omit_header=True, ignore_obsolete=True, include_lineno=False)


def list_problems(path: Path, catalogue: Catalog, template: Catalog) -> Iterator[Problem]:
    """Yield what is wrong: texts that are missing, gone or doubtful, and placeholders or plural forms that differ."""
    keys = {_get_key(message) for message in template if message.id}
    for message in catalogue:
        if message.id and _get_key(message) not in keys:
            yield Problem(path, _get_first(message.id), "it is no text of the program any more")
        elif message.id:
            for why in _list_faults(message, catalogue.num_plurals):
                yield Problem(path, _get_first(message.id), why)
    for text, _context in sorted(keys - {_get_key(message) for message in catalogue}, key=str):
        yield Problem(path, text, "it is not in the catalogue; run make translations")


def read_limits(root: Path = ROOT) -> dict[str, int]:
    """Return the most characters that a translation may have, for each text whose place is narrow."""
    sections = tomllib.loads((root / "locale" / "limits.toml").read_text("utf-8"))
    return {text: most for section in sections.values() for text, most in section.items()}


def list_long_texts(path: Path, catalogue: Catalog, limits: Mapping[str, int]) -> Iterator[Problem]:
    """Yield the translations that are too long for their place."""
    for message in catalogue:
        most = limits.get(_get_first(message.id)) if message.id and message.context is None else None
        for text in _to_tuple(message.string):
            if most is not None and len(text) > most:
                yield Problem(
                    path, _get_first(message.id), f"“{text}” has {len(text)} characters, its place has {most}"
                )


def _get_key(message: Message) -> tuple[str, str | None]:
    return _get_first(message.id), message.context


def _list_faults(message: Message, plural_count: int) -> Iterator[str]:
    if message.fuzzy:
        yield "it was translated for another text (fuzzy)"
    sources, found = _to_tuple(message.id), _to_tuple(message.string)
    if message.pluralizable and len(found) != plural_count:
        yield f"it has {len(found)} plural forms, and its language {plural_count}"
    if not all(found):
        yield "it is not translated"
        return
    for index, text in enumerate(found):
        source = sources[min(index, len(sources) - 1)]
        wanted, has = _count(source), _count(text)
        # For one thing, the number may be a word, or the other way round.
        if index == 0 and message.pluralizable:
            if not set(has) <= {*wanted, *_count(sources[-1])}:
                yield f"it has {has}, and the text {wanted}"
        elif wanted != has:
            yield f"it has {has}, and the text {wanted}"


def _to_tuple(texts: str | Iterable[str] | None) -> tuple[str, ...]:
    return (texts or "",) if texts is None or isinstance(texts, str) else tuple(texts)


def _get_first(texts: str | Iterable[str]) -> str:
    return _to_tuple(texts)[0]


def _count(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def main() -> int:
    """Bring the catalogues up to date, check and compile them, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.translations", description=__doc__)
    parser.add_argument("languages", nargs="*", help="codes of languages to add, such as it or pt-br")
    options = parser.parse_args()
    problems = list(list_doubly_marked(list_marked_texts(ROOT)))
    limits = read_limits()
    for language in sorted({*list_languages(), *options.languages}):
        for folder, template in make_templates().items():
            path = get_path(folder, language)
            catalogue = read_catalogue(path)
            update(catalogue, template)
            write_catalogue(path, catalogue)
            problems += list_problems(path.relative_to(ROOT), catalogue, template)
            problems += list_long_texts(path.relative_to(ROOT), catalogue, limits)
            compile_catalogue(path)
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
