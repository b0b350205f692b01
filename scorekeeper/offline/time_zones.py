"""Sends time zones to phones, whose Python has no time zone database: each zone is sent as its file."""

from __future__ import annotations

import base64
import tempfile
import zoneinfo
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

_zone_folder = tempfile.TemporaryDirectory(prefix="zones-", ignore_cleanup_errors=True)


def read_zone_file(name: str) -> str:
    """Return this machine's file for a time zone, in base64.

    Raises:
        FileNotFoundError, ModuleNotFoundError: there is no such file.
    """
    for folder in zoneinfo.TZPATH:
        file = Path(folder, name)
        if file.is_file():
            return base64.b64encode(file.read_bytes()).decode()
    package, _, last = f"tzdata/zoneinfo/{name}".rpartition("/")
    return base64.b64encode(files(package.replace("/", ".")).joinpath(last).read_bytes()).decode()


def install_zones(zones: Mapping[str, str]) -> None:
    """Install these time zones, and no others."""
    for name, content in zones.items():
        file = Path(_zone_folder.name, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(content))
    zoneinfo.reset_tzpath([_zone_folder.name])
