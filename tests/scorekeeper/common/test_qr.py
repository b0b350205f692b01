"""QR codes as SVG paths."""

from __future__ import annotations

import re

import segno

from scorekeeper.common.qr import BORDER, make_qr_code


def test_the_path_fills_exactly_the_dark_squares() -> None:
    link = "https://rides.example.org/crew/join/x"

    code = make_qr_code(link)

    filled = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", code.path)}
    expected = segno.make(link, error="m", micro=False)
    rows = [list(row) for row in expected.matrix_iter(border=BORDER)]
    assert code.size == len(rows)
    assert filled == {(x, y) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}
