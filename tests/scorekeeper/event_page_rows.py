"""An event with everything that its own page can say, for tests of what happens to all of it."""

from __future__ import annotations

import datetime as dt

from scorekeeper.common.pictures import make_sized_pictures
from scorekeeper.event_page.models import EventPage, EventSponsor, ProgrammeItem
from scorekeeper.event_page.services import replace_poster, save_distances, save_page, save_track
from scorekeeper.event_page.track import make_track
from scorekeeper.events.models import Event
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.stops.selectors import list_stops
from tests.scorekeeper.picture_files import draw, make_png

ROAD = [(51.0, -114.0), (51.05, -114.02), (51.1, -114.0)]
TEXT = "# Welcome\n\nBring **friends**."


def fill_page(event: Event, contact: str = "Dot") -> None:
    """Fill in the page, with a poster, a programme, a sponsor with a logo, a track and distances.

    Args:
        contact: the name of the contact.
    """
    words = {"text": TEXT, "what_to_bring": "Cash\nRain gear", "distance_unit": "mi", "poster_alt": "A tail-light"}
    reach = {"contact_name": contact, "contact_email": "dot@example.org", "contact_phone": "+1 403 555 0133"}
    save_page(EventPage(event=event), {**words, **reach, "next_date": event.date + dt.timedelta(weeks=52)})
    replace_poster(event, make_sized_pictures(make_png(draw((500, 700))), (400, 800)))
    ProgrammeItem.objects.create(event=event, time=dt.time(9), text="Sign-on")
    ProgrammeItem.objects.create(event=event, day=1, time=dt.time(0, 30), text="Last orders")
    logo = PrizeLogo.objects.create(event=event, media_type="image/png", content=make_png())
    EventSponsor.objects.create(event=event, position=1, name="Garage", link="https://garage.example", logo=logo)
    track = make_track(ROAD)
    assert track is not None
    save_track(event, track)
    save_distances(event, {stop.pk: 1000 * stop.ordinal for stop in list_stops(event)})
