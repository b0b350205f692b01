"""Tasks are called by name, so these tests check the names."""

from __future__ import annotations

import re

from config.celery import app
from tests.programs import ROOT

SENT = re.compile(r"after_commit\(\s*[\"']([a-z_.]+)[\"']")


def test_every_task_sent_is_one_of_ours() -> None:
    app.loader.import_default_modules()
    sent = {name for path in (ROOT / "scorekeeper").rglob("*.py") for name in SENT.findall(path.read_text())}

    assert sent
    assert sent <= set(app.tasks)


def test_a_task_is_named_after_its_app() -> None:
    app.loader.import_default_modules()
    ours = [task for task in app.tasks.values() if task.__module__.startswith("scorekeeper.")]

    assert ours
    assert [task.name for task in ours if task.name.split(".")[0] != task.__module__.split(".")[1]] == []
