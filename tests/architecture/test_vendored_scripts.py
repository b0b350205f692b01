"""Vendored scripts that are not a package's own files are what their README says was made from it."""

from __future__ import annotations

import hashlib
import re

from tests.programs import ROOT

DIGEST = re.compile(r"SHA-256 of the result: `([0-9a-f]{64})`")


def test_a_bundled_script_has_the_digest_that_its_readme_names() -> None:
    readmes = list((ROOT / "static" / "vendor").glob("*/README.md"))

    assert readmes
    for readme in readmes:
        [script] = readme.parent.glob("*.js")
        assert DIGEST.findall(readme.read_text("utf-8")) == [hashlib.sha256(script.read_bytes()).hexdigest()], readme
