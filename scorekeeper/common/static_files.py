"""Static files with a hash of their content in their names, also where one script imports another.

Collecting them hashes and compresses every file, which takes seconds. `collect_static_files` does it only if a source
file has changed since the last complete collection, or a collected file.

Invariant: every collected file is complete, even if a collection was interrupted. An existing name is never written
again, so a truncated file would be served for ever. What a power cut or a bad disk has damaged is collected again.

For that, two methods are replaced: Django's for storing a file, and WhiteNoise's for storing its compressed versions.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import File
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

from scorekeeper.common.whole_files import UNFINISHED_SUFFIX, write_whole


class AtomicCompressor(Compressor):
    """WhiteNoise's compressor with atomic writes."""

    def write_data(self, path: str, data: bytes, suffix: str, stat_result: os.stat_result) -> str:
        """Write the compressed file with the times of the original; return its path."""
        compressed = Path(path + suffix)
        write_whole(compressed, [data], is_synced=False)
        os.utime(compressed, (stat_result.st_atime, stat_result.st_mtime))
        return str(compressed)


class AtomicStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage, with atomic writes, and with hashed names in the imports of scripts."""

    support_js_module_import_aggregation = True

    def create_compressor(self, **options: Any) -> Compressor:
        """Return the compressor."""
        return AtomicCompressor(**options)

    def _save(self, name: str, content: File[bytes]) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content.chunks(), is_synced=False)
        if self.file_permissions_mode is not None:
            path.chmod(self.file_permissions_mode)
        return name


def collect_static_files() -> bool:
    """Run `collectstatic` unless STATIC_ROOT already holds these files; return whether it ran."""
    root = Path(settings.STATIC_ROOT)
    # Next to the folder, since everything inside it is served.
    stamp = root.with_name(f"{root.name}.digest")
    sources, collected = _digest_sources(), _digest_folder(root)
    stored = stamp.read_bytes().split() if stamp.is_file() else []
    if stored == [sources.encode(), collected.encode()]:
        return False
    is_intact = stored[1:] == [collected.encode()]
    if not is_intact:
        # Damaged, or from an earlier version, which could leave truncated files. A truncated manifest stops everything.
        (root / "staticfiles.json").unlink(missing_ok=True)
    # Written last, so that a collection that was interrupted has no stamp and is repeated.
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, clear=not is_intact)
    os.sync()  # quicker than bringing each file to the disk
    write_whole(stamp, [f"{sources} {_digest_folder(root)}".encode()])
    return True


def _digest_folder(root: Path) -> str:
    """Return a digest of the name and content of every complete file in a folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != UNFINISHED_SUFFIX):
        digest.update(f"\n{path.relative_to(root)} ".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _digest_sources() -> str:
    """Return a digest of the name and content of every static file of the installed apps and folders."""
    digest = hashlib.sha256(settings.STATIC_URL.encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(f"\n{getattr(storage, 'prefix', None) or ''} {path} ".encode())
            with storage.open(path) as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()
