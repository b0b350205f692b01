"""The night and day themes of the big screen have the colours that other pages have in the dark and in the light."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

CSS = Path(__file__).parents[3] / "static" / "css"
DARK = "@media (prefers-color-scheme: dark)"


def read_tokens(css: str) -> Mapping[str, str]:
    """The custom properties of a style sheet, by name."""
    return dict(re.findall(r"(--[\w-]+): ([^;]+);", css))


def read_theme(name: str) -> Mapping[str, str]:
    theme = (CSS / "theme.css").read_text(encoding="utf-8")
    return read_tokens(theme.partition(f'[data-theme="{name}"] {{')[2].partition("}")[0])


def test_each_theme_has_every_colour_that_differs_between_light_and_dark() -> None:
    light, _media, dark = (CSS / "tokens.css").read_text(encoding="utf-8").partition(DARK)
    differing = read_tokens(dark)

    assert differing
    assert read_theme("night") == differing
    assert read_theme("day") == {name: read_tokens(light)[name] for name in differing}


def test_a_theme_also_sets_the_colours_of_the_browsers_own_parts() -> None:
    theme = (CSS / "theme.css").read_text(encoding="utf-8")

    assert re.findall(r"color-scheme: (\w+);", theme) == ["dark", "light"]
