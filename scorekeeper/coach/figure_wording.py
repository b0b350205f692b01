"""Expected values, luck and the cost of choices in words: with one decimal, and with a sign where they are added."""

from __future__ import annotations

from decimal import Decimal

from django.utils.translation import gettext as _

from games.core.luck import round_figure

MINUS = "−"
# Below these, and as close to certain, a rounded figure would say too much.
LEAST_CHANCE, LEAST_SHARE = 0.01, 0.001


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


def format_share(chance: float) -> str:
    """Return a chance with one decimal: "23.8%". Only what is certain is "0.0%" or "100.0%"."""
    if 0 < chance < LEAST_SHARE:
        return _("<\u00a00.1%")
    if 1 - LEAST_SHARE < chance < 1:
        return _(">\u00a099.9%")
    return _("%(share)s%%") % {"share": format_figure(100 * chance)}


def format_chance(chance: float) -> str:
    """Return a chance in whole per cent: "41%". Only what is certain is "0%" or "100%"."""
    if chance in (0.0, 1.0):
        return _("%(share)s%%") % {"share": round(100 * chance)}
    if chance < LEAST_CHANCE:
        return _("<\u00a01%")
    if chance > 1 - LEAST_CHANCE:
        return _(">\u00a099%")
    return _("%(share)s%%") % {"share": round(100 * chance)}
