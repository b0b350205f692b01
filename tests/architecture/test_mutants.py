"""The places that the mutation tests break still exist, and so do the tests that must fail."""

from __future__ import annotations

import pytest

from tests.mutants import MUTANTS, Mutant
from tests.programs import ROOT


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS.keys())
def test_the_place_exists_once_and_its_tests_exist(mutant: Mutant) -> None:
    assert (ROOT / mutant.file).read_text("utf-8").count(mutant.old) == 1
    assert all((ROOT / path).exists() for path in mutant.tests.split())
