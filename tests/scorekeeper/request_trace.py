"""What a request costs on the server: its statements, how often it folds a card, and the files of ours it goes through.

`str(trace)` is a report for people. Without the test database, that is how a slow request is looked into:
`with RequestTrace(url) as trace: client.post(url, data)`, then `print(trace)`.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from django.conf import settings
from django.db import connection
from django.urls import resolve

from games.core import replay
from tests.scorekeeper.statements import list_statements

OURS = f"{Path(settings.BASE_DIR) / 'scorekeeper'}/"
# Calls that play actions by the rules: whole turns of a card, and the dice of a draft.
COUNTED: dict[CodeType, str] = {replay.fold_turns.__code__: "folds", replay.replay_from.__code__: "draft_replays"}


class RequestTrace:
    """Records what happens while it is entered, for a request to one URL.

    Attributes:
        statements: each statement as its verb and table, with the line of ours that ran it; those that begin or end
            transactions are omitted.
        folds: how often turns of a card were played. Continuing a fold with one more turn counts too.
        draft_replays: how often the dice of a draft were played.
        calls: each function in `scorekeeper/` that ran below the URL, as its file and name, in the order of the first
            calls. Below the URL is inside the view: middleware and the check of the phone's cookie run before it.
    """

    def __init__(self, url: str) -> None:
        self.statements: list[tuple[str, str]] = []
        self.folds = self.draft_replays = 0
        self.calls: dict[tuple[str, str], None] = {}
        self._view = resolve(url.partition("?")[0]).func.__code__
        self._views = 0  # on the stack: 0 or 1, unless a view calls itself
        self._contexts = ExitStack()

    @property
    def files(self) -> set[str]:
        """The files in `scorekeeper/` whose functions ran below the URL."""
        return {file for file, _function in self.calls}

    @property
    def statement_names(self) -> list[str]:
        """Each statement as its verb and table."""
        return [name for name, _line in self.statements]

    def __enter__(self) -> RequestTrace:
        self._contexts.enter_context(connection.execute_wrapper(self._record_statement))
        sys.setprofile(self._record_call)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        self._contexts.close()

    def __str__(self) -> str:
        return "\n".join(
            [
                *(f"{number:3} {name}  {line}" for number, (name, line) in enumerate(self.statements, 1)),
                f"{self.folds} folds of cards, {self.draft_replays} replays of drafts",
                f"{len(self.files)} files: {' '.join(sorted(self.files))}",
            ]
        )

    def _record_statement(
        self, execute: Callable[..., Any], sql: str, params: Sequence[Any], many: bool, context: dict[str, Any]
    ) -> Any:
        names = list_statements([{"sql": sql}])
        frames = [frame for frame in traceback.extract_stack() if frame.filename.startswith(OURS)]
        own = [frame for frame in frames if not frame.filename.startswith(f"{OURS}common/")]
        line = f"{own[-1].filename.removeprefix(OURS)}:{own[-1].lineno}" if own else ""
        self.statements += [(name, line) for name in names]
        return execute(sql, params, many, context)

    def _record_call(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call":
            self._views += code is self._view
            name = COUNTED.get(code)
            if name is not None:
                setattr(self, name, getattr(self, name) + 1)
            if self._views and code.co_filename.startswith(OURS):
                self.calls.setdefault((code.co_filename.removeprefix(OURS), code.co_name))
        elif event == "return":
            self._views -= code is self._view
