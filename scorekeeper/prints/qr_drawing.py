"""QR codes as pictures that the templates can draw."""

from __future__ import annotations

from scorekeeper.common.qr import QUICK_MASK, make_qr_code


def draw_qr_code(text: str) -> str:
    """Return the QR code of a text as SVG."""
    code = make_qr_code(text, mask=QUICK_MASK)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {code.size} {code.size}" shape-rendering="crispEdges">'
        f'<path d="{code.path}" fill="#000"/></svg>'
    )
