"""The code broken on purpose in more than twenty places, and which tests have to notice.

A test suite that is made faster must still catch what it caught before. `python -m tests.mutants` breaks a copy of the
project in one place after the other, runs the tests that are to notice, and says whether they did; names as arguments
choose some. It takes minutes. That every place still exists is checked in every run (`tests/architecture`).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.programs import ROOT, make_environment

COPIED = ("config", "deploy", "docs", "games", "scorekeeper", "static", "templates", "tests", "manage.py", "README.md")


class Mutant(NamedTuple):
    """One place that is broken.

    Attributes:
        file: which file, below the project.
        old: what stands there, exactly once.
        new: what stands there when it is broken.
        tests: the tests that have to fail then.
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
        "scorekeeper/scorecards/services/operation_context.py",
        '"prev": chain.head,',
        '"prev": "",',
        "tests/scorekeeper/standings",
    ),
    "entries can be deleted": Mutant(
        "scorekeeper/scorecards/append_only.py",
        'verbs: Sequence[str] = ("update", "delete")',
        'verbs: Sequence[str] = ("update",)',
        "tests/scorekeeper/scorecards",
    ),
    "verify believes every hash": Mutant(
        "scorekeeper/standings/selectors/verification/event_log.py",
        "if sha256(entry.body) != entry.hash:",
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
    "an id with another body is a copy": Mutant(
        "scorekeeper/scorecards/services/recording.py",
        "if not matches_operation(known, self.kind, self.actor.id, self.body):",
        "if False:",
        "tests/scorekeeper/api",
    ),
    "what follows on a card put aside is not": Mutant(
        "scorekeeper/scorecards/services/batch.py", "and aside.isdisjoint(names)", "", "tests/scorekeeper/scorecards"
    ),
    "the sweeper finds nothing": Mutant(
        "scorekeeper/standings/services/sweeper.py",
        "for contest_id in behind:",
        "for contest_id in []:",
        "tests/scorekeeper/standings",
    ),
    "standings forget what was not read": Mutant(
        "scorekeeper/standings/services/refresh.py",
        "StaleCard.objects.filter(pk__in=outdated).delete()",
        "StaleCard.objects.filter(contest_id=contest_id).exclude(pk__in=outdated).delete()",
        "tests/scorekeeper/standings",
    ),
    # access
    "a revoked phone goes on": Mutant(
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
        "        return site is None\n",
        "        return True\n",
        "tests/scorekeeper/api",
    ),
    "any crew notes any bike": Mutant(
        "scorekeeper/scorecards/services/cards.py",
        "(takes_over and actor.can_take_over)",
        "takes_over",
        "tests/scorekeeper/scorecards tests/scorekeeper/api",
    ),
    # pages
    "a refused form answers 200": Mutant(
        "scorekeeper/crew/access.py",
        'render(request, "crew/not_signed_in.html", status=401)',
        'render(request, "crew/not_signed_in.html")',
        "tests/scorekeeper/rights",
    ),
    "buttons for small fingers": Mutant(
        "static/css/tokens.css", "--touch: 48px", "--touch: 30px", "tests/browser/test_entry_page.py"
    ),
    "a lost stream is not told": Mutant(
        "static/js/live.js",
        "stale.hidden = Date.now() - Math.max(streamHeard, pollHeard) < STALE;",
        "stale.hidden = true;",
        "tests/browser/test_live_board.py",
    ),
    # the phone
    "tapped dice are not kept": Mutant(
        "static/js/phone/drafts.js",
        "  if (!draft || Date.now() - draft.kept > OLDEST) return;",
        "  return;",
        "tests/browser/phone/test_without_signal.py",
    ),
    "any network is ours": Mutant(
        "static/js/phone/service_worker.js",
        'if (!answer.headers.has(MARK)) throw new Error("someone else answered");',
        "",
        "tests/browser/phone/test_without_signal.py tests/browser/phone/test_sending.py",
    ),
    "the next owner sends what the last one noted": Mutant(
        "static/js/phone/outbox.js",
        "!owner || (Boolean(member) && owner.member === member)",
        "true",
        "tests/browser/phone/test_changing_hands.py",
    ),
}


def is_caught(mutant: Mutant, folder: Path) -> bool:
    """Return whether a test fails in a copy of the project that is broken there.

    Args:
        folder: an empty place for the copy.
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
    """Break the code in these places, or in all; return how many breaks nobody noticed."""
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
