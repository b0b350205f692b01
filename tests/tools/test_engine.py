"""The phone's engine computes the same results as the server, byte for byte.

It is the one that is served. With FAULTS=full another is built too, with the toy game, and compared with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from scorekeeper.offline import phone
from scorekeeper.offline.app_files import get_build_dir
from tests.faults.scale import FULL
from tests.games.all_games import TOY
from tests.games.playthroughs import list_playthroughs
from tests.programs import ROOT
from tests.services import find_node
from tests.tools.engine_process import Engine, EngineError, start_engine
from tools.phone_engine.engine_build import build_engine, get_build_status

pytestmark = pytest.mark.node

EXTRA_GAMES = [TOY] if FULL else []
PLAYTHROUGHS = [one for one in list_playthroughs() if FULL or one.package != TOY]
TRANSCRIPTS = [json.dumps(playthrough.transcript) for playthrough in PLAYTHROUGHS]
OF_OURS = [json.dumps(playthrough.transcript) for playthrough in PLAYTHROUGHS if playthrough.package != TOY]
UNREADABLE = ["", "{", '{"ruleset": "snap"}', "[" * 100_000, '"\\ud800"', "NaN"]


@pytest.fixture(scope="module", autouse=True)
def _toy() -> Iterator[None]:
    with override_settings(EXTRA_GAMES=EXTRA_GAMES):
        yield


@pytest.fixture(scope="module")
def home(_toy: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the current sources."""
    home = get_build_dir()
    if FULL:
        home, node = tmp_path_factory.mktemp("built") / "offline", find_node()
        assert node is not None
        build_engine(home, node, "none", is_tested=False)  # the build that is served was
    assert get_build_status(home) == "current"
    return home


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file for a snapshot of that engine's memory; at first it is none."""
    file = tmp_path_factory.mktemp("kept") / "snapshot"
    file.write_bytes(b"no memory")
    return file


@pytest.fixture(scope="module")
def fresh_results(home: Path, snapshot: Path) -> list[str]:
    """The results of all playthroughs in an engine that was started from scratch, and made a snapshot."""
    node = find_node()
    assert node is not None
    with start_engine(home, node, snapshot) as started:
        assert not started.is_restored
        return [started.call("score", transcript) for transcript in TRANSCRIPTS]


@pytest.fixture(scope="module")
def engine(home: Path, snapshot: Path, fresh_results: list[str]) -> Iterator[Engine]:
    """The engine of that build, restored from a snapshot like nearly every start on a phone."""
    node = find_node()
    assert node is not None
    with start_engine(home, node, snapshot) as restored:
        assert restored.is_restored
        yield restored


def read_members(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


if FULL:

    def test_the_same_sources_make_the_same_bytes(home: Path) -> None:
        """Two separate builds: the one that is served, and this one, which also contains the toy game's files."""
        for name in ("engine.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
            assert (home / name).read_bytes() == (get_build_dir() / name).read_bytes(), name
        for name in ("python.zip", "tailgunner.zip"):
            served, fresh = read_members(get_build_dir() / name), read_members(home / name)
            assert {member for member in served if fresh.get(member) != served[member]} == set(), name
            more = fresh.keys() - served.keys()
            assert all(member.startswith("tests/") for member in more), more


def score_by_command(*arguments: str, given: str) -> str:
    command = [sys.executable, "-m", "games", "score", *arguments, "-"]
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    return done.stdout


def test_every_playthrough_has_the_same_result_on_a_phone(engine: Engine) -> None:
    for playthrough, transcript in zip(PLAYTHROUGHS, TRANSCRIPTS, strict=True):
        assert json.loads(engine.call("score", transcript)) == playthrough.answer, playthrough.name


def test_lines_have_the_same_results_as_on_the_command_line(engine: Engine) -> None:
    lines = "".join(f"{line}\n" for line in [*OF_OURS, *UNREADABLE])

    with override_settings(EXTRA_GAMES=[]):
        assert phone.score_lines(lines) == score_by_command("--jsonl", given=lines)
    ours = "".join(f"{line}\n" for line in OF_OURS)
    assert engine.call("score_lines", ours) == score_by_command("--jsonl", given=ours)


def test_one_transcript_has_the_same_result_as_on_the_command_line(engine: Engine) -> None:
    transcript = OF_OURS[0]

    assert engine.call("score", transcript) + "\n" == score_by_command(given=transcript)


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: repr(text[:20]))
def test_malformed_input_has_the_same_result_as_on_the_server(engine: Engine, text: str) -> None:
    assert engine.call("score", text) == phone.score(text)


def test_an_error_is_reported_and_the_engine_keeps_running(engine: Engine) -> None:
    with pytest.raises(EngineError, match="JSONDecodeError"):
        engine.call("load", "{")

    assert json.loads(engine.call("score", "{"))["code"] == "malformed"


def test_an_engine_that_was_not_restored_has_the_same_results(engine: Engine, fresh_results: list[str]) -> None:
    assert fresh_results == [engine.call("score", transcript) for transcript in TRANSCRIPTS]


def test_a_snapshot_that_cannot_be_restored_is_replaced(home: Path, tmp_path: Path) -> None:
    """Not even one that begins like a memory; the engine above replaced a text."""
    file, node = tmp_path / "snapshot", find_node()
    assert node is not None
    file.write_bytes(b"\0" * 1024)

    with start_engine(home, node, file) as started:
        assert not started.is_restored
        assert json.loads(started.call("score", "{"))["code"] == "malformed"
    assert file.stat().st_size > 1024


def test_a_phone_without_a_ride_says_so_instead_of_failing(engine: Engine) -> None:
    request = {"method": "GET", "path": "/crew/", "headers": {}, "body": "", "now": "2026-06-20T09:00:00+00:00"}

    response = json.loads(engine.call("answer", json.dumps(request)))

    assert response["status"] == 503
    assert "This phone needs signal once" in response["body"]
    assert response["operations"] == []
