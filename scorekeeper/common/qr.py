"""QR codes as SVG: one path of unit squares, so there is no image to fetch and no markup to mark as safe."""

from __future__ import annotations

from typing import NamedTuple

import segno

# Searching for the best of eight masks takes most of the time, too much for pages with many codes.
QUICK_MASK = 3
BORDER = 4  # modules of quiet zone, as scanners require


class QrCode(NamedTuple):
    """The side of the square, in modules, and the `d` of an SVG path that fills the dark ones."""

    size: int
    path: str


def make_qr_code(text: str, mask: int | None = None) -> QrCode:
    """Return the QR code of a text.

    Args:
        mask: which of the eight mask patterns to use; None to search for the best one.
    """
    code = segno.make(text, error="m", micro=False, mask=mask)
    rows = [bytes(row) for row in code.matrix]
    dark = (
        f"M{x + BORDER} {y + BORDER}h1v1h-1z" for y, row in enumerate(rows) for x, module in enumerate(row) if module
    )
    return QrCode(len(rows) + 2 * BORDER, "".join(dark))
