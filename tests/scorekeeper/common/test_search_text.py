"""What someone finds by a number or by words of a name, in any script; and that the page's script finds the same."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorekeeper.common.names import clean_name
from scorekeeper.common.search_text import MAX_SEARCHED, list_words, read_search
from tests.programs import ROOT
from tests.services import find_node

NAMES = st.text(max_size=60).map(clean_name).filter(bool)
FORMS = [
    lambda name: unicodedata.normalize("NFC", name),
    lambda name: unicodedata.normalize("NFD", name),
    str.upper,
    str.lower,
]


def match(text: str, number: str, name: str = "") -> int | None:
    return read_search(text).match(number, name)


@pytest.mark.parametrize("text", ["17", "#17", "№ 17", "＃１７", "017", " 17 ", "١٧", "१७", "𝟏𝟕"])
def test_a_number_is_found_in_the_digits_of_any_script(text: str) -> None:
    assert match(text, "17") == 0
    assert match(text, "7") is None
    assert match(text, "117") is None


@pytest.mark.parametrize(
    ("text", "number", "rank"),
    [
        ("12A", "12A", 0),
        ("12 a", "12A", 0),
        ("12", "12A", 1),
        ("12a", "12", None),
        ("17/2", "17/2", 0),
        ("17", "17/2", 1),
        ("57 (2)", "57 (2)", 0),
        ("57", "57 (2)", 1),
        ("1", "17", 1),
        ("0", "10", None),
    ],
)
def test_a_number_is_found_by_how_it_begins_and_as_itself_first(text: str, number: str, rank: int | None) -> None:
    assert match(text, number) == rank


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("jose", "José"),
        ("JOSÉ", "Jose\u0301"),
        ("strasse", "Straße"),
        ("STRASSE", "Straße"),
        ("straße", "STRASSE"),
        ("soren", "Søren"),
        ("Søren", "Soren"),
        ("soeren", "Søren"),
        ("mueller", "Jörg Müller"),
        ("muller", "Jörg Müller"),
        ("Müller", "Mueller"),
        ("lukasz", "Łukasz"),
        ("istanbul", "İstanbul"),
        ("ilgin", "Ilgın"),
        ("οδυσσεύς", "ΟΔΥΣΣΕΥΣ"),
        ("ИВАН", "Иван"),
        ("محمد", "مُحَمَّد"),
        ("שלום", "שָׁלוֹם"),
        ("太郎", "山田太郎"),
        ("山田太郎", "山田 太郎"),
        ("オートバイ", "ｵｰﾄﾊﾞｲ"),
        ("김", "김민준"),
        ("zoe ben", "Ben, Zoë"),
        ("marie", "Anne-Marie"),
        ("annemarie", "Anne-Marie"),
        ("obrien", "O’Brien"),
        ("o'brien", "O’Brien"),
        ("ann", "Joanna"),
        ("a b", "A. B."),
        ("57", "Rider of bike 57"),
    ],
)
def test_a_name_is_found_whatever_its_case_accents_width_and_spaces(text: str, name: str) -> None:
    assert match(text, "", name) is not None


@pytest.mark.parametrize(
    ("text", "name"),
    [(".*", "Ann"), ("[A-Z]", "Ann"), ("A|B", "Ann"), ("^Ann$", "Bo"), ("(", "Ann"), ("ann bo", "Ann"), ("%", "Ann")],
)
def test_what_is_typed_is_no_pattern(text: str, name: str) -> None:
    assert match(text, "12", name) is None


def test_words_that_begin_so_come_before_others_and_a_number_may_be_one_of_them() -> None:
    assert (match("ann", "3", "Ann"), match("ann", "4", "Joanna")) == (2, 3)
    assert match("17 ann", "17", "Ann") == 2
    assert match("17 ann", "18", "Ann") is None


def test_nothing_typed_finds_nothing() -> None:
    assert match("", "17", "Ann") is None
    assert match("  ", "17", "Ann") is None


def test_only_the_first_characters_are_looked_at() -> None:
    assert match("a" * MAX_SEARCHED + "b" * 10_000, "", "a" * MAX_SEARCHED) is not None


@given(NAMES)
@example("ß")
@example("ŉ")
@example("ΐ ᾳ")
@example("🏍️ Ann")
@example("???")
@example("`")
@example("´")
@example("ـ")
def test_every_name_is_found_by_itself_in_every_form(name: str) -> None:
    for form in FORMS:
        typed = form(name)
        if len(typed) <= MAX_SEARCHED:
            assert match(typed, "", name) is not None, typed


@given(st.text(), st.text(max_size=12), st.text())
def test_nothing_that_is_typed_fails(text: str, number: str, name: str) -> None:
    assert match(text, number, name) in (0, 1, 2, 3, None)


@pytest.mark.node
@pytest.mark.slow
def test_the_script_of_the_page_splits_and_folds_every_character_alike() -> None:
    node = find_node()
    assert node is not None
    chars = [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) not in ("Cs", "Cn")]
    searched = [["Müller", "5", "Mueller"], ["17", "170", ""], ["１２a", "12A", ""], [".*", "1", "Ann"], ["?", "", "?"]]
    searched += [
        ["zoe ben", "2", "Ben, Zoë"],
        ["0", "10", ""],
        ["", "1", "Ann"],
        ["57 (2", "57 (2)", ""],
        ["#", "1", "#"],
    ]
    script = """
        import { listWords, makeMatcher } from "./static/js/search_text.js";
        let text = "";
        for await (const part of process.stdin.setEncoding("utf8")) text += part;
        const { chars, searched } = JSON.parse(text);
        const words = chars.map((char) => listWords(`a${char}b C`));
        const matches = searched.map(([typed, number, name]) => makeMatcher(typed)(number, name) ?? null);
        console.log(JSON.stringify({ words, matches }));
    """
    answer = subprocess.run(
        [node.program, "--input-type=module", "-e", script],
        input=json.dumps({"chars": chars, "searched": searched}),
        cwd=ROOT,
        env=node.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(answer.stdout)

    assert found["matches"] == [match(*one) for one in searched]
    for char, words in zip(chars, found["words"], strict=True):
        assert words == [[word[0], word[-1]] for word in list_words(f"a{char}b C")], f"U+{ord(char):04X}"
