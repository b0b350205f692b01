"""Carries out a Containerfile in Debian roots, step by step, as an engine would.

It knows what `deploy/container/Containerfile` uses: FROM with stages, COPY, RUN, WORKDIR, ENV, USER, EXPOSE and CMD. It
stops at anything else. Every stage has a root of its own. A base image from a registry is replaced by the plain Debian.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.hosting.debian import Root, run


@dataclass(frozen=True)
class Stage:
    """The state of an image while it is built.

    Attributes:
        root: its files.
        environment: its variables.
        folder: its working directory.
        user: who runs its later steps; root if empty.
        command: what a container starts.
    """

    root: Root
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = ""
    command: tuple[str, ...] = ()

    def resolve(self, path: str) -> str:
        """Return an absolute path for one that may be relative to the working directory."""
        return str(Path(self.folder, path))


def read_steps(text: str) -> list[tuple[str, str]]:
    """Return every instruction of a Containerfile with the rest of its line; continued lines are joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(line.partition(" ")[0], line.partition(" ")[2].strip()) for line in joined.splitlines()]


def build_image(text: str, context: Path, base: Root, before_run: Callable[[Stage, str], None]) -> Stage:
    """Carry out all steps of a Containerfile, and return its last stage.

    Args:
        text: the Containerfile.
        context: the folder that COPY copies from.
        base: what replaces the base images.
        before_run: called with the stage and the command before each RUN.
    """
    stages: dict[str, Stage] = {}
    name = ""
    for number, (instruction, rest) in enumerate(read_steps(text)):
        if instruction == "FROM":
            source, _, name = rest.partition(" AS ")
            name = name or "final"
            before = stages[source] if source in stages else Stage(base)
            assert source in stages or "python:3.11-" in source, f"{source} is not Debian's Python"
            stages[name] = replace(before, root=before.root.copy(f"{number}-{name}"))
            continue
        stage = stages[name]
        if instruction == "RUN":
            before_run(stage, rest)
            stage.root.run(
                *as_user(stage.user), "/bin/sh", "-c", rest, environment=stage.environment, folder=stage.folder
            )
        elif instruction == "COPY":
            _copy(stage, rest, context, stages)
        else:
            stages[name] = _configure(stage, instruction, rest)
    return stages[name]


def as_user(user: str) -> tuple[str, ...]:
    """Return the command with which a command that follows runs as this user; nothing for root."""
    if not user:
        return ()
    return (
        "setpriv",
        f"--reuid={user}",
        "--regid=tailgunner",
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
    )


def _configure(stage: Stage, instruction: str, rest: str) -> Stage:
    if instruction == "WORKDIR":
        run("mkdir", "--parents", stage.root.outside(stage.resolve(rest)))
        return replace(stage, folder=stage.resolve(rest))
    if instruction == "ENV":
        before = {"PATH": "/usr/local/bin:/usr/bin:/bin", **stage.environment}
        set_here = dict(word.split("=", 1) for word in shlex.split(rest))
        expanded = {k: re.sub(r"\$(\w+)", lambda found: before[found[1]], v) for k, v in set_here.items()}
        return replace(stage, environment={**stage.environment, **expanded})
    if instruction == "USER":
        return replace(stage, user=rest)
    if instruction == "CMD":
        return replace(stage, command=tuple(json.loads(rest)))
    assert instruction == "EXPOSE", f"this test does not know {instruction}"
    return stage


def _copy(stage: Stage, rest: str, context: Path, stages: dict[str, Stage]) -> None:
    *sources, target = rest.split()
    inside = stage.resolve(target)
    if sources[0].startswith("--from="):
        other = stages[sources.pop(0).removeprefix("--from=")]
        assert len(sources) == 1
        run("mkdir", "--parents", stage.root.outside(inside).parent)
        run("cp", "--archive", other.root.outside(sources[0]), stage.root.outside(inside))
        return
    assert not any(source.startswith("--") for source in sources), rest
    for source in sources:
        is_into = target.endswith("/") or target == "."
        stage.root.copy_in(context / source, f"{inside.rstrip('/')}/{Path(source).name}" if is_into else inside)
