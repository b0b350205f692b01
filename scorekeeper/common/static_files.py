"""Static files under names that change with their content, also where one script of ours imports another.

Collecting them hashes and compresses every file, which takes seconds, so `collect_static_files` does it only when a
source file has changed since the last complete collection.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

_kind, _imports = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns  # noqa: SLF001


class StaticFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage; an import in a script names the file that was there when the script was.

    Django can do that for every script there is or for none; scripts of libraries import what they do not bring.
    """

    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/phone/*.js", _imports))


def collect_static_files() -> bool:
    """Run `collectstatic` unless STATIC_ROOT already holds these files; return whether it ran."""
    root = Path(settings.STATIC_ROOT)
    # Beside the folder, since everything inside it is served.
    stamp = root.with_name(f"{root.name}.digest")
    digest = _digest_sources()
    if stamp.is_file() and stamp.read_text("ascii") == digest and (root / "staticfiles.json").is_file():
        return False
    # Written last: a collection that was interrupted has no stamp and is repeated.
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(digest, "ascii")
    return True


def _digest_sources() -> str:
    """Return a digest of the name and content of every static file of the installed apps and folders."""
    digest = hashlib.sha256(settings.STATIC_URL.encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            digest.update(f"\n{getattr(storage, 'prefix', None) or ''} {path} ".encode())
            with storage.open(path) as file:
                digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()
