"""Runs the product's own commands as programs, with the product's settings and a separate data folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from config import environment

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS = 120


def make_environment(data: Path, **variables: str) -> dict[str, str]:
    """Return this environment without the test settings, with this data folder and these variables."""
    replaced = {"DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE", *environment.VARIABLES}
    inherited = {name: value for name, value in os.environ.items() if name not in replaced}
    # Tests read the output of programs to see what they do.
    ours = {"DATA_DIR": str(data), "PYTHONUNBUFFERED": "1", "LOG_LEVEL": "INFO"}
    return inherited | ours | variables


def run_manage(data: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `manage.py` until it ends."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=make_environment(data, **variables),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
