"""The guide docs/adding-a-game.md: its skeletons are playable games, and the conformance tests that it names exist."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from games.core.codec import state_from_data, state_to_data
from tests.games.conformance import test_play
from tests.games.conformance.test_clause_table import by_clause
from tests.games.sampling import walk

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
CODE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| (TABLE-\d)[^|]* \| `(test_\w+)` \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def skeletons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    path = tmp_path_factory.mktemp("guide") / "skeletons.py"
    path.write_text("\n".join(CODE.findall(GUIDE.read_text("utf-8"))), "utf-8")
    spec = spec_from_file_location("skeletons", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "skeletons", module)  # type hints are resolved in the module
        spec.loader.exec_module(module)
        yield module


@pytest.mark.parametrize("name", ["SnakeEyes", "SnakeRace"])
def test_a_skeleton_can_be_played_to_the_end_and_its_states_can_be_stored(skeletons: ModuleType, name: str) -> None:
    ruleset = getattr(skeletons, name)().ruleset()
    for seed in range(20):
        moments = list(walk(ruleset, 3, Random(seed)))
        for moment in moments:
            assert state_from_data(ruleset, state_to_data(ruleset.game, moment.state)) == moment.state
        assert ruleset.game.is_finished(moments[-1].state)
        assert ruleset.game.winners(moments[-1].state)


def test_the_conformance_tests_that_it_names_show_their_clause() -> None:
    tests = by_clause(Path(test_play.__file__))
    named = ROW.findall(GUIDE.read_text("utf-8"))
    assert {clause for clause, _ in named} == {"TABLE-1", "TABLE-2", "TABLE-3", "TABLE-4"}
    for clause, name in named:
        assert name in tests[clause]
