"""Measures a big screen on walls of three sizes and in both themes."""

from __future__ import annotations

from itertools import chain

from playwright.sync_api import Page, ViewportSize

from tests.browser.measure import CONTRAST_RULES, list_barriers, measure_all
from tests.browser.typefaces import show_in_each_typeface

WALLS: tuple[ViewportSize, ...] = (
    {"width": 1920, "height": 1080},
    {"width": 1366, "height": 768},
    {"width": 3840, "height": 2160},
)
# A wall at a quarter of the size, for tests that do not depend on it: painting 1920 by 1080 takes longer than all else.
SMALL_WALL: ViewportSize = {"width": 960, "height": 540}
THEMES = ("night", "day")
LONGEST = 60  # characters of a text that has to be whole; two riders may have longer names than two lines can hold
SET_THEME = """theme => {
  document.documentElement.dataset.theme = document.querySelector("#screen").dataset.theme = theme;
}"""
# A board moves its rows for 400 ms after a change; on the way they cover each other.
UNTIL_ROWS_REST = "() => Promise.all(document.getAnimations().map((motion) => motion.finished.catch(() => null)))"
# A screen hides its controls after five seconds without input; while they fade they have no contrast.
WAKE = """async () => {
  document.dispatchEvent(new Event("pointermove"));
  await Promise.all(document.getAnimations().map((motion) => motion.finished.catch(() => null)));
}"""
# Texts that end with dots although there is room, lines that cover each other, and what sticks out of the screen.
MISFITS = """longest => {
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const list = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const name = (one) => `${one.className || one.id || one.tagName}: ${one.textContent.trim().slice(0, 40)}`;
  const found = [];
  const texts = ".screen__people, .draw__name, .draw__outcome, .draw__shown, .draw__result, h1, .badge";
  for (const one of list(texts)) {
    const range = document.createRange();
    range.selectNodeContents(one);
    const bottom = one.getBoundingClientRect().bottom;
    const isLineHidden = [...range.getClientRects()].some((line) => (line.top + line.bottom) / 2 > bottom);
    const isCut = isLineHidden || one.scrollWidth > one.clientWidth + 2;
    if (isCut && [...one.textContent.trim()].length <= longest) found.push(`cut: ${name(one)}`);
  }
  for (const one of list("#screen *, .screen__bar *")) {
    const box = one.getBoundingClientRect();
    if (one.matches(".visually-hidden, #status")) continue;
    if (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1) {
      found.push(`outside: ${name(one)}`);
    }
  }
  const boxes = list("#screen > *, [data-board] > *, [data-board] tr, .draw__holder, .screen__bar");
  for (const one of boxes) {
    for (const other of boxes) {
      if (one === other || one.contains(other) || other.contains(one)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const isOver = a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
      if (isOver && boxes.indexOf(one) < boxes.indexOf(other)) found.push(`over: ${name(one)} / ${name(other)}`);
    }
  }
  if (document.body.scrollHeight > innerHeight) found.push(`scrolls: ${document.body.scrollHeight}`);
  return found;
}"""


def list_wall_problems(screen: Page) -> list[str]:
    """Return what does not fit, cannot be read or cannot be pressed, on all walls, in all typefaces and both themes."""
    found = []
    screen.evaluate(UNTIL_ROWS_REST)
    for wall in WALLS:
        screen.set_viewport_size(wall)
        for typeface in show_in_each_typeface(screen):
            misfits: list[str] = screen.evaluate(MISFITS, LONGEST)
            problems = measure_all(screen, ("wide",), ("cut",), ("small", 48))
            found += [f"{wall['width']}, {typeface}: {what}" for what in (*misfits, *chain.from_iterable(problems))]
    # Colours do not depend on the size, and nothing else on the theme.
    screen.set_viewport_size(SMALL_WALL)
    screen.evaluate(WAKE)
    found += list_barriers(screen)
    for theme in THEMES:
        screen.evaluate(SET_THEME, theme)
        screen.evaluate(WAKE)
        found += [f"{theme}: {what}" for what in list_barriers(screen, with_rules=CONTRAST_RULES)]
    return found
