"""The files of the phone's engine. `tools.phone_engine` builds them, and the server serves them as they are."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

# What a phone downloads. The build also contains licences and the list of its sources.
ENGINE_FILES = (
    "manifest.json",
    "engine.mjs",
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python.zip",
    "tailgunner.zip",
)
ENGINE_URL = "/offline/"  # by the name of the folder in BUILT_DIR


def get_build_dir() -> Path:
    """Return the folder of the build that is served."""
    return Path(settings.BUILT_DIR, "offline")
