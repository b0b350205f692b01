"""Files of pictures for tests: good ones, and hostile ones."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from PIL import Image, PngImagePlugin


def make_file(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Return a picture as a file."""
    content = io.BytesIO()
    image.save(content, kind, **options)
    return content.getvalue()


def draw(size: tuple[int, int] = (30, 20), mode: str = "RGB") -> Image.Image:
    """Return a picture whose left half is red."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    return image.convert(mode)


def make_png(image: Image.Image | None = None) -> bytes:
    """Return a small logo."""
    return make_file(image or draw(), "PNG")


def make_marked_png(word: str) -> bytes:
    """Return a small logo whose bytes have a word in them."""
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Title", word)
    return make_file(draw(), "PNG", pnginfo=texts)


def make_photo(size: tuple[int, int] = (4080, 3060), **options: Any) -> bytes:
    """Return a photo as a phone makes it, of several megabytes."""
    return make_file(Image.effect_noise(size, 80).convert("RGB"), "JPEG", quality=75, **options)


def make_bomb(width: int = 20_000, height: int = 20_000) -> bytes:
    """Return a real PNG, black and of one bit for each pixel, which compresses to almost nothing."""
    row = bytes(1 + (width + 7) // 8)
    compressor = zlib.compressobj(9)
    data = b"".join([*(compressor.compress(row) for _ in range(height)), compressor.flush()])
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _make_chunk(b"IHDR", header) + _make_chunk(b"IDAT", data) + _make_chunk(b"IEND", b"")


def _make_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def make_scans(size: tuple[int, int], count: int) -> bytes:
    """Return a progressive JPEG that has a scan which refines it over and over again."""
    content = make_file(draw(size), "JPEG", progressive=True)
    scan, end = content.rindex(b"\xff\xda"), content.rindex(b"\xff\xd9")
    begins = content.count(b"\xff\xda")
    return content[:scan] + content[scan:end] * (count - begins + 1) + content[end:]


def make_animation(kind: str) -> bytes:
    """Return a moving picture."""
    return make_file(draw(), kind, save_all=True, append_images=[draw((30, 20), "L").convert("RGB")])


TOO_LARGE = "million pixels"
DAMAGED = "This picture is damaged"
WRONG_TYPE = "This is not a PNG, JPEG or WebP file"
MOVES = "This picture moves"
# What is refused wherever a picture arrives, with the message.
HOSTILE: dict[str, tuple[bytes, str]] = {
    "20,000 x 20,000": (make_bomb(), TOO_LARGE),
    "10,000 x 10,000": (make_bomb(10_000, 10_000), TOO_LARGE),
    "just over the limit": (make_bomb(5_000, 5_001), TOO_LARGE),
    "cut short": (make_file(Image.effect_noise((200, 200), 50), "PNG")[:9_000], DAMAGED),
    "a JPEG that is cut short": (make_photo((300, 300))[:9_000], DAMAGED),
    "a header only": (b"\x89PNG\r\n\x1a\n and no more", DAMAGED),
    "a WebP of nothing": (b"RIFF\x01\x02\x0a\x04WEBPVP8 ", DAMAGED),
    "a JPEG of 101 scans": (make_scans((30, 20), 101), DAMAGED),
    "a JPEG of ten thousand scans": (make_scans((30, 20), 10_000), DAMAGED),
    "a JPEG of a million parts": (b"\xff\xd8" + b"\xff\xfe\x00\x02" * 45_000 + make_file(draw(), "JPEG")[2:], DAMAGED),
    "moving PNG": (make_animation("PNG"), MOVES),
    "moving WebP": (make_animation("WEBP"), MOVES),
    "GIF": (make_file(draw(), "GIF"), WRONG_TYPE),
    "SVG": (b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", WRONG_TYPE),
    "TIFF": (make_file(draw(), "TIFF"), WRONG_TYPE),
    "PDF": (b"%PDF-1.7\n", WRONG_TYPE),
}
