"""Time zones on their way to a phone, whose Python knows none: each as the file that describes it."""

from __future__ import annotations

import base64
import tempfile
import zoneinfo
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

_zone_folder = tempfile.TemporaryDirectory(prefix="zones-", ignore_cleanup_errors=True)


def read_zone_file(name: str) -> str:
    """Return what this machine knows of a zone, in base 64.

    Raises:
        FileNotFoundError, ModuleNotFoundError: it does not know the zone.
    """
    for folder in zoneinfo.TZPATH:
        file = Path(folder, name)
        if file.is_file():
            return base64.b64encode(file.read_bytes()).decode()
    package, _, last = f"tzdata/zoneinfo/{name}".rpartition("/")
    return base64.b64encode(files(package.replace("/", ".")).joinpath(last).read_bytes()).decode()


def install_zones(zones: Mapping[str, str]) -> None:
    """Let Python know these zones from now on, and no others."""
    for name, content in zones.items():
        file = Path(_zone_folder.name, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(content))
    zoneinfo.reset_tzpath([_zone_folder.name])
