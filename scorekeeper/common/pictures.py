"""Pictures that people upload: what is accepted, and how it is stored. The only check of a picture.

Terms: *storing* a picture draws it again, small enough for every page and print, without what a camera wrote into it.

Invariants:
- The size in pixels is read from the header before anything is decoded, and a process decodes one uploaded and one
  stored picture at a time, so memory is bounded.
- What is in the database may be from an earlier version, or was never a picture. It is not shown then, and breaks
  nothing.
- A decoder never sees another format than PNG, JPEG or WebP, whatever the name of the file. An SVG could contain
  scripts.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, NamedTuple
from zlib import error as ZlibError  # noqa: N812 - a class

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_UPLOAD_BYTES = 10 * 2**20  # of a file that is uploaded; a phone's photo has up to 8 MB
MAX_STORED_BYTES = 200 * 1024  # of a picture that is stored, and of one in a bundle
MAX_SIDES = (1600, 1200, 800, 400, 200)  # pixels; a certificate prints 1,100, a screen shows more
QUALITY = 85
MAX_WIDE_SIDE = 2400  # pixels, of a picture that is stored in several widths, such as a poster
MAX_WIDE_BYTES = 500 * 1024  # of each of them
LOWER_QUALITIES = (QUALITY, 72, 55)  # before such a picture is made smaller
MAX_DRAWN_PIXELS = 1_000_000  # of such a picture as PNG: a larger one takes seconds, and is too large in the end
WEBP_METHOD = 1  # of 0 to 6: fast
MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
# A JPEG is decoded at a fraction of its size, so it may be as large as the photos of current phones.
MAX_PIXELS = {"PNG": 25_000_000, "JPEG": 51_000_000, "WEBP": 25_000_000}
# In a progressive JPEG, each scan goes over the whole picture again. Ten are usual; tools for small files use more.
MAX_JPEG_SCANS = 100
MAX_SCANNED_PIXELS = 20 * MAX_PIXELS["JPEG"]  # pixels times scans: two seconds on a slow core
MAX_JPEG_MARKERS = 10_000
# What begins a part of a JPEG. Between the parts are bytes of pixels, in which FF is followed by 00, or by a restart.
_MARKER = re.compile(rb"\xff+([\x01-\xcf\xd8-\xfe])")
_SCAN, _END = 0xDA, 0xD9
MAX_WAIT = 20  # seconds until a picture has its turn
MAX_WAITING = 3  # at a time; each keeps one of a web process's threads from other requests

# What decoders raise on hostile bytes.
DECODER_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    TypeError,
    LookupError,
    ArithmeticError,
    MemoryError,
    struct.error,
    ZlibError,
)

_places = BoundedSemaphore(1 + MAX_WAITING)  # of uploaded pictures
_turns = BoundedSemaphore(1)  # to decode one of them
_stored_lock = Lock()  # to decode a stored one


class Picture(NamedTuple):
    """A picture as it is stored.

    Attributes:
        media_type: one of `MEDIA_TYPES`.
    """

    media_type: str
    content: bytes


class SizedPicture(NamedTuple):
    """A picture as it is stored in one of several widths, in pixels."""

    width: int
    height: int
    media_type: str
    content: bytes


def make_picture(content: bytes) -> Picture:
    """Return an uploaded picture as it is stored: upright, scaled down, and without metadata.

    Raises:
        ValidationError: it is not accepted. The message says what is.
    """
    with _acquire(_places, 0), _acquire(_turns, MAX_WAIT):
        return _draw_again(content)


def make_sized_pictures(content: bytes, widths: Sequence[int]) -> list[SizedPicture]:
    """Return an uploaded picture in several widths, upright, and without metadata.

    Widths that it does not have are left out, but there is one at least. Each has `MAX_WIDE_BYTES` at most.

    Args:
        widths: in pixels, the smallest first.

    Raises:
        ValidationError: it is not accepted. The message says what is.
    """
    with _acquire(_places, 0), _acquire(_turns, MAX_WAIT), _open(content) as image:
        image.draft(None, (MAX_WIDE_SIDE, MAX_WIDE_SIDE))
        image.thumbnail((MAX_WIDE_SIDE, MAX_WIDE_SIDE), reducing_gap=2.0)
        is_photo = _get_format(image) == "JPEG"
        upright = _simplify(_turn_upright(image))
        fitting = [width for width in widths if width < upright.width]
        # The picture itself, unless it is wider than the widest.
        wanted = [*fitting, upright.width] if len(fitting) < len(widths) else fitting
        return [_encode_width(upright, width, is_photo=is_photo) for width in wanted]


@contextmanager
def _acquire(semaphore: BoundedSemaphore, seconds: float) -> Iterator[None]:
    if not semaphore.acquire(timeout=seconds):
        raise ValidationError(_("Others are uploading pictures. Wait a few seconds, then send the form again."))
    try:
        yield
    finally:
        semaphore.release()


@lru_cache(maxsize=32)
def make_printable(content: bytes) -> Picture | None:
    """Return a stored picture for a document, as `make_picture` does; None if it cannot be shown."""
    try:
        with _stored_lock:
            return _draw_again(content)
    except ValidationError:
        return None


@lru_cache(maxsize=64)
def is_presentable(content: bytes, media_type: str, most: int = MAX_STORED_BYTES) -> bool:
    """Return whether pages may show a stored picture; see `check_picture`."""
    try:
        with _stored_lock:
            check_picture(content, media_type, most)
    except ValidationError:
        return False
    return True


def check_picture(content: bytes, media_type: str, most: int = MAX_STORED_BYTES) -> tuple[int, int]:
    """Check a picture that is stored as it is, and return its width and height in pixels.

    Args:
        most: bytes that it may have.

    Raises:
        ValidationError: it is not accepted, or not of this media type.
    """
    if len(content) > most:
        text = _("The picture has more than %(most)s kB.")
        raise ValidationError(text % {"most": most // 1024})
    with _open(content) as image:
        if MEDIA_TYPES[_get_format(image)] != media_type:
            raise ValidationError(_("The picture is of another type than stated."))
        image.load()
        return image.size


def _draw_again(content: bytes) -> Picture:
    with _open(content) as image:
        # Only JPEG has this: it decodes at a half, a quarter or an eighth.
        image.draft(None, (MAX_SIDES[0], MAX_SIDES[0]))
        image.thumbnail((MAX_SIDES[0], MAX_SIDES[0]), reducing_gap=2.0)
        is_photo = _get_format(image) == "JPEG"
        return _encode(_simplify(_turn_upright(image)), is_photo=is_photo)


@contextmanager
def _open(content: bytes) -> Iterator[Image]:
    """Open a picture whose header is acceptable, and explain what goes wrong with it.

    Raises:
        ValidationError: it is not accepted, or cannot be decoded.
    """
    from PIL import Image, UnidentifiedImageError  # only here and below, since few programs look at a picture

    try:
        with Image.open(BytesIO(content), formats=list(MEDIA_TYPES)) as image:
            _check_header(image, content)
            yield image
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):  # far over our own limit
        raise _refuse_size(max(MAX_PIXELS.values())) from None
    except UnidentifiedImageError:
        raise _refuse_type(content) from None
    except DECODER_ERRORS:
        raise _refuse_damaged() from None


def _check_header(image: Image, content: bytes) -> None:
    name = _get_format(image)
    width, height = image.size
    if width * height > MAX_PIXELS[name]:
        raise _refuse_size(MAX_PIXELS[name])
    # A photo may come with another one for its depth, of which the first is the photo; no other picture moves.
    if name != "JPEG" and getattr(image, "is_animated", False):
        raise ValidationError(_("This picture moves. Choose one that does not: a PNG, JPEG or WebP file."))
    if name == "JPEG":
        scans = _count_scans(content)
        if scans > MAX_JPEG_SCANS or scans * width * height > MAX_SCANNED_PIXELS:
            raise _refuse_damaged()


def _count_scans(content: bytes) -> int:
    """Return how many scans the first picture in a JPEG file has. What follows it, such as a video, does not matter.

    Only the parts that every decoder skips as a whole are skipped here, so that none can hide a scan.

    Raises:
        ValidationError: it has an absurd number of parts.
    """
    scans = position = 0
    for _part in range(MAX_JPEG_MARKERS):
        found = _MARKER.search(content, position)
        if found is None or found[1][0] == _END:
            return scans
        position = found.end()
        scans += found[1][0] == _SCAN
        if found[1][0] >= 0xC0 and found[1][0] != 0xD8:  # it has a length, which counts itself
            position += max(2, int.from_bytes(content[position : position + 2], "big"))
    raise _refuse_damaged()


def _get_format(image: Image) -> str:
    """Return a key of `MEDIA_TYPES`; photos of iPhones are JPEG files that contain several."""
    name = image.format or ""
    return "JPEG" if name == "MPO" else name


def _refuse_size(most: int) -> ValidationError:
    text = _("This picture has more than %(most)s million pixels. Make it smaller, or choose another one.")
    return ValidationError(text % {"most": most // 1_000_000})


def _refuse_type(content: bytes) -> ValidationError:
    if content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")) or content[8:12] == b"WEBP":
        return _refuse_damaged()
    return ValidationError(_("This is not a PNG, JPEG or WebP file. Choose another one."))


def _refuse_damaged() -> ValidationError:
    return ValidationError(_("This picture is damaged. Save it again as PNG or JPEG, or choose another one."))


def _turn_upright(image: Image) -> Image:
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(image)
    except DECODER_ERRORS:  # nobody can read how the camera was held
        return image


def _simplify(image: Image) -> Image:
    """Return the picture in the colours of screens: with transparency, in grey, or in full colour."""
    if image.has_transparency_data:
        return image.convert("RGBA")
    if image.mode.startswith("I"):  # 16 bits, which a conversion would cut off
        return image.convert("I").point(lambda value: value / 256).convert("L")
    return image if image.mode in ("L", "RGB") else image.convert("L" if image.mode == "1" else "RGB")


def _encode(image: Image, *, is_photo: bool) -> Picture:
    """Return the picture as a file that is small enough, as large as that allows.

    A drawing is best as PNG. What is too large as PNG is a photo, perhaps with transparency.
    """
    lossy = "WEBP" if image.mode == "RGBA" else "JPEG"
    for side in MAX_SIDES:
        if side == MAX_SIDES[0] or max(image.size) > side:
            image.thumbnail((side, side))
            for name in [lossy] if is_photo else ["PNG", lossy]:
                content = BytesIO()
                image.info = {}  # so that nothing but pixels is taken over
                image.save(content, name, quality=QUALITY, method=WEBP_METHOD)
                if content.tell() <= MAX_STORED_BYTES:
                    return Picture(MEDIA_TYPES[name], content.getvalue())
    raise AssertionError("a picture of the smallest size fits")


def _encode_width(upright: Image, width: int, *, is_photo: bool) -> SizedPicture:
    """Return the picture in a width, or as wide as the limit of bytes allows."""
    lossy = "WEBP" if upright.mode == "RGBA" else "JPEG"
    while True:
        image = upright.copy()
        image.thumbnail((width, MAX_WIDE_SIDE))
        image.info = {}  # so that nothing but pixels is taken over
        attempts = [(lossy, quality) for quality in LOWER_QUALITIES]
        if not is_photo and image.width * image.height <= MAX_DRAWN_PIXELS:
            attempts = [("PNG", QUALITY), *attempts]
        for name, quality in attempts:
            content = BytesIO()
            image.save(content, name, quality=quality, method=WEBP_METHOD)
            if content.tell() <= MAX_WIDE_BYTES:
                return SizedPicture(*image.size, MEDIA_TYPES[name], content.getvalue())
        width = width * 3 // 4
