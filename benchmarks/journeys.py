"""How much code runs for five things that people do: ``python benchmarks/journeys.py``.

They are a tap on a box, a phone's batch of turns, publishing a contest, the reveal with its first step, and applying an
imported list of bikes. Each is one request through all middleware, on a ride of twelve bikes. Counted are the files and
functions of ours that ran, and the lines of code in these functions: what somebody reads who follows the request.

The requests name addresses and form fields only, so the script counts older and newer checkouts alike.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HERE)]

BIKES = 12
OURS = tuple(f"{HERE / folder}/" for folder in ("config", "games", "scorekeeper"))
HTMX = {"HX-Request": "true"}
LIST = "number,rider,passengers,make,model,group\n1,Ann,,Honda,,One\n57,Ida Lund,Max,BMW,,Three\n"


class Journey:
    """Collects the code of ours that runs while it is entered."""

    def __init__(self) -> None:
        self._codes: set[CodeType] = set()

    def __enter__(self) -> Journey:
        sys.setprofile(self._record)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)

    def _record(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            self._codes.add(frame.f_code)

    def count(self) -> tuple[int, int, int]:
        """Return the number of files, of functions, and of lines in these functions."""
        ours = [code for code in self._codes if code.co_filename.startswith(OURS) and not code.co_name.startswith("<")]
        lines = {(code.co_filename, line) for code in ours for _start, _end, line in code.co_lines() if line}
        return len({code.co_filename for code in ours}), len(ours), len(lines)


def measure() -> dict[str, tuple[int, int, int]]:
    """Return what ran for each request."""
    from benchmarks.serving.ride import make_ride

    ride = make_ride(BIKES, 1)

    from django.core.management import call_command

    call_command("collectstatic", interactive=False, verbosity=0)

    from django.contrib.auth.models import User
    from django.test import Client

    from scorekeeper.events.models import Event, Organiser
    from tests.scorekeeper.scorecards.card_forms import list_buttons, list_forms, read_form

    event = Event.objects.get()
    organiser = User.objects.create(username="organiser")
    Organiser.objects.create(event=event, user=organiser)
    desk, phone = Client(SERVER_NAME="localhost"), Client(SERVER_NAME="localhost")
    desk.force_login(organiser)
    name, _, token = ride.cookies[0].removeprefix("Cookie: ").partition("=")
    phone.cookies[name] = token
    figures: dict[str, tuple[int, int, int]] = {}

    def take(what: str, request: Callable[[], Any], *statuses: int) -> Any:
        """Do a request and count what runs."""
        with Journey() as journey:
            response = request()
        assert response.status_code in (statuses or (200, 302)), (what, response.status_code, response.content[:2000])
        figures[what] = journey.count()
        return response

    def tap(bike: int) -> Callable[[], Any]:
        """Return the request of the tap on a box, on a card whose dice are final."""
        url = f"/crew/bikes/{ride.bikes[bike]}/?slot={ride.slots[1]}"
        page = phone.get(url)
        page = phone.post(url, {**read_form(page), "dice": list("2225"), "face": "5"}, headers=HTMX)
        assert "score:full_house" in list_buttons(page, "choose")
        return lambda: phone.post(url, {**read_form(page), "choose": "score:full_house"}, headers=HTMX)

    def send(turns: list[dict[str, Any]]) -> Callable[[], Any]:
        return lambda: phone.post("/api/v1/operations", {"operations": turns}, content_type="application/json")

    tap(0)()
    take("tap", tap(1))
    turns = list(ride.list_turns())
    send(turns[2:4])()
    take("API batch", send(turns[4:BIKES]))

    def submit(page: Any, field: str, url: str, **changes: Any) -> Callable[[], Any]:
        """Return the request of the page's last form that has this field, with these changes."""
        form = [form for form in list_forms(page) if field in form][-1]
        return lambda: desk.post(url, {**form, **changes})

    home = f"/desk/events/{event.slug}/"
    bikes, microphone, finish = f"{home}bikes/import/", f"{home}microphone/", f"{home}finish/rock/"
    preview = desk.post(bikes, {"text": LIST})
    (digest,) = list_buttons(preview, "digest")
    take("roster import", lambda: desk.post(bikes, {"text": LIST, "digest": digest}))
    assert event.bikes.filter(number=57).exists()
    take("reveal", lambda: desk.post(f"{microphone}start/"))
    submit(desk.get(microphone), "reveal", f"{microphone}step/")()
    take("reveal step", submit(desk.get(microphone), "reveal", f"{microphone}step/"))
    submit(desk.get(f"{finish}close/"), "operation", f"{finish}close/", reason="the ride is over")()
    take("publish", submit(desk.get(f"{finish}publish/"), "operation", f"{finish}publish/", reason="all is decided"))
    assert event.contests.get().revisions.exists()
    return figures


def main() -> None:
    """Print a row for each request."""
    with tempfile.TemporaryDirectory(prefix="tailgunner-bench-", ignore_cleanup_errors=True) as folder:
        os.environ |= {
            "DATABASE_URL": "",
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LOG_LEVEL": "ERROR",
            "REDIS_URL": "",
        }
        figures = measure()
    print(f"{'':14} {'files':>6} {'functions':>10} {'lines':>6}")
    for what, (files, functions, lines) in figures.items():
        print(f"{what:14} {files:6} {functions:10} {lines:6}")


if __name__ == "__main__":
    main()
