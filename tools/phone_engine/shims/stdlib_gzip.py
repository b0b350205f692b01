"""Instead of `gzip`: a phone does not compress responses."""

from __future__ import annotations

GzipFile = compress = None
