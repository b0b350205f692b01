"""The template filter that marks up times of day, so that phones can show them as they write times."""

from __future__ import annotations

import pytest
from django.template import engines


def render(text: str) -> str:
    return engines["django"].from_string("{% load clock_times %}{{ text|clock }}").render({"text": text})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17:05", '<time datetime="17:05">17:05</time>'),
        ("As of 17:42:10.", 'As of <time datetime="17:42:10">17:42:10</time>.'),
        (
            "22:00 to 01:00 the next day",
            '<time datetime="22:00">22:00</time> to <time datetime="01:00">01:00</time> the next day',
        ),
        ("", ""),
        ("25:00, 7:05, 117:05, 17:60", "25:00, 7:05, 117:05, 17:60"),
        ("<b>17:05</b>", '&lt;b&gt;<time datetime="17:05">17:05</time>&lt;/b&gt;'),
    ],
)
def test_each_time_in_a_text_is_marked_up(text: str, expected: str) -> None:
    assert render(text) == expected


def test_a_marked_time_stays_markup_inside_a_translated_sentence() -> None:
    sentence = "{% blocktranslate with time=time|clock %}Agreed at {{ time }}{% endblocktranslate %}"

    shown = engines["django"].from_string("{% load clock_times i18n %}" + sentence).render({"time": "09:30"})

    assert shown == 'Agreed at <time datetime="09:30">09:30</time>'
