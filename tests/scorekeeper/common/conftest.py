"""Fixtures of the tests for the app `common`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from io import StringIO

import pytest
import structlog


@pytest.fixture
def log_lines() -> Iterator[StringIO]:
    """The output of the product's own log handler during the test."""
    handler = next(
        handler
        for handler in logging.getLogger().handlers
        if isinstance(handler, logging.StreamHandler)
        and isinstance(handler.formatter, structlog.stdlib.ProcessorFormatter)
    )
    lines = StringIO()
    before = handler.setStream(lines)
    yield lines
    handler.setStream(before)
