"""What a document is made of: any script a name may be in, texts that stay texts, and nothing from outside."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from scorekeeper.events.models import Event
from scorekeeper.prints.paper import Paper
from scorekeeper.prints.pdf_compiler import FONT_FOLDERS, TEMPLATES, PrintFailed, compile_pdf
from scorekeeper.prints.print_document import PageFrame, PrintDocument
from tests.scorekeeper.prints.conftest import A4, LETTER, measure_pages, read_pages

NOW = dt.datetime(2026, 6, 20, 18, 30, tzinfo=dt.UTC)
NAMES = [
    "Zoë Ångström-Łuczak",
    "Ελένη Παπαδοπούλου",
    "Иван Петров",
    "Վարդան Մամիկոնյան",
    "გიორგი ბერიძე",
    "山田太郎",
    "김철수",
    "李小龙",
    "さくら カタカナ",
    "สมชาย ใจดี",
    "አበበ ቢቂላ",
    "🏍🔥",
]
# Their order on the page is not that of the text, so only their letters are compared.
SHAPED = [
    "محمد بن عبد الله",
    "דוד כהן",
    "देवनागरी",
    "বাংলা",
    "தமிழ்",
    "తెలుగు",
    "ಕನ್ನಡ",
    "മലയാളം",
    "ગુજરાતી",
    "ਪੰਜਾਬੀ",
    "සිංහල",
    "ខ្មែរ",
    "ລາວ",
    "မြန်မာ",
]
MISSING = "\x00"  # how the reader of the files shows a character without a letter in any font
MARKUP = [
    "#panic(1)",
    "*bold* _it_ `raw`",
    "= Heading",
    "$x^2$ @label <label>",
    '#import "@preview/cetz:0.3.1"',
    "// comment",
    "/* comment */",
    "\\u{41} \\ #{1+1}",
    "https://evil.example/x?a=b",
    ']#read("/etc/passwd")[',
]


def make_document(names: list[str], paper: Paper = Paper.A4) -> PrintDocument:
    event = Event(name="Rock the Roll", slug="rock", date=dt.date(2026, 6, 20), time_zone="Europe/Zurich")
    row = {"place": "1", "number": "7", "status": "", "progress": "5/5", "total": "120"}
    body: dict[str, Any] = {
        "has_numbers": True,
        "headings": ["Place", "Bike", "Riders", "Turns", "Total"],
        "hint": "",
        "empty": "Nobody",
        "rows": [{**row, "people": name} for name in names],
        "groups": None,
        "classes": [],
        "cuts_title": "",
        "cuts": [],
        "prizes_title": "",
        "prize_headings": [],
        "prizes": [],
    }
    frame = PageFrame("Standings", event, "R.O.C.K.", "Unofficial, 17:42", "0123456789abcdef" * 4)
    return PrintDocument("standings", paper, frame, body, "standings")


def letters(text: str) -> set[str]:
    return set(text) - set(" ")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_any_script_is_printed_with_letters_of_a_font(name: str) -> None:
    (page,) = read_pages(make_document([name]).make_pdf(NOW))

    assert name.replace(" ", "") in page.replace(" ", "")


@pytest.mark.parametrize("name", SHAPED)
def test_a_name_whose_letters_are_joined_or_run_from_right_to_left_is_printed(name: str) -> None:
    (page,) = read_pages(make_document([name]).make_pdf(NOW))

    assert MISSING not in page
    assert len(letters(name) & letters(page)) >= len(letters(name)) * 0.7


def test_a_character_that_no_font_has_is_not_taken_for_printed() -> None:
    """The tests above can fail: Cherokee is in none of the fonts."""
    (page,) = read_pages(make_document(["\u13e3\u13b3\u13a9"]).make_pdf(NOW))

    assert "\u13e3" not in page
    assert MISSING in page


@pytest.mark.parametrize("text", MARKUP)
def test_a_text_that_looks_like_markup_is_printed_as_it_is(text: str) -> None:
    (page,) = read_pages(make_document([text]).make_pdf(NOW))

    assert text.replace(" ", "") in page.replace(" ", "")


def test_the_longest_name_stays_on_its_page() -> None:
    content = make_document(["W" * 120, "名" * 120, "ا" * 120]).make_pdf(NOW)

    (page,) = read_pages(content)
    assert page.count("W") == 120
    assert page.count("名") == 120


@pytest.mark.parametrize(("paper", "size"), [(Paper.A4, A4), (Paper.LETTER, LETTER)])
def test_every_page_has_the_size_of_its_paper(paper: Paper, size: tuple[int, int]) -> None:
    content = make_document(["Ann"] * 100, paper).make_pdf(NOW)

    assert measure_pages(content) == {size}


def test_every_page_says_how_official_it_is_when_it_was_made_and_from_which_log() -> None:
    pages = read_pages(make_document(["Ann"] * 100).make_pdf(NOW))

    assert len(pages) > 2
    for number, page in enumerate(pages, 1):
        assert "Rock the Roll" in page
        assert "Unofficial, 17:42" in page
        assert "Made 20 Jun 2026, 20:30" in page
        assert "Log 0123456789ab" in page
        assert f"Page {number} of {len(pages)}" in page
        assert "Practice" not in page


def test_every_page_of_a_practice_event_says_so() -> None:
    document = make_document(["Ann"] * 100)
    document.frame.event.is_practice = True

    assert all("Practice. Nothing here counts." in page for page in read_pages(document.make_pdf(NOW)))
    assert document.file_name == "practice-rock-standings-a4.pdf"


def test_a_document_is_known_by_what_it_shows_and_not_by_when_it_was_made() -> None:
    first, again, other = make_document(["Ann"]), make_document(["Ann"]), make_document(["Bo"])

    assert first.digest == again.digest
    assert first.digest != other.digest
    assert first.digest != make_document(["Ann"], Paper.LETTER).digest
    assert first.make_pdf(NOW) == again.make_pdf(NOW)
    assert first.make_pdf(NOW) != first.make_pdf(NOW + dt.timedelta(minutes=1))


def test_data_that_cannot_be_laid_out_is_an_error_of_ours() -> None:
    with pytest.raises(PrintFailed):
        compile_pdf("standings", {"frame": {}}, NOW)


def test_templates_fetch_nothing_and_evaluate_nothing() -> None:
    """The library would download a package that a template imports, and `eval` would make texts markup."""
    templates = sorted(TEMPLATES.glob("*.typ"))

    assert templates
    for template in templates:
        text = template.read_text("utf-8")
        assert set(re.findall(r'#?(?:import|include) "([^"]*)"', text)) <= {
            "frame.typ",
            "certificate_art.typ",
        }, template.name
        assert not re.search(r"\beval\b|\bread\(|\bplugin\(|https?:", text), template.name


def test_every_font_has_its_licence_beside_it() -> None:
    for folder in FONT_FOLDERS:
        fonts = {path.name for path in folder.glob("*.ttf")}
        licences = [path.read_text("utf-8") for path in folder.glob("LICENSE*")]
        assert fonts
        assert any("Open Font License" in text or "Bitstream Vera" in text for text in licences)
    # What the package weighs is downloaded by everyone who installs the program.
    assert sum(path.stat().st_size for path in FONT_FOLDERS[0].iterdir()) < 8_500_000
