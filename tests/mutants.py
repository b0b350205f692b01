"""Mutation tests: more than twenty places where the code is broken on purpose, and the tests that must fail.

A faster test suite must still catch what it caught before. `python -m tests.mutants` breaks a copy of the project in
one place after the other, runs the tests that must fail, and reports whether they did. Names as arguments select some
mutants. A run takes minutes. Every test run checks that the places still exist (`tests/architecture`).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.programs import ROOT, make_environment

COPIED = (
    *("config", "deploy", "docs", "games", "scorekeeper", "static", "templates", "tests", "tools"),
    *("manage.py", "README.md"),
)


class Mutant(NamedTuple):
    """One place where the code is broken.

    Attributes:
        file: the path of the file in the project.
        old: the original code, which occurs exactly once.
        new: the broken code.
        tests: the tests that must fail.
    """

    file: str
    old: str
    new: str
    tests: str


MUTANTS = {
    # scoring
    "a small straight of three": Mutant(
        "games/rock_yahtzee/scoring.py", "if in_a_row >= 4", "if in_a_row >= 3", "tests/games/rock_yahtzee"
    ),
    "after two firsts comes a second": Mutant(
        "games/core/ranking.py", "next_rank += len(seats)", "next_rank += 1", "tests/games/core"
    ),
    "a shared lead wins Rogue": Mutant(
        "games/rogue/rounds.py", "if len(leaders) == 1 else None", "if leaders else None", "tests/games/rogue"
    ),
    "at the limit is above it": Mutant(
        "games/go_500/scoring.py", "total > limit", "total >= limit", "tests/games/go_500"
    ),
    "the gear itself drives the car": Mutant(
        "games/grand_prix/scoring.py", "gear + with_include)", "gear + 1)", "tests/games/grand_prix"
    ),
    "more counters win the heat": Mutant(
        "games/drag_rage/heat_results.py", "if ours < theirs", "if ours > theirs", "tests/games/drag_rage"
    ),
    # the log
    "an entry names no entry before it": Mutant(
        "scorekeeper/ledger/services/operation_context.py",
        '"prev": chain.head,',
        '"prev": "",',
        "tests/scorekeeper/standings",
    ),
    "entries can be deleted": Mutant(
        "scorekeeper/ledger/append_only.py",
        'verbs: Sequence[str] = ("update", "delete")',
        'verbs: Sequence[str] = ("update",)',
        "tests/scorekeeper/scorecards",
    ),
    "verify believes every hash": Mutant(
        "games/core/verification/chains.py",
        'if sha256(data["body"]) != data["hash"]:',
        "if False:",
        "tests/scorekeeper/standings",
    ),
    "a revision may be published twice": Mutant(
        "scorekeeper/standings/services/publication.py",
        "last is not None and not has_log_grown(last)",
        "False",
        "tests/scorekeeper/standings",
    ),
    # sync
    "an id with another body is a duplicate": Mutant(
        "scorekeeper/ledger/services/recording.py",
        "if not matches_operation(known, self.kind, self.actor.id, self.body):",
        "if False:",
        "tests/scorekeeper/api",
    ),
    "later operations on a deferred card are not deferred": Mutant(
        "scorekeeper/ledger/services/batch.py", "and deferred.isdisjoint(ids)", "", "tests/scorekeeper/scorecards"
    ),
    "the sweeper finds nothing": Mutant(
        "scorekeeper/standings/services/sweeper.py",
        "for contest_id in stale_contests:",
        "for contest_id in []:",
        "tests/scorekeeper/standings",
    ),
    "a refresh deletes stale cards that it did not read": Mutant(
        "scorekeeper/standings/services/refresh.py",
        "StaleCard.objects.filter(pk__in=stale_cards).delete()",
        "StaleCard.objects.filter(contest_id=contest_id).exclude(pk__in=stale_cards).delete()",
        "tests/scorekeeper/standings",
    ),
    # access
    "a revoked phone keeps working": Mutant(
        "scorekeeper/crew/models.py",
        "return self.revoked_at is None and",
        "return",
        "tests/scorekeeper/crew tests/scorekeeper/api",
    ),
    "any organiser opens any event": Mutant(
        "scorekeeper/events/selectors.py",
        "filter(event__slug=slug, user=user)",
        "filter(event__slug=slug)",
        "tests/scorekeeper/rights",
    ),
    "any site sends operations": Mutant(
        "scorekeeper/api/authentication.py",
        '        return site is None or (site == "same-origin" and request.method in SAFE_METHODS)\n',
        "        return True\n",
        "tests/scorekeeper/api",
    ),
    "any crew member records turns of any bike": Mutant(
        "scorekeeper/scorecards/services/cards.py",
        "(takes_over and actor.can_take_over)",
        "takes_over",
        "tests/scorekeeper/scorecards tests/scorekeeper/api",
    ),
    # pages
    "a rejected form responds with 200": Mutant(
        "scorekeeper/crew/access.py",
        'render(request, "crew/not_signed_in.html", {"unsent": unsent, "form": CrewLinkForm()}, status=401)',
        'render(request, "crew/not_signed_in.html", {"unsent": unsent, "form": CrewLinkForm()})',
        "tests/scorekeeper/rights",
    ),
    "buttons for small fingers": Mutant(
        "static/css/tokens.css", "--touch: 48px", "--touch: 30px", "tests/browser/test_entry_page.py"
    ),
    "a lost stream is not reported": Mutant(
        "static/js/live.js",
        "stale.hidden = Date.now() - Math.max(streamHeard, pollHeard) < STALE;",
        "stale.hidden = true;",
        "tests/browser/test_live_board.py",
    ),
    # the phone
    "entered dice are not saved": Mutant(
        "static/js/phone/drafts.js",
        "  if (!draft || Date.now() - draft.kept > MAX_AGE || ",
        "  if (draft || ",
        "tests/browser/phone/test_without_signal.py",
    ),
    "any network is ours": Mutant(
        "static/js/phone/service_worker.js",
        'if (!answer.headers.has(MARK)) throw new Error("someone else answered");',
        "",
        "tests/browser/phone/test_without_signal.py tests/browser/phone/test_sending.py",
    ),
    "the next owner sends the entries of the previous owner": Mutant(
        "static/js/phone/outbox.js",
        "!owner || (Boolean(member) && owner.member === member)",
        "true",
        "tests/browser/phone/test_changing_hands.py",
    ),
}


def is_caught(mutant: Mutant, folder: Path) -> bool:
    """Return whether a test fails in a copy of the project with this mutant.

    Args:
        folder: an empty folder for the copy.
    """
    for name in (*COPIED, "pyproject.toml", "package.json", "package-lock.json", "Makefile", "CONTRIBUTING.md"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    for name in ("built", "node_modules", ".venv"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    file = folder / mutant.file
    text = file.read_text("utf-8")
    assert text.count(mutant.old) == 1, mutant
    file.write_text(text.replace(mutant.old, mutant.new), "utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *mutant.tests.split()]
    env = make_environment(folder / "data", PYTHONPATH=str(folder))
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout[-2000:] + done.stderr[-2000:]
    return done.returncode == 1


def main(names: list[str]) -> int:
    """Run these mutants, or all; return how many no test noticed."""
    unnoticed = 0
    for name in names or MUTANTS:
        with tempfile.TemporaryDirectory() as folder:
            is_noticed = is_caught(MUTANTS[name], Path(folder))
        unnoticed += not is_noticed
        sys.stdout.write(f"{'noticed' if is_noticed else 'NOT NOTICED'}: {name} ({MUTANTS[name].file})\n")
        sys.stdout.flush()
    return unnoticed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
