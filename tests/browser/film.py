"""What a phone's camera sees: Chromium shows a file instead of the camera, in a loop."""

from __future__ import annotations

from pathlib import Path

import segno

WIDTH, HEIGHT, MODULE = 640, 480, 8  # pixels


def film(text: str, file: Path) -> Path:
    """Write a video that shows the code of a text, as YUV4MPEG2: grey pixels, then two planes without colour."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    picture = bytearray(b"\xeb" * (WIDTH * HEIGHT))
    left, top = (WIDTH - len(rows) * MODULE) // 2, (HEIGHT - len(rows) * MODULE) // 2
    for y, row in enumerate(rows):
        line = b"".join((b"\x10" if dark else b"\xeb") * MODULE for dark in row)
        for part in range(MODULE):
            start = (top + y * MODULE + part) * WIDTH + left
            picture[start : start + len(line)] = line
    frame = b"FRAME\n" + bytes(picture) + b"\x80" * (WIDTH * HEIGHT // 2)
    file.write_bytes(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420mpeg2\n".encode() + frame * 2)
    return file
