"""Instead of `gzip`: a phone packs no answers."""

from __future__ import annotations

GzipFile = compress = None
