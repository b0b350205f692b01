"""Instead of `scorekeeper.common.metrics`: nobody asks a phone for figures."""

from __future__ import annotations


class _Uncounted:
    def labels(self, *names: object) -> _Uncounted:
        return self

    def inc(self) -> None:
        pass


OPERATIONS = _Uncounted()
