"""Runs the benchmarks and writes their output to `docs/performance.md`: ``python -m benchmarks [NAME ...]``.

Each script compares several arms in one run, prints its ratios with their goals, and exits with status 1 if a goal is
missed. A missed goal is reported with the figures and does not make this run fail. With names, only those scripts run,
and the page keeps the sections of the others.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import datetime as dt
import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "docs" / "performance.md"
SCRIPTS = {
    "playing_actions": "Goal 1: actions a second, at least 4 times pyhtzee's, each game faster than python-chess",
    "scoring_rolls": "Goal 2: all boxes of a roll, at least 25 times pyhtzee, no mismatch",
    "folding_an_event": "Goal 3: folding 10,000 cards, at most 3 times loading their JSON and a table",
    "recording_rolls": "Goal 4: one roll by HTTP, at least 0.7 of a bare Django view and 0.15 of raw WSGI",
    "sending_a_queue": "Goal 5: a queue of 100, at least 0.5 operations for a durable transaction of pgbench",
    "sending_at_once": "Phones back online at once, on SQLite: with 100 turns each, 8 answered in 5 s and 24 in 30",
    "recording_sheets": "Two sheets a bike or one: a queue and 880 hands in 1.25 times the time, a tap in 1.5",
    "compiling_queries": "Compiling the recording path's queries each time: at least a third more CPU time for a turn",
    "serving_static_files": "Static files by our ASGI middleware: at most a quarter of the CPU time of Django's",
    "live_screens": "Goals 6 and 7: 1,000 live screens, p99 at most 3 times a bare writer's, 50 MB; a reveal in 2 s",
    "followed_by_many": "Goal 7 with followers: 1,000 live screens, 333 pinned bikes and 200 push subscriptions",
    "showing_a_leaderboard": "Goal 8: the leaderboard of 880 seats, 50 times faster, 10 times smaller than Tabbycat's",
    "refreshing_standings": "Goal 9: one changed card, flat within 2 times from 10,000 to 1,000,000 cards",
    "starting_the_engine": "Goal 10: the phone's engine, in Node: first response in 2 s, 6 MB, a warm one in 20 ms",
    "starting_in_browsers": "Goal 17: the engine in Firefox and WebKit in twice Chromium's time; 250 and 350 MB",
    "telling_odds": "Odds: a fresh card in 3 s of CPU time, with targets 15 s; in Node the start of a game in 1 s",
    "telling_chances": "Chances to win of 200 cards in 5 s of CPU time, the rules included",
    "opening_without_signal": "A phone without signal, in Chromium: the group in 3 s, a tap in 0.1 s if 6 times slower",
    "refreshing_a_ride": "A phone's copy of its ride: 200 bikes in 300 kB with gzip, no changes in 1 kB, one card flat",
    "showing_the_desk": "Goal 13: the live desk of 200 bikes in 150 ms and 60 kB, one changed cell flat to 2,000 bikes",
    "bundling_an_event": "2,200 bikes in one file: made, checked as fast as manage.py verify, imported in 3 times it",
    "reading_by_api": "Standings of 880 bikes by the API: 1.25 times the page at most, half of it if unchanged",
    "printing_certificates": "200 certificates as one PDF: at most half the time of 200 scorecards as pages",
    "solving_odds": "R.O.C.K. Yahtzee's best play: 20 to 50 times as fast as a textbook's recursion; known values",
    "big_event": "Figure 19: 2,200 bikes, recompute in 5 s, page p95 300 ms",
}
SECTION = re.compile(r"^## (\w+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all of them, and write the page."""
    before = dict(SECTION.findall(PAGE.read_text())) if PAGE.exists() else {}
    head = PAGE.read_text().partition("\n## ")[0] if PAGE.exists() else "# How fast it is\n"
    for name in names or SCRIPTS:
        print(f"== {name}: {SCRIPTS[name]}", flush=True)
        before[name] = _run(name)
        sections = [f"## {script}\n{before[script]}" for script in SCRIPTS if script in before]
        PAGE.write_text("\n".join([head.rstrip() + "\n", *(f"{section.rstrip()}\n" for section in sections)]))


def _run(name: str) -> str:
    done = subprocess.run([sys.executable, HERE / f"{name}.py"], capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr, sep="", flush=True)
    outcome = {0: "met", 1: "**missed**"}.get(done.returncode, f"not measured: {done.stderr.strip()[-200:]}")
    today = dt.datetime.now(dt.UTC).date().isoformat()
    context = f"{today}, Python {platform.python_version()}"
    return f"\n{SCRIPTS[name]}: {outcome} ({context}).\n\n```\n{done.stdout.strip()}\n```\n"


if __name__ == "__main__":
    main(sys.argv[1:])
