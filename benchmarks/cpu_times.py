"""Prints the CPU times of two arms that took turns."""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median


def print_times(spent: Mapping[str, Sequence[float]], one: str, many: str) -> None:
    """Print for each arm the median, and where eight of ten of its times lie.

    Args:
        spent: the CPU times of each arm, in seconds.
        one: what took one of these times, "turn".
        many: its plural.
    """
    for name, times in spent.items():
        low, high = sorted(times)[len(times) // 10], sorted(times)[-len(times) // 10]
        span = f"{low * 1000:.2f} to {high * 1000:.2f}, {len(times)} {many}"
        print(f"{name:18} {median(times) * 1000:.2f} ms CPU a {one}   ({span})")
