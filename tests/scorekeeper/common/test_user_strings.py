"""`manage.py strings` lists every text that people see, with its places."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from scorekeeper.common.user_strings import UserString, find_in_python, find_in_template, list_user_strings
from tests.event_words import list_rides


@pytest.fixture(scope="module")
def lines() -> list[tuple[str, str]]:
    """The command's lines: a text, and its places."""
    out = StringIO()
    call_command("strings", stdout=out)
    return [(text, places) for text, _tab, places in (line.partition("\t") for line in out.getvalue().splitlines())]


@pytest.mark.slow  # lists all of them
@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("Enter the name of the stop.", "scorekeeper/stops/forms.py"),
        ("Swap entries with another phone", "templates/offline/swap.html"),
        ("No die here has the face “%(face)s”. The faces are %(faces)s.", "games/"),
        ("Rogue out: %(rogues)s of 6.", "games/rogue/"),
        ("%(count)s entries need your decision", "templates/desk/_attention.html"),
    ],
)
def test_texts_of_modules_templates_and_games_are_listed(lines: list[tuple[str, str]], text: str, file: str) -> None:
    [places] = [places for one, places in lines if one == text]
    assert file in places


@pytest.mark.slow
def test_each_text_has_one_line_and_the_lines_are_sorted(lines: list[tuple[str, str]]) -> None:
    texts = [text for text, _places in lines]
    assert len(texts) == len(set(texts))
    assert texts == sorted(texts, key=str.casefold)


@pytest.mark.slow
def test_every_text_calls_an_event_by_one_word(lines: list[tuple[str, str]]) -> None:
    assert [f"{places}: {found}" for text, places in lines for found in list_rides(text)] == []


def test_both_forms_of_a_plural_are_found_by_the_name_under_which_the_function_was_imported() -> None:
    source = (
        "from django.utils.translation import gettext as _, ngettext_lazy\n"
        'A = _("one "\n  "text")\n'
        'B = ngettext_lazy("a bike", "bikes")\n'
        'C = other("not a text")\n'
    )
    assert [(found.text, found.plural, found.line) for found in find_in_python(source)] == [
        ("one text", None, 2),
        ("a bike", "bikes", 4),
    ]


def test_a_text_with_a_context_is_found_with_it() -> None:
    source = 'from django.utils.translation import pgettext\npgettext("month", "May")'
    assert [(found.context, found.text) for found in find_in_python(source)] == [("month", "May")]


def test_a_text_inside_another_is_found() -> None:
    source = "from django.utils.translation import gettext as _\nx = f\"{_('one.')} {_('two.')}\""
    assert [found.text for found in find_in_python(source)] == ["one.", "two."]


def test_a_function_that_was_not_imported_marks_nothing() -> None:
    assert list(find_in_python('def _(x): return x\n_("not for people")')) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('\n{% translate "100% sure" %}', [("100%% sure", None, None, 2)]),
        ("{% translate 'It’s \"quoted\"' %}", [('It’s "quoted"', None, None, 1)]),
        ("{% blocktranslate trimmed %}\n  two\n  lines\n{% endblocktranslate %}", [("two lines", None, None, 1)]),
        ("{% blocktranslate count n=n %}one{% plural %}{{ n }}{% endblocktranslate %}", [("one", "%(n)s", None, 1)]),
        ('{% translate "May" context "month" %}', [("May", None, "month", 1)]),
        ('{% include "x.html" with label=_("Bike") %}', [("Bike", None, None, 1)]),
        ("{# translate #}<p>{{ name }}</p>", []),
    ],
)
def test_every_way_to_mark_a_text_in_a_template_is_found(
    source: str, found: list[tuple[str, str | None, str | None, int]]
) -> None:
    assert [(one.text, one.plural, one.context, one.line) for one in find_in_template(source)] == found


def test_people_see_one_percent_sign(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "page.html").write_text('{% translate "100% sure" %}')
    assert [found.text for found in list_user_strings(tmp_path, ("templates",))] == ["100% sure"]


def test_migrations_and_files_outside_templates_are_left_out(tmp_path: Path) -> None:
    marked = 'from django.utils.translation import gettext as _\n_("{}")'
    for place, text in (("app/migrations/0001.py", "old"), ("app/forms.py", "new")):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(marked.format(text))
    (tmp_path / "app" / "page.html").write_text('{% translate "not a template of a page" %}')
    assert list_user_strings(tmp_path, ("app",)) == [UserString("new", "app/forms.py", 2)]


# Where dice are on the page: entering them, prizes for rolls, the luck of throws, and whether dice are fair.
ABOUT_DICE = (
    *("scorekeeper/dice/", "templates/dice/", "games/", "scorekeeper/prizes/", "scorekeeper/ledger/models.py"),
    *("scorekeeper/scorecards/turn_form_presenter.py", "templates/crew/group.html", "templates/desk/_afterwards.html"),
    *("templates/results/_luck", "scorekeeper/results/luck_presenter.py"),
)


@pytest.mark.slow
def test_texts_for_all_games_say_played_since_not_every_game_has_dice(lines: list[tuple[str, str]]) -> None:
    found = [
        f"{places}: {text}"
        for text, places in lines
        if re.search(r"(?<!\()\b(rolled|rolls|to roll|enter(ed)? (the )?dice)\b", text)
        and not all(place.startswith(ABOUT_DICE) for place in places.split(", "))
    ]
    assert found == []
