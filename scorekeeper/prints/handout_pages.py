"""Handouts: the sheet of rules of a game, and the crew's links as QR codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.core.handouts import Block, Boxes, Chart, Drawing, Handout, Panel, Points, Tiles, Track, Word
from games.core.text import Text
from scorekeeper.common.date_wording import format_date
from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.models import Invitation
from scorekeeper.events.models import Contest
from scorekeeper.prints.print_document import PrintDocument, draw_qr_code
from scorekeeper.prints.print_source import NothingToPrint, PrintSource


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


def make_crew_links(source: PrintSource, invitations: Sequence[tuple[Invitation, str]]) -> PrintDocument:
    """Return the cards for new invitations, with the tokens of their links."""
    return PrintDocument(
        "crew_links",
        source.paper,
        source.make_plain_frame(_("Crew sheet")),
        {
            "hint": _("Scan this with your own phone, then press “This is my phone”."),
            "empty": _("Everyone has signed in with a phone, so there is nothing to print."),
            "cards": [_describe(source, invitation, token) for invitation, token in invitations],
        },
        "crew-sheet",
    )


def _describe(source: PrintSource, invitation: Invitation, token: str) -> dict[str, str]:
    member = invitation.member
    link = settings.BASE_URL + reverse("crew:join", args=[token])
    ends = format_date(invitation.expires_at.astimezone(source.event.zone), _("j F, H:i"))
    stops = ", ".join(stop.name for stop in member.any_bike_at.all())
    return {
        "name": member.name,
        "role": f"{member.get_role_display()}, {member.group.name}",
        "stops": _("Any bike at: %(stops)s") % {"stops": stops} if stops else "",
        "until": _("For one phone, until %(ends)s") % {"ends": ends},
        "link": link,
        "qr": draw_qr_code(link),
        "qr_alt": _("QR code with the link for %(member)s") % {"member": member.name},
    }
