"""The style sheet and the scripts of frames, which are served beside them.

The other static files of the program may be used by its own pages only (`Cross-Origin-Resource-Policy`). These may be
used by any page, so that a frame works whatever the site around it does to it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache

from django.conf import settings

# Frames have the device's typeface: ours is larger than everything else together.
TYPEFACE = re.compile(r"@font-face \{[^}]*\}\n*")
CSS, JAVASCRIPT = "text/css; charset=utf-8", "text/javascript; charset=utf-8"
# By name: the type, and the files in `static` that it is made of.
FILES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "frame.css": (CSS, ("css/tokens.css", "css/theme.css", "css/embed_frame.css")),
    "frame.js": (JAVASCRIPT, ("js/embed_frame.js",)),
    # The only one in pages of other sites, which have its address for years.
    "embed.js": (JAVASCRIPT, ("js/embed_host.js",)),
}


def read_file(name: str) -> bytes:
    """Return one of the files."""
    return _read(name) if not settings.DEBUG else _read.__wrapped__(name)


@cache
def _read(name: str) -> bytes:
    folder = settings.BASE_DIR / "static"
    text = "\n".join((folder / part).read_text("utf-8") for part in FILES[name][1])
    return TYPEFACE.sub("", text).encode()


def get_files_digest() -> str:
    """Return a digest of the files of a frame, so that a page is never shown with those of another version."""
    return hashlib.sha256(read_file("frame.css") + read_file("frame.js")).hexdigest()[:12]
