"""WhiteNoise for the tests, in which every test client loads the middleware again."""

from __future__ import annotations

from typing import Any, ClassVar

from whitenoise.middleware import WhiteNoiseMiddleware


class ScanOnceWhiteNoise(WhiteNoiseMiddleware):
    """WhiteNoise that reads a folder only once for all instances; that took 40 % of the time of the page tests."""

    _scans: ClassVar[dict[tuple[str, str], dict[str, Any]]] = {}

    def update_files_dictionary(self, root: str, prefix: str) -> None:
        """Add the files of a folder as they were when it was first read."""
        key = (root, prefix)
        if key not in self._scans:
            known: dict[str, Any] = self.files
            self.files: dict[str, Any] = {}
            super().update_files_dictionary(root, prefix)
            self._scans[key], self.files = self.files, known
        self.files.update(self._scans[key])
