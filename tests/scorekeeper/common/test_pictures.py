"""Uploaded pictures: what is refused, and what is stored of the rest."""

from __future__ import annotations

import io
import resource
import subprocess
import sys
import threading
from queue import SimpleQueue

import pytest
from django.core.exceptions import ValidationError
from PIL import Image

from scorekeeper.common.pictures import (
    MAX_STORED_BYTES,
    MAX_WAITING,
    _acquire,
    _turns,
    check_picture,
    is_presentable,
    make_picture,
    make_printable,
)
from tests.programs import ROOT, TIMEOUT_SECONDS
from tests.scorekeeper.picture_files import (
    DAMAGED,
    HOSTILE,
    draw,
    make_bomb,
    make_file,
    make_photo,
    make_png,
    make_scans,
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_on_upload_and_in_an_import_and_are_not_shown(name: str) -> None:
    content, message = HOSTILE[name]
    media_type = "image/jpeg" if content.startswith(b"\xff") else "image/png"
    with pytest.raises(ValidationError, match=message):
        make_picture(content)
    with pytest.raises(ValidationError, match=message):
        check_picture(content, media_type)
    assert not is_presentable(content, media_type)
    assert make_printable(content) is None


@pytest.mark.slow
def test_a_photo_of_a_phone_is_stored_small_upright_and_without_where_it_was_taken() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned to the right
    exif[0x010F] = "Maker"
    exif.get_ifd(0x8825)[1] = "N"
    photo = make_photo(exif=exif)
    assert len(photo) > 6_000_000

    stored = make_picture(photo)

    assert len(stored.content) <= MAX_STORED_BYTES
    with Image.open(io.BytesIO(stored.content)) as image:
        assert (image.format, stored.media_type) == ("JPEG", "image/jpeg")
        assert image.width * 4 == image.height * 3
        assert max(image.size) >= 800
        assert not image.getexif()
    assert b"Maker" not in stored.content
    check_picture(stored.content, stored.media_type)


@pytest.mark.parametrize(
    ("mode", "kind"),
    [(mode, "PNG") for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")]
    + [("L", "JPEG"), ("RGB", "JPEG"), ("CMYK", "JPEG"), ("RGB", "WEBP"), ("RGBA", "WEBP")],
)
def test_every_kind_of_picture_keeps_its_look(mode: str, kind: str) -> None:
    image = Image.new(mode, (30, 20), 40_000) if mode == "I;16" else draw(mode=mode)

    stored = make_picture(make_file(image, kind))

    with Image.open(io.BytesIO(stored.content)) as again:
        assert again.size == (30, 20)
        if mode == "I;16":
            assert again.getpixel((3, 3)) == 40_000 // 256
        elif mode not in ("1", "L", "LA"):
            red, green, blue = again.convert("RGB").tobytes()[:3]
            assert (red > 200, green < 60, blue < 60) == (True, True, True)


def test_texts_and_profiles_of_a_logo_are_dropped_and_its_transparency_is_not() -> None:
    image = draw(mode="RGBA")
    image.putpixel((0, 0), (0, 0, 0, 0))
    content = make_file(image, "PNG", icc_profile=b"a profile", exif=b"Exif\x00\x00MM\x00*")

    stored = make_picture(content)

    with Image.open(io.BytesIO(stored.content)) as again:
        assert (again.mode, again.getpixel((0, 0))) == ("RGBA", (0, 0, 0, 0))
        assert not again.info


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_a_large_png_that_is_no_drawing_is_stored_smaller(mode: str) -> None:
    noise = Image.effect_noise((500, 500), 90)
    content = make_file(Image.merge(mode, [noise] * len(mode)), "PNG")
    assert len(content) > MAX_STORED_BYTES

    stored = make_picture(content)

    assert len(stored.content) <= MAX_STORED_BYTES
    check_picture(stored.content, stored.media_type)


def test_the_first_of_several_pictures_in_a_photo_is_the_photo() -> None:
    content = make_file(draw((400, 300)), "MPO", save_all=True, append_images=[draw((40, 30), "L")])

    stored = make_picture(content)

    with Image.open(io.BytesIO(stored.content)) as image:
        assert image.size == (400, 300)


def test_the_scans_of_a_photo_are_limited_by_its_size() -> None:
    """With 690 scans, 10 MB of 51 million pixels took 42 seconds, in which nobody else could upload a picture."""
    make_picture(make_scans((30, 20), 100))
    make_picture(make_scans((3000, 2000), 100))
    for size, scans in (((4000, 3000), 86), ((7140, 7140), 21)):
        with pytest.raises(ValidationError, match=DAMAGED):
            make_picture(make_scans(size, scans) + b"\xff" * 5_000_000)


def test_what_follows_a_photo_is_not_counted() -> None:
    """Some phones append a video, in which the bytes that begin a scan occur by chance."""
    make_picture(make_scans((300, 200), 10) + b"\xff\xda\x00\x08" * 100_000)


def test_few_wait_for_their_turn() -> None:
    """Whoever waits keeps a thread of the web process, which phones need for their entries."""
    refused: SimpleQueue[ValidationError] = SimpleQueue()

    def upload() -> None:
        try:
            make_picture(make_png())
        except ValidationError as error:
            refused.put(error)

    uploads = [threading.Thread(target=upload) for _upload in range(MAX_WAITING + 4)]
    with _acquire(_turns, 0):
        for one in uploads:
            one.start()
        messages = [str(refused.get(timeout=TIMEOUT_SECONDS)) for _upload in range(3)]
    for one in uploads:
        one.join()

    assert refused.empty()
    assert set(messages) == {"['Others are uploading pictures. Wait a few seconds, then send the form again.']"}


def test_an_import_accepts_only_the_type_that_is_stated_and_nothing_large() -> None:
    check_picture(make_png(), "image/png")
    with pytest.raises(ValidationError, match="another type"):
        check_picture(make_png(), "image/jpeg")
    with pytest.raises(ValidationError, match="more than 200 kB"):
        check_picture(make_photo((1000, 1000)), "image/jpeg")


@pytest.mark.slow
def test_the_largest_pictures_take_bounded_memory() -> None:
    """In a process of its own, which may have 600 MB in all."""
    program = (
        "import sys; from scorekeeper.common.pictures import make_picture; "
        "print(len(make_picture(sys.stdin.buffer.read()).content))"
    )
    for content in (make_photo((8160, 6120), progressive=True), make_bomb(4990, 4990)):
        run = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            input=content,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000)),
        )
        assert run.returncode == 0, run.stderr.decode()
        assert 0 < int(run.stdout) <= MAX_STORED_BYTES
