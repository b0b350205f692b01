"""The organiser's pages of an event's page: what is stored, what is refused and kept, and what is copied."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from scorekeeper.common.pictures import MAX_UPLOAD_BYTES, MAX_WIDE_BYTES
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.event_page.distances import format_distance, get_usual_unit, to_metres, to_unit
from scorekeeper.event_page.models import MAX_TEXT, EventPage, EventSponsor, PosterImage, ProgrammeItem, RouteTrack
from scorekeeper.event_page.selectors import list_programme
from scorekeeper.events.models import Event
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.event_page_rows import fill_page
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import change, read_edit_form
from tests.scorekeeper.picture_files import HOSTILE, draw, make_file, make_photo, make_png

pytestmark = pytest.mark.django_db
WORDS = {
    "text": "# Come\n\nall of **you**",
    "what_to_bring": "- Cash\r\n• Rain gear\r\n\r\n",
    "contact_name": "Dot",
    "contact_email": "dot@example.org",
    "contact_phone": "+44 (0)1632 960-983",
    "next_date": "",
    "distance_unit": "mi",
}


@pytest.fixture
def desk(alice: User, sign_in: SignIn) -> Client:
    return sign_in(alice)


def at(event: Event, page: str, *more: Any) -> str:
    return reverse(f"event_page:{page}", args=[event.slug, *more])


def upload(content: bytes, name: str = "poster.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "application/octet-stream")


class TestWords:
    def test_they_are_stored_and_the_page_says_them(self, event: Event, desk: Client) -> None:
        assert change(desk, at(event, "edit"), WORDS).status_code == 302

        page = EventPage.objects.get(event=event)
        assert page.text == "# Come\n\nall of **you**"
        assert page.things_to_bring == ["Cash", "Rain gear"]
        assert page.phone_uri == "tel:+4401632960983"
        shown = get_page_text(desk.get(reverse("results:event_preview", args=[event.slug])))
        assert "<h2>Come</h2>" in shown
        assert "<li>Rain gear</li>" in shown
        assert 'href="mailto:dot@example.org"' in shown

    def test_the_text_can_be_looked_at_before_it_is_saved(self, event: Event, desk: Client) -> None:
        response = change(desk, at(event, "edit"), {**WORDS, "preview": "1"})
        page = get_page_text(response)

        assert response.status_code == 200
        assert "all of <strong>you</strong>" in page
        assert "all of **you**" in page, "what was typed is kept"
        assert not EventPage.objects.exists()

    def test_a_text_that_is_too_long_is_refused_with_its_length_and_kept(self, event: Event, desk: Client) -> None:
        text = "x" * (MAX_TEXT + 5)
        response = change(desk, at(event, "edit"), {**WORDS, "text": text})

        assert_refused(response, "id_text", "This has 20,005 characters, and there is room for 20,000. Shorten it.")
        assert text in get_page_text(response)
        assert "maxlength" not in get_page_text(response).partition("<textarea")[2].partition(">")[0]
        exactly = "x\r\n" * (MAX_TEXT // 2)
        assert change(desk, at(event, "edit"), {**WORDS, "text": exactly}).status_code == 302, "line ends count once"

    def test_a_script_in_the_text_is_kept_as_typed_and_runs_nowhere(self, event: Event, desk: Client) -> None:
        assert change(desk, at(event, "edit"), {**WORDS, "text": "<script>hi(1)</script> [x](javascript:hi(2))"})
        response = desk.get(reverse("results:event_preview", args=[event.slug]))
        assert b"<script>hi" not in response.content
        assert b'href="javascript' not in response.content

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("contact_email", "dot at home", "Enter a mail address, such as club@example.org."),
            ("contact_phone", "call me", "Enter a phone number, such as +1 403 555 0133"),
            ("contact_phone", "javascript:1", "Enter a phone number"),
            ("next_date", "2020-01-01", ", the date of this event. Enter that of the next one."),
        ],
    )
    def test_what_is_wrong_is_named_at_its_field(
        self, event: Event, desk: Client, field: str, value: str, message: str
    ) -> None:
        response = change(desk, at(event, "edit"), {**WORDS, field: value})
        page = get_page_text(response)
        assert response.status_code == 422
        assert f'href="#id_{field}"' in page
        assert message in page
        assert not EventPage.objects.exists()

    def test_others_have_no_access(self, event: Event, client: Client, charlie: User, sign_in: SignIn) -> None:
        for page in ("edit", "poster", "programme", "route", "import_gpx", "sponsors"):
            assert client.get(at(event, page)).status_code == 302
        assert sign_in(charlie).get(at(event, "edit")).status_code in (403, 404)


class TestPoster:
    def test_it_is_stored_upright_in_several_widths_without_metadata(self, event: Event, desk: Client) -> None:
        exif = Image.Exif()
        exif[0x0112] = 6  # held on its side
        exif[0x8825] = {1: "N", 2: (51.0, 3.0, 0.0)}
        content = make_photo((2400, 1600), exif=exif)
        assert b"Exif" in content

        response = change(desk, at(event, "poster"), {"poster": upload(content), "poster_alt": "A tail-light"})

        assert response.status_code == 302
        images = list(PosterImage.objects.filter(event=event).order_by("width"))
        assert [image.width for image in images][:2] == [400, 800]
        for image in images:
            assert image.height == pytest.approx(image.width * 1.5, abs=2), "it stands upright"
            assert len(image.content) <= MAX_WIDE_BYTES
            assert b"Exif" not in bytes(image.content)
        assert EventPage.objects.get(event=event).poster_alt == "A tail-light"

    def test_a_small_drawing_stays_as_it_is(self, event: Event, desk: Client) -> None:
        change(desk, at(event, "poster"), {"poster": upload(make_png(draw((300, 400))))})
        assert [(one.width, one.height, one.media_type) for one in PosterImage.objects.all()] == [
            (300, 400, "image/png")
        ]

    def test_another_one_replaces_it_and_it_can_be_removed(self, event: Event, desk: Client) -> None:
        change(desk, at(event, "poster"), {"poster": upload(make_png())})
        first = PosterImage.objects.get()
        change(desk, at(event, "poster"), {"poster": upload(make_png(draw((40, 50))))})
        second = PosterImage.objects.get()
        assert second.pk != first.pk
        assert change(desk, at(event, "poster"), {"remove_poster": "on"}).status_code == 302
        assert not PosterImage.objects.exists()

    def test_one_that_is_too_large_is_refused_with_its_size_and_the_rest_is_kept(
        self, event: Event, desk: Client
    ) -> None:
        content = make_png() + bytes(MAX_UPLOAD_BYTES + 2**20)
        response = change(desk, at(event, "poster"), {"poster": upload(content), "poster_alt": "A ride at night"})
        page = get_page_text(response).replace("\xa0", " ")

        assert response.status_code == 422
        assert "This picture has 11.0 MB, and it can have 10.0 MB." in page
        assert 'value="A ride at night"' in page
        assert f'data-max-bytes="{MAX_UPLOAD_BYTES}"' in page, "a browser refuses it before it is sent"

    @pytest.mark.parametrize("name", HOSTILE)
    def test_what_is_no_picture_is_refused_with_the_reason(self, event: Event, desk: Client, name: str) -> None:
        content, message = HOSTILE[name]
        response = change(desk, at(event, "poster"), {"poster": upload(content), "poster_alt": "Typed"})
        assert response.status_code == 422
        assert message in get_page_text(response)
        assert 'value="Typed"' in get_page_text(response)
        assert not PosterImage.objects.exists()

    def test_what_it_shows_is_proposed_and_follows_the_event_until_somebody_says_it(
        self, event: Event, desk: Client
    ) -> None:
        form = read_edit_form(desk.get(at(event, "poster")))
        assert form["poster_alt"].startswith(f"Poster of {event.name}, ")
        change(desk, at(event, "poster"), {"poster": upload(make_png())})
        assert not EventPage.objects.exists(), "what is proposed is not stored"
        Event.objects.update(name="Another name")
        assert read_edit_form(desk.get(at(event, "poster")))["poster_alt"].startswith("Poster of Another name")

    def test_a_noisy_photo_is_made_small_enough(self, event: Event, desk: Client) -> None:
        change(desk, at(event, "poster"), {"poster": upload(make_file(Image.effect_noise((1600, 2200), 200), "PNG"))})
        assert all(len(one.content) <= MAX_WIDE_BYTES for one in PosterImage.objects.all())


class TestProgramme:
    def test_points_are_sorted_also_past_midnight(self, event: Event, desk: Client) -> None:
        rows = [
            ("1", "00:30", "Last orders"),
            ("0", "18:00", "Dinner"),
            ("0", "09:00", "Sign-on"),
            ("-1", "", "Arrival"),
        ]
        fields: dict[str, str] = {}
        for number, row in enumerate(rows, 1):
            fields |= {f"new_{number}_{part}": value for part, value in zip(("day", "time", "text"), row, strict=True)}
        assert change(desk, at(event, "programme"), fields).status_code == 302

        assert [item.text for item in list_programme(event)] == ["Arrival", "Sign-on", "Dinner", "Last orders"]
        page = get_page_text(desk.get(reverse("results:event_preview", args=[event.slug])))
        assert page.index("Arrival") < page.index("09:00") < page.index("18:00") < page.index("00:30")

    def test_a_cleared_row_is_deleted_and_a_changed_one_keeps_its_id(self, event: Event, desk: Client) -> None:
        first, second = (ProgrammeItem.objects.create(event=event, text=text, time=dt.time(9)) for text in "ab")
        fields = {f"item_{first.pk}_text": "", f"item_{first.pk}_time": "", f"item_{second.pk}_text": "later"}
        assert change(desk, at(event, "programme"), fields).status_code == 302
        assert list(ProgrammeItem.objects.values_list("pk", "text")) == [(second.pk, "later")]

    def test_a_time_alone_is_asked_about_and_everything_else_is_kept(self, event: Event, desk: Client) -> None:
        fields = {"new_1_time": "09:00", "new_2_time": "10:00", "new_2_text": "Off we go", "new_3_time": "tea"}
        response = change(desk, at(event, "programme"), fields)
        assert_refused(response, "id_new_1_text", "Enter what happens at 09:00, or clear the time.")
        page = get_page_text(response)
        assert "Enter a time as hours and minutes, such as 09:30." in page
        assert 'value="Off we go"' in page
        assert not ProgrammeItem.objects.exists()

    def test_the_same_form_sent_twice_adds_its_points_once(self, event: Event, desk: Client) -> None:
        form = read_edit_form(desk.get(at(event, "programme"))) | {"new_1_text": "Breakfast"}
        for _time in range(2):
            assert desk.post(at(event, "programme"), form).status_code == 302
        assert ProgrammeItem.objects.count() == 1

    def test_a_point_that_somebody_deleted_meanwhile_is_shown_again_with_what_was_entered(
        self, event: Event, desk: Client
    ) -> None:
        item = ProgrammeItem.objects.create(event=event, text="Dinner", time=dt.time(18))
        form = read_edit_form(desk.get(at(event, "programme"))) | {f"item_{item.pk}_text": "Dinner for all"}
        item.delete()

        response = desk.post(at(event, "programme"), form)

        page = get_page_text(response)
        assert response.status_code == 422
        assert "Someone else has deleted this point while you had the page open." in page
        assert 'value="Dinner for all"' in page
        assert not ProgrammeItem.objects.exists()
        assert desk.post(at(event, "programme"), read_edit_form(response)).status_code == 302
        assert ProgrammeItem.objects.get().text == "Dinner for all"

    def test_more_rows_than_the_page_had_are_kept_when_somebody_else_has_saved(
        self, event: Event, desk: Client
    ) -> None:
        form = read_edit_form(desk.get(at(event, "programme"))) | {"new_5_text": "Mine"}
        ProgrammeItem.objects.create(event=event, text="Theirs")
        assert desk.post(at(event, "programme"), form).status_code == 302
        assert set(ProgrammeItem.objects.values_list("text", flat=True)) == {"Mine", "Theirs"}


class TestRoute:
    def test_distances_are_entered_in_the_unit_of_the_event(self, stops: list[Stop], desk: Client) -> None:
        event = stops[0].event
        EventPage.objects.create(event=event, distance_unit="mi")
        fields = {f"stop_{stops[1].pk}": "12.4", f"stop_{stops[2].pk}": "10,5", f"stop_{stops[3].pk}": "3"}
        assert change(desk, at(event, "route"), fields).status_code == 302

        found = dict(Stop.objects.values_list("pk", "distance"))
        assert [found[stop.pk] for stop in stops] == [None, 19956, 16898, 4828]
        page = get_page_text(desk.get(reverse("results:event_preview", args=[event.slug])))
        assert "12.4 mi" in page
        assert "25.9 mi" in page

    def test_a_distance_that_nobody_touched_is_not_rounded(self, stops: list[Stop], desk: Client) -> None:
        Stop.objects.filter(pk=stops[1].pk).update(distance=12_437)
        change(desk, at(stops[0].event, "route"), {f"stop_{stops[2].pk}": "1"})
        assert Stop.objects.get(pk=stops[1].pk).distance == 12_437

    def test_a_page_that_was_open_while_the_unit_changed_still_means_its_own(
        self, stops: list[Stop], desk: Client
    ) -> None:
        event = stops[0].event
        EventPage.objects.create(event=event, distance_unit="km")
        form = read_edit_form(desk.get(at(event, "route"))) | {f"stop_{stops[1].pk}": "10"}
        EventPage.objects.update(distance_unit="mi")
        assert desk.post(at(event, "route"), form).status_code == 302
        assert Stop.objects.get(pk=stops[1].pk).distance == 10_000

    @pytest.mark.parametrize("value", ["far", "-1", "9999999", "6000", "1.2.3"])
    def test_what_is_no_distance_is_refused_and_kept(self, stops: list[Stop], desk: Client, value: str) -> None:
        response = change(desk, at(stops[0].event, "route"), {f"stop_{stops[1].pk}": value})
        assert response.status_code == 422
        assert f'value="{value}"' in get_page_text(response)

    def test_units_are_those_of_the_country(self) -> None:
        assert [get_usual_unit(zone) for zone in ("Europe/London", "America/Chicago", "US/Ohio")] == ["mi"] * 3
        assert [get_usual_unit(zone) for zone in ("Europe/Zurich", "America/Edmonton", "UTC")] == ["km"] * 3
        assert (format_distance(12_437, "km"), format_distance(100_000, "km")) == ("12.4 km", "100 km")
        assert to_metres(to_unit(16_093, "mi"), "mi") == 16_093


GPX = b"""<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="51.1" lon="-114.0"><name>parks</name></wpt>
<wpt lat="51.0" lon="-114.0"><name>Cafe</name></wpt>
<wpt lat="51.0499" lon="-114.0"><name>somewhere</name></wpt>
<trk><trkseg><trkpt lat="51.0" lon="-114.0"><time>2026-01-01T00:00:00Z</time></trkpt><trkpt lat="51.1" lon="-114.0"/>
<trkpt lat="51.2" lon="-114.0"/></trkseg></trk></gpx>"""


class TestGpx:
    def look(self, desk: Client, event: Event, content: bytes = GPX) -> Any:
        return desk.post(at(event, "import_gpx"), {"file": upload(content, "ride.gpx")})

    def read(self, response: Any) -> dict[str, Any]:
        from tests.scorekeeper.page_forms import read_forms

        [form] = [form for form in read_forms(response.content.decode()) if "0_point" in form]
        form.pop("csrfmiddlewaretoken")
        return form | {"apply": "1"}

    def test_places_are_proposed_in_the_order_of_the_track_and_nothing_is_stored_yet(
        self, stops: list[Stop], desk: Client
    ) -> None:
        event = stops[0].event
        Stop.objects.filter(pk=stops[2].pk).update(latitude="51.05", longitude="-114")
        response = self.look(desk, event)
        form = self.read(response)

        assert response.status_code == 200
        assert [form[f"{n}_name"] for n in range(3)] == ["Cafe", "somewhere", "parks"]
        assert [form[f"{n}_stop"] for n in range(3)] == ["new", str(stops[2].pk), str(stops[1].pk)], "by place, by name"
        assert [form.get(f"{n}_taken") for n in range(3)] == [None, "on", "on"]
        assert "11.1 km from the start of the track" in get_page_text(response)
        assert not RouteTrack.objects.exists()
        assert Stop.objects.get(pk=stops[1].pk).latitude is None

    def test_what_is_chosen_is_taken_over(self, stops: list[Stop], desk: Client) -> None:
        event = stops[0].event
        form = self.read(self.look(desk, event)) | {"0_taken": "on", "0_stop": str(stops[0].pk)}
        for _time in range(2):  # a second tap changes nothing
            assert desk.post(at(event, "import_gpx"), form).status_code == 302

        found = list(Stop.objects.filter(event=event).order_by("ordinal"))
        assert [stop.name for stop in found] == [stop.name for stop in stops]
        assert str(found[0].coordinates) == "51, -114"
        assert str(found[1].coordinates) == "51.1, -114"
        assert found[1].distance == pytest.approx(11_120, abs=20)
        track = RouteTrack.objects.get(event=event)
        assert track.length == pytest.approx(22_240, abs=40)

    def test_an_event_without_stops_gets_them_in_order(self, event: Event, desk: Client) -> None:
        event.stops.all().delete()
        form = self.read(self.look(desk, event))
        assert desk.post(at(event, "import_gpx"), form).status_code == 302
        assert list(event.stops.order_by("ordinal").values_list("name", flat=True)) == ["Cafe", "somewhere", "parks"]

    def test_what_is_unticked_stays_away(self, stops: list[Stop], desk: Client) -> None:
        form = self.read(self.look(desk, stops[0].event))
        form = {key: value for key, value in form.items() if key not in ("2_taken", "keeps_track", "sets_distances")}
        assert desk.post(at(stops[0].event, "import_gpx"), form).status_code == 302
        assert not RouteTrack.objects.exists()
        assert not Stop.objects.exclude(distance=None).exists()
        assert not Stop.objects.exclude(latitude=None).exists()

    def test_a_stop_chosen_twice_and_a_new_one_without_a_name_are_refused(
        self, stops: list[Stop], desk: Client
    ) -> None:
        form = self.read(self.look(desk, stops[0].event))
        form |= {"0_taken": "on", "0_stop": str(stops[1].pk), "1_taken": "on", "1_stop": "new", "1_name": " "}
        response = desk.post(at(stops[0].event, "import_gpx"), form)
        assert_refused(response, "id_2_stop", "This stop is chosen twice. Choose another one.")
        assert_refused(response, "id_1_name", "Enter the name of the new stop.")

    @pytest.mark.parametrize(
        ("field", "value"),
        [("track", "~~~"), ("track", "x" * 50_000), ("length", "-1"), ("0_point", "north"), ("track", "")],
    )
    def test_what_a_page_never_had_is_ignored(self, stops: list[Stop], desk: Client, field: str, value: str) -> None:
        form = self.read(self.look(desk, stops[0].event)) | {field: value}
        assert desk.post(at(stops[0].event, "import_gpx"), form).status_code in (302, 422)
        if field in ("track", "length"):
            assert not RouteTrack.objects.exists()

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (b"", "This file is empty. Choose a GPX file."),
            (b"<gpx/>", "This file has neither places nor a track. Export the route again."),
            (b"<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>", "This file declares a document type"),
            (b"hello", "This is not a GPX file. Export the route as GPX from your map or device."),
        ],
    )
    def test_a_file_that_cannot_be_used_is_explained(
        self, event: Event, desk: Client, content: bytes, message: str
    ) -> None:
        response = self.look(desk, event, content)
        assert response.status_code == 422
        assert message in get_page_text(response)

    def test_the_track_can_be_deleted(self, event: Event, desk: Client) -> None:
        fill_page(event)
        assert desk.post(at(event, "delete_track")).status_code == 302
        assert not RouteTrack.objects.exists()


class TestSponsors:
    def test_they_are_added_changed_moved_and_deleted(self, event: Event, desk: Client) -> None:
        for name in ("Garage", "Brewery"):
            fields = {"name": name, "link": "garage.example", "logo": upload(make_png())}
            assert desk.post(at(event, "sponsors"), fields).status_code == 302
        garage, brewery = EventSponsor.objects.order_by("position")
        assert garage.link == "https://garage.example"
        assert PrizeLogo.objects.count() == 2

        desk.post(at(event, "move_sponsor", brewery.pk), {"direction": "up"})
        assert list(EventSponsor.objects.order_by("position").values_list("name", flat=True)) == ["Brewery", "Garage"]
        change(desk, at(event, "edit_sponsor", garage.pk), {"name": "Old garage", "remove_logo": "on"})
        garage.refresh_from_db()
        assert (garage.name, garage.logo) == ("Old garage", None)
        assert desk.post(at(event, "delete_sponsor", garage.pk)).status_code == 302
        assert EventSponsor.objects.get() == brewery

    @pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "https://user@evil.example", "garage"])
    def test_a_link_that_leads_to_no_website_is_refused_and_kept(self, event: Event, desk: Client, link: str) -> None:
        response = desk.post(at(event, "sponsors"), {"name": "Garage", "link": link})
        assert_refused(response, "id_link", "Enter the address of a website, such as https://example.org.")
        assert f'value="{link}"' in get_page_text(response)


def test_next_years_ride_has_the_words_the_way_and_the_sponsors_and_the_programme_moves_with_the_date(
    ride: Ride, alice: User
) -> None:
    fill_page(ride.event)
    copy = copy_event(ride.event, alice, name="Next", date=ride.event.date + dt.timedelta(weeks=52), with_roster=False)

    page = EventPage.objects.get(event=copy)
    assert (page.text, page.contact_name, page.next_date, page.poster_alt) == (
        "# Welcome\n\nBring **friends**.",
        "Dot",
        None,
        "",
    )
    assert [item.date for item in list_programme(copy)] == [copy.date, copy.date + dt.timedelta(days=1)]
    sponsor = copy.page_sponsors.get()
    assert sponsor.logo is not None
    assert sponsor.logo.event == copy
    assert RouteTrack.objects.get(event=copy).points == RouteTrack.objects.get(event=ride.event).points
    assert list(copy.stops.order_by("ordinal").values_list("distance", flat=True)) == [1000, 2000, 3000, 4000]
    assert not copy.poster_images.exists(), "a poster has the date on it"
