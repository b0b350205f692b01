"""Reads the same figures from the leaderboard, the CSV file and the JSON file."""

from __future__ import annotations

import csv
import io
import json
import time
from typing import NamedTuple

from playwright.sync_api import Page

TIMEOUT_SECONDS = 15  # seconds


class StandingsRow(NamedTuple):
    """A row of the standings, as text."""

    place: str
    bike: str
    total: str


def wait_for_board(page: Page, rows: int, *, has_text: str) -> None:
    """Reload the leaderboard until this many rows show the text; the worker is a moment behind the crew."""
    wanted = page.locator("#board-rows tr", has_text=has_text)
    last = time.monotonic() + TIMEOUT_SECONDS
    while wanted.count() != rows:
        assert time.monotonic() < last, page.locator("main").inner_text()
        page.reload()


def read_board(page: Page) -> list[StandingsRow]:
    """Return the rows of the leaderboard: place, bike and, from the last column, the total."""
    lines = [line.locator("th, td").all_inner_texts() for line in page.locator("#board-rows tr").all()]
    return [StandingsRow(cells[0].strip(), cells[1].strip(), cells[-1].strip()) for cells in lines]


def read_csv(text: str) -> list[StandingsRow]:
    """Return the rows of the CSV file."""
    return [StandingsRow(line["Place"], line["Bike"], line["Total"]) for line in csv.DictReader(io.StringIO(text))]


def read_json(text: str) -> list[StandingsRow]:
    """Return the rows of the JSON file."""
    return [StandingsRow(line["place"], line["number"], str(line["total"])) for line in json.loads(text)["standings"]]
