"""Instead of `scorekeeper.common.metrics`: a phone has no metrics."""

from __future__ import annotations


class _NullCounter:
    def labels(self, *names: object) -> _NullCounter:
        return self

    def inc(self) -> None:
        pass


OPERATIONS = _NullCounter()
