"""Makes the tables that answer first questions about odds at once: `python -m tools.odds_tables [GAME ...]`.

Each table is a module with numbers that a game's own recursion found, so it changes the time and never a figure. Make
them again when the rules of these games change; tests say when. Those of Go 500 and R.O.C.K. Yahtzee take seconds, that
of Drag Rage about two minutes and 600 MB.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import sys
from base64 import b85encode
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from games import drag_rage, go_500, rock_yahtzee
from games.core.time_limit import TimeLimit
from games.drag_rage.odds import openings, values
from games.go_500.odds.race import ValueChain, list_limits
from games.go_500.odds.throws import Limits, make_kit
from games.rock_yahtzee.odds import house_table
from games.rock_yahtzee.odds.future import Worth, fold, get_future
from games.rock_yahtzee.odds.values import Values
from games.rock_yahtzee.state import Card

LINE = 110
NO_LIMIT = 1e9


def make_drag_rage() -> str:
    """Return the module of the moments with nine unused counters."""
    solver = values.HeatValues()
    solver.limit = TimeLimit(NO_LIMIT)
    moments = sorted(openings.list_moments(openings.UNUSED))
    found = {values.make_key(*moment): solver.get_advance_value(*moment) for moment in moments}
    about = "The values of the moments with nine unused counters, and a digest of the rules that they come from."
    return _make_module(about, f'RULES = "{compute_rules_digest()}"', _write_packed(openings.pack_values(found)))


def make_go_500() -> str:
    """Return the module of what the segments of the house courses bring, in good and in poor weather, and short."""
    presets = {preset.key: preset.options for preset in go_500.GAME.presets}
    starts: dict[Limits, tuple[float, ...]] = {}
    kit = make_kit(go_500.GAME.ruleset().setup)
    for options in ({}, presets["poor_weather"], presets["short_course"]):
        setup = go_500.GAME.ruleset(options).setup
        limits = list_limits(setup)
        chain = ValueChain(kit, limits, setup.rerolls)
        for number in reversed(range(len(limits))):
            solved = chain.get(number, TimeLimit(NO_LIMIT))
            starts[limits[number:]] = tuple(segment.start for segment in solved)
    dice = [tuple(map(tuple, die)) for die in kit.dice]
    rows = [f"    {limits}: {starts[limits]},\n" for limits in sorted(starts, key=lambda one: (len(one), str(one)))]
    about = "The house dice, and what segments of the house courses bring, by the limits from here on and the rerolls."
    kind = "dict[tuple[int | None, ...], tuple[float, ...]]"
    shown_dice = "".join(f"    {die},\n".replace("'", '"') for die in dice)
    return _make_module(about, f"DICE = (\n{shown_dice})", f"STARTS: {kind} = {{\n{''.join(rows)}}}")


def make_rock_yahtzee() -> str:
    """Return the module of the futures of the house rules, with the house number of turns and with fewer."""
    house = rock_yahtzee.GAME.ruleset().setup
    worth = Worth(house.yahtzee_points, house.bonus)
    solver = Values(worth)
    for turns in range(1, house.turns + 1):
        setup = rock_yahtzee.GAME.ruleset({"turns": turns}).setup
        solver.get(fold(worth, *get_future(setup, Card())), TimeLimit(NO_LIMIT))
    about = "The values of the futures of the house rules: the points of each Yahtzee, of the bonus, and all values."
    facts = f"YAHTZEES = {worth.yahtzees}\nBONUS = {worth.bonus}"
    return _make_module(about, facts, _write_packed(house_table.pack_values(solver.known)))


def compute_rules_digest() -> str:
    """Return a digest of all modules of Drag Rage that its values depend on."""
    return compute_code_digest(list_rules_modules())


def compute_code_digest(modules: Mapping[str, str]) -> str:
    """Return a digest of code, without comments, docstrings and messages, the same for every version of Python.

    Args:
        modules: the sources by name.
    """
    code = {name: _list_code(ast.parse(source)) for name, source in modules.items()}
    return hashlib.sha256(json.dumps(code, sort_keys=True, default=repr).encode()).hexdigest()


def list_rules_modules() -> dict[str, str]:
    """Return the sources of the modules of Drag Rage that `values` and `openings` import, and they in turn, by name."""
    found: dict[str, str] = {}
    names = [values.__name__, openings.__name__]
    while names:
        name = names.pop()
        if name in found or name == TABLES["drag_rage"][0] or not name.startswith(f"{drag_rage.__name__}."):
            continue
        found[name] = Path(str(import_module(name).__file__)).read_text("utf-8")
        names += [str(node.module) for node in ast.walk(ast.parse(found[name])) if isinstance(node, ast.ImportFrom)]
    return found


def _list_code(node: Any) -> Any:
    """Return what counts of a piece of code, as plain data."""
    if isinstance(node, list):
        return [_list_code(part) for part in node if not _is_text(part)]
    if not isinstance(node, ast.AST):
        return node
    fields = {name: _list_code(value) for name, value in ast.iter_fields(node) if name != "ctx"}
    return [type(node).__name__, {name: value for name, value in fields.items() if value not in (None, [])}]


def _is_text(node: object) -> bool:
    """Return whether a piece of code is a docstring, or a message by itself."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        return isinstance(node.value.func, ast.Name) and node.value.func.id == "gettext_noop"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _make_module(about: str, *parts: str) -> str:
    body = "\n".join(parts)
    head = f'"""{about}\n\n`python -m tools.odds_tables` made this module.\n"""'
    return f"{head}\n\nfrom __future__ import annotations\n\n{body}\n"


def _write_packed(packed: bytes) -> str:
    text = b85encode(packed).decode()
    lines = "".join(f'    "{text[start : start + LINE]}"\n' for start in range(0, len(text), LINE))
    return f"PACKED = (\n{lines})"


# By game: the module, and the function that makes its text.
TABLES: Mapping[str, tuple[str, Callable[[], str]]] = {
    "drag_rage": ("games.drag_rage.odds.opening_values", make_drag_rage),
    "go_500": ("games.go_500.odds.house_starts", make_go_500),
    "rock_yahtzee": ("games.rock_yahtzee.odds.house_values", make_rock_yahtzee),
}


def get_file(game: str) -> Path:
    """Return the file of a game's table."""
    package, _, name = TABLES[game][0].rpartition(".")
    return Path(str(import_module(package).__file__)).with_name(f"{name}.py")


def main(arguments: Iterable[str] | None = None) -> int:
    """Write the tables of these games, or of all."""
    parser = argparse.ArgumentParser(prog="python -m tools.odds_tables", description="Make the tables of the odds.")
    parser.add_argument("games", metavar="GAME", nargs="*", choices=[*TABLES, []], help=" or ".join(TABLES))
    for game in parser.parse_args(arguments).games or TABLES:
        get_file(game).write_text(TABLES[game][1](), "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
