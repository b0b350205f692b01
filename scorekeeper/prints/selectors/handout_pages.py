"""The handouts of a game as documents, with the options of a contest."""

from __future__ import annotations

from typing import Any

from games.core.handouts import Block, Boxes, Chart, Drawing, Handout, Panel, Points, Tiles, Track, Word
from games.core.text import Text
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest
from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.selectors.print_source import NothingToPrint, PrintSource


def list_handouts(contest: Contest) -> tuple[Handout, ...]:
    """Return what can be printed for the tables of a contest."""
    ruleset = contest.ruleset
    return ruleset.game.handouts(ruleset.setup)


def make_handout(key: str, source: PrintSource) -> PrintDocument:
    """Return a handout of the game of a contest."""
    contest = source.the_contest
    found = next((one for one in list_handouts(contest) if one.key == key), None)
    if found is None:
        raise NothingToPrint
    frame = source.make_plain_frame(translate(found.title))
    panels = [_describe_panel(panel) for panel in found.panels]
    body = {"panels": panels, "columns": found.columns, "is_across": found.is_across}
    return PrintDocument("handouts", source.paper, frame, body, f"{contest.slug}-{key}")


def _describe_panel(panel: Panel) -> dict[str, Any]:
    return {"heading": _say(panel.heading), "blocks": [_describe_block(block) for block in panel.blocks]}


def _describe_block(block: Block) -> dict[str, Any]:
    match block:
        case Points(points):
            found = [{"text": translate(point.text, point.params), "rule": point.rule} for point in points]
            return {"kind": "points", "points": found}
        case Chart(headings, rows):
            return {"kind": "chart", "headings": _say_all(headings), "rows": [_say_all(row) for row in rows]}
        case Boxes(label, number):
            return {"kind": "boxes", "label": _say(label), "number": number}
        case Drawing(svg, alt):
            return {"kind": "drawing", "svg": svg, "alt": _say(alt)}
        case Tiles(tiles, size, are_cut):
            shown = [{**tile._asdict(), "caption": _say(tile.caption)} for tile in tiles]
            return {"kind": "tiles", "tiles": shown, "size": size, "are_cut": are_cut}
        case Track():
            return {"kind": "track", **block._asdict(), "lanes": _say_all(block.lanes), "line": _say(block.line)}


def _say(word: Word) -> str:
    return translate(word) if isinstance(word, Text) else word


def _say_all(words: tuple[Word, ...]) -> list[str]:
    return [_say(word) for word in words]
