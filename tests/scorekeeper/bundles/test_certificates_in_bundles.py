"""How certificates look, in a bundle: exported, checked, imported, and refused where a form would refuse it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from games.core.bundle.layout import SECTIONS, BundleWriter
from games.core.bundle.report import check_bundle
from games.core.registry import find_games
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.events.models import Event
from scorekeeper.prints.models import CertificateSettings
from scorekeeper.prints.services import change_certificates
from scorekeeper.prizes.models import Prize, PrizeLogo
from tests.programs import ROOT, TIMEOUT_SECONDS
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.picture_files import HOSTILE

pytestmark = pytest.mark.django_db

HEADING, WORDING, SIGNED_BY = "Well ridden", "{name} came {place} in {contest}", "Ride captain, Thunderbird Riders"


def make_picture() -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(content, "PNG")
    return content.getvalue()


@pytest.fixture
def decorated(ride: Ride) -> Event:
    """The ride, whose certificates have a heading, a wording, a signature and a logo."""
    change_certificates(ride.event, HEADING, WORDING, SIGNED_BY, ("image/png", make_picture()))
    return ride.event


def verify(file: Path) -> subprocess.CompletedProcess[str]:
    """Check a bundle with a Python that has no installed packages."""
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); "]
    command[-1] += (
        f"sys.argv = ['games', 'verify', {str(file)!r}]; import runpy; runpy.run_module('games', run_name='__main__')"
    )
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)


def read_sections(content: bytes) -> Mapping[str, list[Any]]:
    sections: dict[str, list[Any]] = {}
    for line in map(json.loads, content.splitlines()):
        sections.setdefault(line["section"], []).append(line["data"])
    return sections


def write_again(content: bytes, change: Callable[[dict[str, list[Any]]], None]) -> bytes:
    """Write a bundle again with other lines, in order and with checksums that fit."""
    sections = dict(read_sections(content))
    change(sections)
    writer = BundleWriter()
    lines = [writer.write(name, data) for name in SECTIONS if name != "manifest" for data in sections.get(name, ())]
    return b"".join([*lines, writer.write_manifest(sections["manifest"][0]["event_head"])])


def list_findings(content: bytes) -> list[str]:
    return [str(finding) for finding in check_bundle(io.BytesIO(content), find_games()).findings]


@pytest.mark.parametrize("roster", ["full", "public"])
def test_an_import_restores_how_certificates_look(decorated: Event, import_file, roster: Roster) -> None:
    logo = CertificateSettings.objects.get().logo_id
    content = export(decorated, roster)
    assert read_sections(content)["bundle"][0]["version"] == 2
    assert list_findings(content) == []
    remove_event(decorated)
    assert not CertificateSettings.objects.exists()

    status, printed = import_file(content)

    assert status == 0, printed
    restored = CertificateSettings.objects.select_related("logo").get()
    assert (restored.heading, restored.wording, restored.signed_by) == (HEADING, WORDING, SIGNED_BY)
    assert restored.logo is not None
    assert (restored.logo_id, bytes(restored.logo.content)) == (logo, make_picture())
    assert export(Event.objects.get(), roster) == content


def test_a_bundle_without_settings_is_of_version_1_for_older_programs(ride: Ride, import_file) -> None:
    content = export(ride.event)
    sections = read_sections(content)
    assert sections["bundle"][0]["version"] == 1
    assert "certificates" not in sections
    remove_event(ride.event)
    assert import_file(content)[0] == 0
    assert export(Event.objects.get()) == content


def test_bare_python_checks_it_and_says_where_it_was_altered(decorated: Event, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    content = export(decorated)
    file.write_bytes(content)
    assert verify(file).returncode == 0
    file.write_bytes(content.replace(b"Thunderbird", b"Blunderbird"))
    checked = verify(file)
    assert checked.returncode == 1
    assert "section certificates: this line was altered" in checked.stdout


def set_version(version: int) -> Callable[[dict[str, list[Any]]], None]:
    return lambda sections: sections["bundle"][0].update(version=version)


def change_line(**values: Any) -> Callable[[dict[str, list[Any]]], None]:
    return lambda sections: sections["certificates"][0].update(values)


def damage_logo(sections: dict[str, list[Any]]) -> None:
    sections["logos"][0]["content"] = "iVBORw0KGgoAAAAAAAAAAAAAAAA="


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (set_version(1), "its version does not fit its sections, which need version 2"),
        (lambda sections: sections["certificates"].append(sections["certificates"][0]), "only one such line"),
        (lambda sections: sections.pop("certificates"), "which need version 1"),
        (change_line(logo="103cc068-f158-4119-a044-bc1d29264ea4"), "is not in section logos"),
        (change_line(heading=None), "heading has a value that it cannot have"),
        (change_line(heading="x" * 61), "at most 60 characters"),
        (change_line(wording="{points}"), "cannot be filled in"),
        (change_line(wording="a\nb"), "not on one line"),
        (damage_logo, "The logo of the certificates cannot be used. This picture is damaged"),
    ],
)
def test_what_a_form_would_refuse_is_not_imported(
    decorated: Event, import_file, change: Callable[[dict[str, list[Any]]], None], expected: str
) -> None:
    content = write_again(export(decorated), change)
    remove_event(decorated)

    status, printed = import_file(content)

    assert status == 1
    assert expected in printed
    assert not Event.objects.exists()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_picture_is_refused_by_its_name_and_nothing_is_imported(ride: Ride, import_file, name: str) -> None:
    picture, message = HOSTILE[name]
    logo = PrizeLogo.objects.create(event=ride.event, media_type="image/png", content=picture)
    Prize.objects.create(event=ride.event, contest=ride.contest, position=1, sponsor="Ozweld", place=1, logo=logo)
    content = export(ride.event)
    remove_event(ride.event)

    status, printed = import_file(content)

    assert status == 1
    assert "The logo of “Ozweld” cannot be used" in printed
    assert message in printed or "another type" in printed
    assert not Event.objects.exists()
