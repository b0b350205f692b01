"""Figures of luck and choices in words: with one decimal, and with a sign where they are added to a total."""

from __future__ import annotations

from decimal import Decimal

from games.core.luck import round_figure

MINUS = "−"


def format_figure(figure: float | Decimal) -> str:
    """Return a value: "123.3"."""
    return str(round_figure(float(figure))).replace("-", MINUS)


def format_amount(amount: float | Decimal) -> str:
    """Return what something brought: "+3.2", "−1.4" or "0.0"."""
    text = format_figure(amount)
    return f"+{text}" if round_figure(float(amount)) > 0 else text


def format_cost(cost: float | Decimal) -> str:
    """Return what a choice cost: "−1.4", or "0.0" for the best one."""
    return format_amount(-cost)
