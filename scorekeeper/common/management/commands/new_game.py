"""`manage.py new_game NAME`: creates the folders of a new game and its tests from the toy game.

The new game can be played, passes every test and appears on every page at once. From there, replace the toy's rules by
the game's own, clause by clause (docs/adding-a-game.md).
"""

from __future__ import annotations

import builtins
import re
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from importlib import import_module
from keyword import iskeyword
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.core.game import Game
from scorekeeper.common.game_adapter import list_games

TOY = "tests.games.toy"
TEST_FILES = re.compile(r"(test_\w+|clauses|options|table)\.py")
ANCHOR = re.compile(r'<a id="([A-Z]+)-\d+">')


class Command(BaseCommand):
    requires_system_checks = []  # it needs no page of the program
    help = "Creates the folders of a new game and its tests from the toy game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what people will call it, such as “Snake Eyes”")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        source = Path(settings.BASE_DIR, *TOY.split("."))
        if not source.is_dir():
            raise CommandError(_("The toy game was not found. Run this in a checkout of the whole project."))
        key = slugify(name)
        folder = key.replace("-", "_")
        if not folder.isidentifier() or iskeyword(folder):
            text = _(
                "“%(name)s” cannot be used as a folder name. Start with a letter, and add a word to a Python keyword."
            )
            raise CommandError(text % {"name": name})
        if not name.isprintable() or set(name) & set('"\\%{}'):
            raise CommandError(_("Leave out quotation marks, backslashes, braces and per cent signs."))
        code, tests = Path(settings.BASE_DIR, "games", folder), Path(settings.BASE_DIR, "tests", "games", folder)
        toy = import_module(TOY).GAME
        if key in {toy.key, *list_games()} or code.exists() or tests.exists():
            raise CommandError(_("A game called “%(name)s” already exists.") % {"name": name})
        words = _list_replacements(source, toy, name, key)
        for path in _list_files(source):
            relative = Path(*(folder if part == source.name else part for part in path.relative_to(source).parts))
            target = (tests if _is_test_file(path, source) else code) / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_replace(path.read_text("utf-8"), words), "utf-8")
        self.stdout.write(
            _("Created games/%(folder)s and tests/games/%(folder)s. Next: docs/adding-a-game.md.") % {"folder": folder}
        )


def _list_replacements(source: Path, toy: Game[Any], name: str, key: str) -> Mapping[str, str]:
    """Return the texts to replace in the toy's files, and their replacements; the longest first."""
    found = ANCHOR.search((source / "rulebook.md").read_text("utf-8"))
    assert found, "the toy has a rule book"
    folder = key.replace("-", "_")
    words = {
        TOY: f"games.{folder}",
        toy.key: key,
        toy.name.template: name,
        type(toy).__name__: _choose_class_name(source, key),
        f"{found[1]}-": f"{_choose_prefix(key, found[1])}-",
    }
    return dict(sorted(words.items(), key=lambda pair: -len(pair[0])))


def _choose_class_name(source: Path, key: str) -> str:
    """Return the name of the game's class: "SnakeEyes", or "PigGame" if the toy's code has a "Pig" already."""
    name = "".join(part.capitalize() for part in key.split("-"))
    texts = [path.read_text("utf-8") for path in _list_files(source) if path.suffix == ".py"]
    is_taken = any(re.search(rf"\b{name}\b", text) for text in texts) or hasattr(builtins, name)
    return f"{name}Game" if is_taken else name


def _choose_prefix(key: str, toy_prefix: str) -> str:
    """Return the first prefix that no rule book has for its clause numbers: "SNAKE", else "SNAKEEYES"."""
    books = Path(settings.BASE_DIR, "games").glob("*/rulebook.md")
    taken = {toy_prefix, *(prefix for book in books for prefix in ANCHOR.findall(book.read_text("utf-8")))}
    letters = [re.sub("[^A-Z]", "", part.upper()) for part in key.split("-")]
    candidates = [letters[0], "".join(letters), f"{''.join(letters)}GAME"]
    return next(word for word in candidates if word and word not in taken)


def _list_files(source: Path) -> Iterator[Path]:
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path


def _is_test_file(path: Path, source: Path) -> bool:
    relative = path.relative_to(source)
    return relative.parts[0] == "playthroughs" or bool(TEST_FILES.fullmatch(relative.name))


def _replace(text: str, words: Mapping[str, str]) -> str:
    """Replace all words in one pass, so that replacements are not replaced again."""
    return re.sub("|".join(map(re.escape, words)), lambda found: words[found[0]], text)
