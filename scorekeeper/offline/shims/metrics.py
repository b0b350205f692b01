"""Instead of `scorekeeper.common.metrics`: nobody asks a phone for figures."""

from __future__ import annotations


class _NullCounter:
    def labels(self, *names: object) -> _NullCounter:
        return self

    def inc(self) -> None:
        pass


OPERATIONS = _NullCounter()
