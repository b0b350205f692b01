"""The parts in which tests run at full length, each of them in less than an hour.

A *run* is a make target, `faults` or `security`. Each of its *parts* is a call of pytest of its own, which writes its
rows into `docs/reliability.md` when it ends: a part that is stopped loses only its own rows.

`python -m tests.parts security` runs all parts of `make security` one after the other, and fails in the end if one
failed. With the names of parts behind it, it runs those only.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from tests.programs import ROOT
from tests.services import find_postgres

MACHINES = "tests/scorekeeper/standings/test_contest_machines.py"
GAMES = ("rock-yahtzee", "rogue", "go-500", "drag-rage", "grand-prix", "dice-run", "poker-run")
INJECTED, PHONES, PLAY = "tests/browser/test_injected_text.py", "tests/browser/phone", "tests/browser/play"
OTHER_BROWSERS = "tests/browser/other_browsers"
EDITS = "tests/scorekeeper/standings/test_any_column.py"
FILES = "tests/faults/test_damaged_files.py"
FAULT_FIGURES = "figure and not security"
AT_ONCE = ("--numprocesses=auto", "--maxprocesses=4", "--dist=loadfile")
POSTGRES = "postgres"  # how the names of parts begin that need PostgreSQL

# The arguments of pytest.
PARTS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "security": {
        # Random games, one part for each.
        **{f"machine-{game}": (MACHINES, "-k", game) for game in GAMES},
        # Embargoes, two phones on one turn, late entries, stale cuts.
        "records": ("tests/scorekeeper", "-m", "security", f"--ignore={MACHINES}"),
        "injections": (INJECTED,),
        # The rest of the browser suite.
        "pages": ("tests/browser", *(f"--ignore={path}" for path in (INJECTED, PHONES, OTHER_BROWSERS, PLAY))),
        "phones": (PHONES, OTHER_BROWSERS),
        "play": (PLAY,),
    },
    "faults": {
        "programs": ("tests/architecture", "tests/faults", "-m", FAULT_FIGURES, f"--ignore={FILES}"),
        # Damaged files in the data folder.
        "files": (FILES,),
        "records": ("tests/scorekeeper", "-m", FAULT_FIGURES, f"--ignore={EDITS}"),
        # Edits of any column of any table.
        "edits": (EDITS, "-m", FAULT_FIGURES),
        "phones": (PHONES, "-m", FAULT_FIGURES),
        # Everything else of which a short run shows a sample: random games and entries, odds, pages, papers.
        "rest": ("tests/games", "tests/scorekeeper", "tests/tools", "-m", "not figure and not security", *AT_ONCE),
        # Every test that uses the database, and figures 20 and 42 once more.
        "postgres": ("tests/scorekeeper", *AT_ONCE),
        "postgres-edits": ("tests/scorekeeper/standings/test_random_edits.py", EDITS, "-m", "figure"),
    },
}


def run_part(run: str, part: str) -> bool:
    """Run a part, and return whether it passed.

    Args:
        run: the make target.
        part: one of its parts.
    """
    sys.stdout.write(f"== make {run} PART={part}\n")
    sys.stdout.flush()
    environment = {**os.environ, "FULL_LENGTH_PART": f"{run} {part}"}
    if part.startswith(POSTGRES):
        if not find_postgres():
            sys.stdout.write("Not run: no PostgreSQL can be reached, so its rows stay as they are.\n")
            return True
        environment["TEST_DATABASE"] = "postgres"
    if part != "postgres":  # there are many tests in it, and a short run of each is enough
        environment["FAULTS"] = "full"
    command = [sys.executable, "-m", "pytest", *PARTS[run][part]]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def main(run: str, *parts: str) -> int:
    """Run the parts of a run, by default all of them, and return the exit status."""
    unknown = [part for part in parts if part not in PARTS[run]]
    if unknown:
        sys.stderr.write(f"There is no part {', '.join(unknown)}. The parts of {run}: {', '.join(PARTS[run])}.\n")
        return 2
    failed = [part for part in parts or PARTS[run] if not run_part(run, part)]
    if failed:
        sys.stdout.write(f"Failed: {', '.join(failed)}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
