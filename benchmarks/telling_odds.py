"""How long questions about odds take, on a server and in the phone's engine: ``python benchmarks/telling_odds.py``.

On a server each question goes to a new process of ``python -m games odds --jsonl``, twice: for the first answer
everything is worked out, the later one finds it ready. Starting the interpreter is not counted. The phone's engine is
the build from `make offline`, in Node, restored from its snapshot for each question; a phone takes several times as
long. Questions about targets are left out there: no page of a phone asks them.

Times are CPU seconds, in Node those of the thread that calculates, and on a server also multiples of one yardstick of
the same run: the same interpreter valuing one turn of R.O.C.K. Yahtzee without any shortcut, by every throw and every
choice. A multiple says the same on a slower machine. The script exits with status 1 if a goal is missed.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]
DATA_FOLDER = tempfile.TemporaryDirectory(prefix="tailgunner-bench-", ignore_cleanup_errors=True)
os.environ |= {"DATA_DIR": DATA_FOLDER.name, "DJANGO_SETTINGS_MODULE": "config.settings"}

import django  # noqa: E402 - the path and the settings are set above

django.setup()

from benchmarks.plain_turn import time_one_plain_turn  # noqa: E402
from games.core.odds_question import MAX_SECONDS  # noqa: E402
from scorekeeper.offline.app_files import get_build_dir  # noqa: E402
from tests.games.drag_rage.table import move, start  # noqa: E402
from tests.games.rock_yahtzee.table import roll  # noqa: E402
from tests.tools.engine_process import Engine, start_engine  # noqa: E402
from tools.phone_engine.engine_build import get_build_status  # noqa: E402
from tools.phone_engine.node import Node, find_node  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")  # of a thread's CPU time, in one second


class Times(NamedTuple):
    """CPU seconds of a question's first answer, and of a later one."""

    first: float
    later: float


QUICK = Times(1.0, 0.1)


class Case(NamedTuple):
    """A question, the most that it may take on a server and in Node, and whether a phone is asked."""

    question: dict[str, Any]
    goal: Times | None = None
    phone_goal: Times | None = None
    is_for_phones: bool = True


def ask(ruleset: str, *actions: dict[str, Any], seats: int = 1, **question: Any) -> dict[str, Any]:
    """Return a question about the first seat."""
    transcript = {"ruleset": ruleset, "seats": [str(seat) for seat in range(seats)], "actions": list(actions)}
    return {"transcript": transcript, "seat": 0, "seconds": MAX_SECONDS, **question}


CASES = {
    "R.O.C.K. Yahtzee": Case(ask("rock-yahtzee"), Times(3.0, 0.3), QUICK),
    "R.O.C.K., first roll": Case(ask("rock-yahtzee", roll(5, 5, 3, 4, 1)), Times(3.0, 0.3), QUICK),
    "R.O.C.K., targets": Case(ask("rock-yahtzee", targets=[100, 150, 175]), Times(15.0, 2.0), is_for_phones=False),
    "Go 500": Case(ask("go-500"), phone_goal=QUICK),
    "Go 500, targets": Case(ask("go-500", targets=[500, 600]), is_for_phones=False),
    "Rogue": Case(ask("rogue", seats=2), phone_goal=QUICK),
    "Drag Rage, the start": Case(ask("drag-rage", start(), seats=2), phone_goal=QUICK),
    "Drag Rage, five moves": Case(
        ask("drag-rage", start(), *(move(n % 2, counter) for n, counter in enumerate((5, 6, 2, 3, 4))), seats=2)
    ),
    "Drag Rage, four moves": Case(
        ask("drag-rage", start(), *(move(n % 2, counter) for n, counter in enumerate((5, 6, 2, 3))), seats=2)
    ),
    "Drag Rage, two moves": Case(ask("drag-rage", start(), move(0, 5), move(1, 6), seats=2)),
}


def main() -> int:
    """Print the time of every question's first and later answer, and return the exit status."""
    node = find_node()
    if node is None or get_build_status(get_build_dir()) != "current":
        sys.exit("The engine is not built, or its build is stale. Run: make offline")
    yardstick = time_one_plain_turn()
    print(f"one turn without shortcuts: {yardstick:.2f} s")
    print(f"{'':24}{'server':>7}{'times':>8}{'later':>9}{'Node':>9}{'ratio':>7}{'later':>9}")
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        snapshot = Path(folder, "snapshot")
        with start_engine(get_build_dir(), node, snapshot):
            pass  # it writes the snapshot
        for name, case in CASES.items():
            server = time_on_server(case.question)
            row = f"{name:24}{server.first:>6.2f}s{server.first / yardstick:>8.2f}{server.later:>8.2f}s"
            if case.is_for_phones:
                phone = time_on_phone(case.question, node, snapshot)
                row += f"{phone.first:>8.2f}s{phone.first / max(server.first, 1 / TICKS):>7.1f}{phone.later:>8.2f}s"
                missed += [f"{name} in Node"] if is_missed(phone, case.phone_goal) else []
            missed += [name] if is_missed(server, case.goal) else []
            print(row)
    print(f"goals in Node for the start of a game: {QUICK.first:g} s, then {QUICK.later:g} s")
    print("goals on a server: R.O.C.K. Yahtzee 3 s, then 0.3 s; with targets 15 s, then 2 s")
    print(f"missed: {', '.join(missed) or 'none'}")
    return int(bool(missed))


def is_missed(times: Times, goal: Times | None) -> bool:
    """Return whether an answer took longer than its goal."""
    return goal is not None and (times.first > goal.first or times.later > goal.later)


def time_on_server(question: dict[str, Any]) -> Times:
    """Return the times of a question, from new processes that answer it never, once and twice."""
    never, once, twice = (_time_process(question, times) for times in range(3))
    return Times(max(once - never, 0.0), max(twice - once, 0.0))


def _time_process(question: dict[str, Any], times: int) -> float:
    before = os.times()
    lines = f"{json.dumps(question)}\n" * times
    command = [sys.executable, "-S", "-m", "games", "odds", "--jsonl", "-"]
    answered = subprocess.run(command, input=lines, cwd=ROOT, check=True, capture_output=True, text=True)
    after = os.times()
    assert all(json.loads(line)["method"] == "exact" for line in answered.stdout.splitlines())
    return after.children_user + after.children_system - before.children_user - before.children_system


def time_on_phone(question: dict[str, Any], node: Node, snapshot: Path) -> Times:
    """Return the times of a question that is asked twice in an engine of its own."""
    with start_engine(get_build_dir(), node, snapshot) as engine:
        assert engine.is_restored
        return Times(*(_time_call(engine, question) for _ in Times._fields))


def _time_call(engine: Engine, question: dict[str, Any]) -> float:
    before = _read_cpu_time(engine.pid)
    assert json.loads(engine.call("odds", json.dumps(question)))["method"] == "exact"
    return _read_cpu_time(engine.pid) - before


def _read_cpu_time(pid: int) -> float:
    """Return the CPU seconds of a program's first thread, without those that compile in the background (Linux)."""
    fields = Path(f"/proc/{pid}/task/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    sys.exit(main())
