"""Every text has its translation, with the same placeholders, and rule books have the same clauses in all languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from config.catalogues import compile_catalogue
from games.core.registry import list_game_packages
from scorekeeper.common.user_strings import MarkedText, list_marked_texts
from tests.programs import ROOT
from tools.translations import (
    get_path,
    list_doubly_marked,
    list_languages,
    list_long_texts,
    list_problems,
    make_templates,
    read_catalogue,
    read_limits,
    update,
    write_catalogue,
)

LANGUAGES = list_languages()
FOLDERS = ["games/core", *(f"games/{package.rpartition('.')[2]}" for package in list_game_packages())]
CLAUSE = re.compile(r"\b[A-Z]{3,}-\d+\b")
EAGER = {"gettext", "ngettext", "pgettext", "npgettext"}
NUMBER = re.compile(r"\d+")
# Words that change before certain sounds, by language. A name may begin with any.
CHANGING_WORDS = {
    "es": re.compile(r"\b(?:y|o)\s(?:<\w+>|“)?%\((\w+)\)", re.IGNORECASE),
    "fr": re.compile(r"\b(?:de|que|le|la|ne|se|me|te|je|jusque|lorsque|puisque)\s(?:<\w+>)?%\((\w+)\)", re.IGNORECASE),
}
# What placeholders with these names are filled with begins with a digit, or with a word of a known list.
NO_NAMES = frozenset(
    (
        *("added", "before", "bike", "chance", "count", "counted", "counter", "created", "date", "ended", "ends"),
        *("excess", "fair", "folder", "from", "last", "limit", "longest", "low", "made", "minutes", "most"),
        *("number", "opens", "people", "place", "points", "recorded", "reviews", "roles", "second", "start", "stops"),
        *("suit", "target", "threshold", "time", "total", "used", "value", "war", "when"),
    )
)

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def templates() -> Mapping[str, Catalog]:
    """The texts of the program, by folder."""
    return make_templates()


def test_there_is_a_glossary_for_every_language() -> None:
    assert {"de", "es", "fr"} <= set(LANGUAGES)
    assert [code for code in LANGUAGES if not (ROOT / "locale" / code / "glossary.md").is_file()] == []


@every_language
def test_every_text_is_translated_with_its_placeholders(language: str, templates: Mapping[str, Catalog]) -> None:
    problems = [
        str(problem)
        for folder, template in templates.items()
        for path in [get_path(folder, language)]
        for problem in list_problems(path.relative_to(ROOT), read_catalogue(path), template)
    ]
    assert problems == [], "run make translations, then translate what it names"


def test_no_text_has_a_plural_form_in_one_place_and_none_in_another() -> None:
    assert [str(problem) for problem in list_doubly_marked(list_marked_texts(ROOT))] == []


def test_a_text_with_a_plural_form_in_one_place_only_is_named() -> None:
    alone, counted = (MarkedText("Card", plural, None, "scorekeeper/page.py", 1) for plural in (None, "Cards"))
    assert len([*list_doubly_marked([alone, counted, alone])]) == 1
    assert [*list_doubly_marked([alone, counted._replace(context="of a deck")])] == []


@every_language
def test_no_translation_is_longer_than_its_place(language: str, templates: Mapping[str, Catalog]) -> None:
    limits, found = read_limits(), []
    for folder in templates:
        path = get_path(folder, language)
        found += [str(problem) for problem in list_long_texts(path.relative_to(ROOT), read_catalogue(path), limits)]
    assert found == []
    texts = {text for template in templates.values() for message in template for text in [message.id] if text}
    assert set(limits) <= {text if isinstance(text, str) else text[0] for text in texts}


def test_a_translation_that_is_too_long_is_named() -> None:
    catalogue = Catalog("de")
    catalogue.add("Clear", "Alles wieder leeren")
    (problem,) = list_long_texts(Path("django.po"), catalogue, {"Clear": 16})
    assert "19 characters" in problem.why


@every_language
def test_a_text_has_one_translation_in_all_catalogues(language: str, templates: Mapping[str, Catalog]) -> None:
    """Django reads them as one; a text with two meanings needs a context."""
    found: dict[object, object] = {}
    catalogues = [read_catalogue(get_path(folder, language)) for folder in templates]
    messages = [message for catalogue in catalogues for message in catalogue if message.id]
    keys = [(message.context, message.id, message.string) for message in messages]

    differing = [
        (text, found[context, text], own)
        for context, text, own in keys
        if found.setdefault((context, text), own) != own
    ]

    assert differing == []


@pytest.mark.parametrize("language", CHANGING_WORDS)
def test_no_name_follows_a_word_that_changes_before_some_names(language: str, templates: Mapping[str, Catalog]) -> None:
    """“Téléphone de Emil” should be “d’Emil”: the sentence is built differently, such as “Emil : …”."""
    found = [
        (text, name)
        for folder in templates
        for message in read_catalogue(get_path(folder, language))
        for text in ([message.string] if isinstance(message.string, str) else message.string or ())
        for name in CHANGING_WORDS[language].findall(text)
        if name not in NO_NAMES
    ]
    assert found == []


@every_language
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_translated_rule_book_has_the_same_clauses_in_the_same_order(language: str, folder: str) -> None:
    original = (ROOT / folder / "rulebook.md").read_text("utf-8")
    translated = (ROOT / folder / f"rulebook.{language}.md").read_text("utf-8")

    assert CLAUSE.findall(translated) == CLAUSE.findall(original)
    assert [line.split()[0] for line in translated.splitlines() if line.startswith("#")] == [
        line.split()[0] for line in original.splitlines() if line.startswith("#")
    ]
    assert sorted(NUMBER.findall(translated)) == sorted(NUMBER.findall(original))


# The tool itself


def make_template(*texts: str | tuple[str, str]) -> Catalog:
    found = Catalog()
    for text in texts:
        found.add(text, locations=[("templates/page.html", 1)])
    return found


def check(path: Path, template: Catalog, **translations: str) -> list[str]:
    """Return what is wrong with a catalogue that has been brought up to date."""
    catalogue = read_catalogue(path)
    update(catalogue, template)
    for message in catalogue:
        if message.id in translations.values():
            message.string = message.id
    write_catalogue(path, catalogue)
    return [problem.why for problem in list_problems(path, read_catalogue(path), template)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return get_path("", "de", tmp_path)


def test_a_new_text_is_missing_until_it_is_translated(path: Path) -> None:
    template = make_template("Bike %(number)s")
    assert check(path, template) == ["it is not translated"]

    assert check(path, template, own="Bike %(number)s") == []


@pytest.mark.parametrize(
    ("text", "translation", "why"),
    [
        ("Bike %(number)s", "Motorrad", "it has [], and the text ['%(number)s']"),
        ("Bike %(number)s", "Motorrad %(nummer)s", "it has ['%(nummer)s'], and the text ['%(number)s']"),
        ("<b>Bike</b>", "<b>Motorrad", "it has ['<b>'], and the text ['</b>', '<b>']"),
        (("%(n)s bike", "%(n)s bikes"), ("%(n)s Motorrad", "Motorräder"), "it has [], and the text ['%(n)s']"),
        (("%(n)s bike", "%(n)s bikes"), ("ein Motorrad", "%(n)s Motorräder"), None),
    ],
)
def test_placeholders_must_be_the_same(
    path: Path, text: str | tuple[str, str], translation: str | tuple[str, str], why: str | None
) -> None:
    template, catalogue = make_template(text), read_catalogue(path)
    update(catalogue, template)
    for message in catalogue:
        if message.id:
            message.string = translation

    assert [problem.why for problem in list_problems(path, catalogue, template)] == ([] if why is None else [why])


def test_a_text_that_was_changed_is_doubtful_and_one_that_is_gone_goes(path: Path) -> None:
    check(path, make_template("Open the event now", "Close"), first="Open the event now", second="Close")

    assert check(path, make_template("Open the event today")) == ["it was translated for another text (fuzzy)"]
    assert [message.id for message in read_catalogue(path) if message.id] == ["Open the event today"]


def test_a_catalogue_is_the_same_when_it_is_written_again(path: Path) -> None:
    template = make_template("One", ("%(n)s bike", "%(n)s bikes"))
    check(path, template)
    before = path.read_bytes()

    check(path, template)

    assert path.read_bytes() == before


def test_the_program_reads_what_was_compiled(path: Path) -> None:
    template = make_template("Stop")
    check(path, template, own="Stop")
    compile_catalogue(path)

    assert path.with_suffix(".mo").read_bytes()[:4] in (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde")


def test_no_text_gets_its_language_when_the_program_starts() -> None:
    """At the level of a module or a class, only lazy texts follow the language of each reader."""
    eager = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "scorekeeper").rglob("*.py"))
        for line in list_eager_texts(ast.parse(path.read_text("utf-8")))
    ]
    assert eager == []


def test_such_a_text_is_found() -> None:
    source = """
from django.utils.translation import gettext as _, gettext_lazy
LAZY = gettext_lazy("lazy")
class Form:
    label = _("too early")
    def show(self, text=_("too early as well")):
        return _("in time")
"""
    assert list(list_eager_texts(ast.parse(source))) == [5, 6]


def list_eager_texts(module: ast.Module) -> Iterator[int]:
    """Yield the lines of calls of gettext functions outside functions."""
    imports = [node for node in module.body if isinstance(node, ast.ImportFrom)]
    names = {
        alias.asname or alias.name
        for node in imports
        if node.module == "django.utils.translation"
        for alias in node.names
        if alias.name in EAGER
    }
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node.lineno
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            waiting += getattr(node, "decorator_list", [])
        else:
            waiting += ast.iter_child_nodes(node)
