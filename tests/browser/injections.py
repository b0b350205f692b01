"""Injection strings, the columns they are put into, and how to detect that one got through.

Terms: an *injection* first breaks out of its context (a text, an attribute, a script), and then contains something
that runs by itself and calls `hi`. Without escaping nearly all of them run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from django.apps import apps
from django.db.models import CharField, Model, SlugField, TextField
from playwright.sync_api import Page

ESCAPES = (
    *("", '">', "'>", "</title>", "</textarea>", "</script>", "</style>", "-->", "]]>", "</select>"),
    *(
        "</svg>",
        "</a>",
        "</template>",
        "`",
        "\\",
        "&quot;>",
        "%22%3E",
        "'});hi(0)//",
        '"});hi(0)//',
        "${hi(0)}{{hi(0)}}",
    ),
)
SCRIPTS = (
    "<script>hi({})</script>",
    "<img src=x: onerror=hi({})>",
    "<svg onload=hi({})>",
    "<input autofocus onfocus=hi({})>",
    "<b hx-get=/x hx-trigger=load hx-on:load=hi({})>",
)
INJECTIONS = tuple(
    leaving + running.format(5 * number + part)
    for number, leaving in enumerate(ESCAPES)
    for part, running in enumerate(SCRIPTS)
)
# One for each way of running, each breaking out of another context.
FEW = (INJECTIONS[5], INJECTIONS[16], INJECTIONS[27], INJECTIONS[38], INJECTIONS[94])

LISTENER = "window.ran = []; window.hi = (number) => window.ran.push(number);"
FIND = """() => [
  ...window.ran.map((number) => `ran: ${number}`),
  ...[...document.querySelectorAll("[onerror], [onload], [onfocus], [hx-get='/x']")].map((one) => one.outerHTML),
  ...[...document.scripts].map((one) => one.text).filter((text) => /\\bhi\\(\\d+\\)/.test(text)),
].map((found) => found.slice(0, 120))"""

# Where texts that people typed are stored: the table, its columns, and which rows belong to an event.
OF_GROUP = "group_id IN (SELECT id FROM crew_group WHERE event_id = ?)"
OF_OPERATION = "operation_id IN (SELECT id FROM scorecards_operation WHERE event_id = ?)"
TEXTS = {
    "events_event": (["name"], "id = ?"),
    "events_contest": (["name"], "event_id = ?"),
    "events_accesstoken": (["name"], "user_id IN (SELECT user_id FROM events_organiser WHERE event_id = ?)"),
    "events_organiserinvitation": (["name"], "event_id = ?"),
    "events_passkey": (["name"], "user_id IN (SELECT user_id FROM events_organiser WHERE event_id = ?)"),
    "events_deletedevent": (["name"], "id = ?"),
    "stops_stop": (["name", "address", "crew_note"], "event_id = ?"),
    "event_page_eventpage": (
        ["text", "what_to_bring", "contact_name", "contact_email", "contact_phone", "poster_alt"],
        "event_id = ?",
    ),
    "event_page_programmeitem": (["text"], "event_id = ?"),
    "event_page_eventsponsor": (["name", "link"], "event_id = ?"),
    "crew_group": (["name"], "event_id = ?"),
    "crew_diceset": (["name"], OF_GROUP),
    "crew_crewmember": (["name"], OF_GROUP),
    "crew_crewmessage": (["text"], "event_id = ?"),
    "bikes_bike": (["make", "model"], "event_id = ?"),
    "players_player": (["name"], "event_id = ?"),
    "players_signup": (["rider", "passenger", "make", "model", "contact"], "event_id = ?"),
    "check_in_checkitem": (["name"], "event_id = ?"),
    "agreements_objection": (["text", "answer"], "event_id = ?"),
    "players_eventclass": (["name", "note"], "event_id = ?"),
    "prizes_prize": (["name", "sponsor"], "event_id = ?"),
    "seasons_season": (
        ["name"],
        "id IN (SELECT season_id FROM seasons_seasonround AS round JOIN events_contest AS contest"
        " ON contest.id = round.contest_id WHERE contest.event_id = ?)",
    ),
    "live_screen": (["name", "sponsor"], "event_id = ?"),
    "desk_practicerun": (["seed"], "event_id = ?"),
    "desk_dismissedwarning": (["reason"], "event_id = ?"),
    "dice_dicetest": (["name"], "event_id = ?"),
    "webhooks_webhook": (["url"], "event_id = ?"),
    "prints_certificatesettings": (["heading", "wording", "signed_by"], "event_id = ?"),
    "scorecards_note": (["text"], OF_OPERATION),
    "ledger_cutwitness": (["name"], OF_OPERATION),
    "ledger_uncheckedpeople": (["rider", "passenger"], OF_OPERATION),
}
# Text columns that nobody types into.
OURS = {
    *("events_event.time_zone", "events_contest.game_key"),
    *("events_accountsession.browser", "events_accountsession.system", "crew_memoryloss.memory"),
    *(
        "scorecards_chain.head",
        "scorecards_operation.kind",
        "scorecards_operation.digest",
        "scorecards_note.salt",
        "ledger_cutwitness.salt",
    ),
    *("scorecards_entry.kind", "scorecards_entry.body", "scorecards_entry.hash", "scorecards_turn.line"),
    *("standings_revision.event_head", "standings_luckreport.source", "desk_dismissedwarning.key"),
    "agreements_objection.label",
    *("standings_chancesreport.source", "standings_chancesreport.unknown_rules", "coach_oddsanswer.digest"),
    *("webhooks_announcedstate.mark", "webhooks_announcedstate.digest", "webhooks_webhookdelivery.body"),
    *("prints_printfile.digest", "prints_printfile.name", "prints_printjob.kind", "prints_printjob.language"),
    *("event_page_routetrack.points", "embeds_calendarentry.digest", "embeds_calendarentry.name"),
    *("events_event.language", "live_screen.language", "events_accountlanguage.code"),
}


def list_text_columns() -> Iterator[str]:
    """Return every column of our apps that holds free text, as table and column."""
    models: Iterator[type[Model]] = (one for one in apps.get_models() if one.__module__.startswith("scorekeeper."))
    for model in models:
        for field in model._meta.concrete_fields:
            is_text = isinstance(field, CharField | TextField) and not isinstance(field, SlugField)
            if is_text and field.editable and not field.choices:
                yield f"{model._meta.db_table}.{field.column}"


def inject_texts(database: Path, slug: str, strings: Sequence[str], first: str = "") -> int:
    """Put all the strings into every text of an event; return how many texts there are.

    Each text starts with another string, since what the first does to a page may hide the others.

    Args:
        first: the beginning of every text.
    """
    done = 0
    with closing(sqlite3.connect(database, timeout=30)) as connection, connection:
        (event,) = connection.execute("SELECT id FROM events_event WHERE slug = ?", [slug]).fetchone()
        for table, (columns, where) in TEXTS.items():
            rows = connection.execute(f"SELECT rowid FROM {table} WHERE {where} ORDER BY rowid", [event]).fetchall()
            for column in columns:
                for (row,) in rows:
                    turn = done % len(strings)
                    text = f"{first}{done} " + " ".join([*strings[turn:], *strings[:turn]])
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", [text, row])
                    done += 1
        version = "UPDATE standings_standingsstate SET version = version + 1 WHERE contest_id IN"
        connection.execute(f"{version} (SELECT id FROM events_contest WHERE event_id = ?)", [event])
    return done


def restore_name(database: Path, slug: str) -> None:
    """Give an event a plain name again: the pages that list events are measured in other tests."""
    with closing(sqlite3.connect(database, timeout=30)) as connection, connection:
        connection.execute("UPDATE events_event SET name = 'Plain' WHERE slug = ?", [slug])


def find_injected(page: Page) -> list[str]:
    """Return the injections that have run on the page, or that are more than text in it."""
    page.wait_for_load_state()
    found: list[str] = page.evaluate(FIND)
    return found
