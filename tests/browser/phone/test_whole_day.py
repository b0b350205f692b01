"""A whole day in airplane mode: bikes turn up, four stops are recorded, and the browser is killed repeatedly."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.figures import Figures
from tests.faults.scale import scaled

STOPS = {
    "Ozweld's": ("55533", "Full house"),
    "Parks": ("66612", "Sixes"),
    "BBQ": ("23456", "Large straight"),
    "Finale": ("66642", "Chance"),
}
FIRST, *_ = STOPS
ENTRIES_OF_A_BIKE = 1 + len(STOPS)
WITHIN = 60.0  # seconds from the server's return until all is sent


def _record_day(phone: Phone, bikes: list[str]) -> Iterator[str]:
    """Record everything, stop by stop; yield the stop after each bike, since the next may use another browser."""
    for stop, (dice, box) in STOPS.items():
        turn_entry.go_to_stop(phone.page, stop)
        for number in bikes:
            if stop == FIRST:
                turn_entry.register(phone.page, number)
            else:
                turn_entry.open_bike(phone.page, number)
            crew.record_turn(phone.page, dice, box)
            turn_entry.go_back_to_group(phone.page)
            yield stop


@pytest.mark.figure
@pytest.mark.timeout(3600)
def test_a_day_without_signal_and_with_killed_browsers_is_sent_completely(
    site: Site, phone: Phone, figures: Figures
) -> None:
    bikes = [str(number) for number in range(100, 100 + scaled(60, 1))]
    kills = scaled(10, 1)
    entries = ENTRIES_OF_A_BIKE * len(bikes)
    visits = len(STOPS) * len(bikes)
    deadly = {visits * kill // (kills + 1) for kill in range(1, kills + 1)}
    assert len(deadly) == kills
    site.go_offline()

    turn_entry.open_group(phone.page, FIRST)
    for visit, stop in enumerate(_record_day(phone, bikes), start=1):
        if visit in deadly:
            phone.kill()
            phone.open()
            turn_entry.open_group(phone.page, stop)

    ids = [one["id"] for one in phone.read("operations")]
    assert (len(ids), phone.count()) == (entries, {"waiting": entries})
    site.go_online()
    start = time.monotonic()
    phone.go_online()
    phone.wait_for_states(sent=entries)
    taken = time.monotonic() - start
    assert taken < WITHIN
    assert site.count_recorded(ids) == [1] * entries
    figures.add(
        "14 · a day without signal in Chromium, its browser killed again and again",
        f"{entries} entries made by hand with the server stopped, {kills} kills: all of them sent {taken:.1f} s after "
        "it was back, each once",
    )
