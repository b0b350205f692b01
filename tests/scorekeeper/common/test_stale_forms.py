"""What was typed survives an ended session and a stale form token (CSRF), on every form."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from scorekeeper.common.form_refill import refill_form
from scorekeeper.crew.models import Device
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import PASSWORD, CrewClient, Ride, SignIn
from tests.scorekeeper.picture_files import make_marked_png

pytestmark = pytest.mark.django_db

TYPED = "Ride to the <b>salt</b> & back"
EVENT = {
    "name": TYPED,
    "date": "2026-09-05",
    "time_zone": "Europe/Zurich",
    "people_shown": "numbers",
    "is_listed": "on",
}


def read_fields(html: str) -> dict[str, str]:
    """Return the values of the inputs of text on a page."""
    tags = re.findall(r"<input\b[^>]*>", html)
    found = {}
    for tag in tags:
        name, value = re.search(r'\bname="([^"]*)"', tag), re.search(r'\bvalue="([^"]*)"', tag)
        if name and value and ('type="radio"' not in tag or " checked" in tag):
            found[unescape(name[1])] = unescape(value[1])
    return found


def make_strict(client: Client) -> Client:
    client.handler.enforce_csrf_checks = True
    return client


def test_after_an_ended_session_the_form_shows_again_once_signed_in(alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    Session.objects.all().delete()

    refused = client.post("/desk/events/new/", EVENT)
    assert refused.status_code == 302
    sign_in_page = client.get(refused["Location"])
    assert "the form shows again with what you entered" in sign_in_page.content.decode()
    page = client.post(
        refused["Location"], {"username": "alice", "password": PASSWORD, "next": "/desk/events/new/"}, follow=True
    )
    fields = read_fields(page.content.decode())

    assert not Event.objects.exists(), "nothing is sent by itself"
    assert fields["name"] == TYPED
    assert (fields["date"], fields["time_zone"], fields["people_shown"]) == ("2026-09-05", "Europe/Zurich", "numbers")
    assert "<b>salt</b>" not in page.content.decode()
    assert 'id="unsent-input"' in page.content.decode()

    client.post("/desk/events/new/", {**EVENT, **fields})
    assert Event.objects.get().name == TYPED
    assert 'id="unsent-input"' not in client.get("/desk/events/new/").content.decode()


def test_another_account_in_the_same_browser_does_not_see_what_was_typed(alice: User, bob: User) -> None:
    client = Client()
    sent = {"password": PASSWORD, "next": "/desk/events/new/"}
    client.post("/sign-in/", {**sent, "username": "alice"})
    Session.objects.all().delete()
    refused = client.post("/desk/events/new/", EVENT)

    page = client.post(refused["Location"], {**sent, "username": "bob"}, follow=True)
    assert page.status_code == 200
    assert page.context["user"] == bob
    assert "salt" not in page.content.decode()
    Session.objects.all().delete()
    page = client.post("/sign-in/", {**sent, "username": "alice"}, follow=True)
    assert "salt" not in page.content.decode()


def test_with_a_stale_token_the_form_shows_again(alice: User, sign_in: SignIn) -> None:
    client = make_strict(sign_in(alice))

    response = client.post("/desk/events/new/", {**EVENT, "csrfmiddlewaretoken": "a" * 64})
    html = response.content.decode()
    fields = read_fields(html)

    assert response.status_code == 403
    assert fields["name"] == TYPED
    assert not Event.objects.exists()
    assert re.search(r'<input[^>]*name="is_listed"[^>]*checked', html)
    assert client.post("/desk/events/new/", {**EVENT, **fields}).status_code == 302
    assert Event.objects.get().name == TYPED


def test_passwords_are_not_kept(alice: User, sign_in: SignIn) -> None:
    client = make_strict(sign_in(alice))
    response = client.post("/account/", {"old_password": "hunter-2-secret", "new_password1": "another-secret"})

    assert "hunter-2" not in response.content.decode()
    assert "another-secret" not in response.content.decode()
    assert "are not kept" in response.content.decode()

    client = sign_in(alice)
    Session.objects.all().delete()
    client.post("/account/", {"old_password": "hunter-2-secret"})
    assert "hunter-2" not in str([session.get_decoded() for session in Session.objects.all()])


def test_the_button_of_another_page_shows_on_that_page(ride: Ride, sign_in: SignIn, alice: User) -> None:
    """Buttons have no page of their own: the form is on the page before."""
    client = sign_in(alice)
    page = f"/desk/events/{ride.event.slug}/messages/"
    Session.objects.all().delete()
    refused = client.post(
        page, {"text": TYPED, "group": str(ride.group_one.pk)}, headers={"Referer": f"http://testserver{page}"}
    )
    html = client.post(refused["Location"], {"username": "alice", "password": PASSWORD}, follow=True).content.decode()
    assert "Ride to the &lt;b&gt;salt&lt;/b&gt; &amp; back" in html
    assert "Ride to the <b>" not in html

    client = sign_in(alice)
    Session.objects.all().delete()
    refused = client.post(f"/desk/events/{ride.event.slug}/unarchive/", headers={"Referer": f"http://testserver{page}"})
    assert refused["Location"] == f"/sign-in/?next={page}"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Referer": "https://evil.example/form"},
        {"Origin": "http://["},
        {"Referer": "http://[/"},
    ],
)
def test_a_form_of_another_site_is_refused_without_a_trace(
    alice: User, sign_in: SignIn, headers: dict[str, str]
) -> None:
    response = make_strict(sign_in(alice)).post("/desk/events/new/", EVENT, headers=headers)

    assert response.status_code == 403
    assert "salt" not in response.content.decode()


def test_after_an_ended_session_a_referrer_that_is_no_address_is_ignored(client: Client, db: None) -> None:
    response = client.post("/sign-out/everywhere/", EVENT, headers={"Referer": "http://["})

    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=/")


def test_a_crew_phone_keeps_what_was_entered(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.tom)
    fields = {"number": "77", "rider": TYPED}

    stale = make_strict(phone).post("/crew/walk-up/", fields)
    assert stale.status_code == 403
    assert read_fields(stale.content.decode())["rider"] == TYPED

    phone.handler.enforce_csrf_checks = False
    Device.objects.all().delete()
    for address in ("/crew/walk-up/", "/crew/dice-set/"):
        ended = phone.post(address, fields, headers={"HX-Request": "true"})
        html = ended.content.decode()
        assert ended.status_code == 401
        assert "Ride to the &lt;b&gt;salt&lt;/b&gt; &amp; back</textarea>" in html
        assert f'action="{address}"' in html
        assert "Send again" in html


def test_public_forms_keep_what_was_typed(event: Event) -> None:
    Event.objects.update(is_sign_up_open=True, date=timezone.localdate())
    client = make_strict(Client())
    address = f"/events/{event.slug}/sign-up/"
    client.get(address)

    response = client.post(address, {"rider": TYPED, "rider_name": TYPED, "make": "Honda"})

    assert response.status_code == 403
    assert "Ride to the &lt;b&gt;salt&lt;/b&gt; &amp; back" in response.content.decode()


def test_htmx_gets_a_page_that_it_shows(ride: Ride, sign_in: SignIn, alice: User) -> None:
    client = make_strict(sign_in(alice))
    stale = client.post("/desk/events/new/", EVENT, headers={"HX-Request": "true"})
    assert (stale.status_code, stale["HX-Retarget"]) == (422, "body")

    client.handler.enforce_csrf_checks = False
    Session.objects.all().delete()
    ended = client.post("/desk/events/new/", EVENT, headers={"HX-Request": "true"})
    assert ended["HX-Redirect"] == "/sign-in/?next=/desk/events/new/"


def test_a_chosen_file_is_named_where_the_form_shows_again(ride: Ride, sign_in: SignIn, alice: User) -> None:
    client = sign_in(alice)
    picture = SimpleUploadedFile("our <logo>.png", make_marked_png("Quokka"), "image/png")
    address = f"/desk/events/{ride.event.slug}/prizes/"

    refused = client.post(address, {"name": "", "logo": picture})
    html = refused.content.decode()

    assert refused.status_code == 422
    assert "You had chosen our &lt;logo&gt;.png" in html


def test_a_file_is_not_said_to_be_in_the_form_again(ride: Ride, sign_in: SignIn, alice: User) -> None:
    client = make_strict(sign_in(alice))
    sheet = SimpleUploadedFile("bikes.csv", b"Number,Rider\n7,Ann\n", "text/csv")

    stale = client.post(f"/desk/events/{ride.event.slug}/bikes/import/", {"file": sheet})
    html = stale.content.decode()

    assert stale.status_code == 403
    assert "send it again with the file" in html
    assert "What you entered is in the form again" not in html
    assert "Choose the file bikes.csv again." in html


def test_every_kind_of_control_is_filled_in() -> None:
    html = """<form method="post"><input name="a" value="old"><input type="checkbox" name="b" value="1" checked>
    <input type="checkbox" name="b" value="2"><input type="radio" name="c" value="x" checked>
    <input type="radio" name="c" value="y"><select name="d"><option value="1" selected>One</option>
    <option value="2">Two &amp; more</option></select><textarea name="e">
old &lt;text&gt;</textarea><input type="password" name="f"><input name="g" value="1"><input name="g" value="2">
    <button name="h" value="go">Go</button></form>
    <form method="post" action="/else"><input name="a" value="kept"></form>"""
    sent = [("a", '"><script>'), ("b", "2"), ("c", "y"), ("d", "2"), ("e", "</textarea><i>"), ("f", "secret")]
    sent += [("g", "3"), ("g", "4"), ("h", "go"), ("z", "gone")]

    page = refill_form(html, "/form/", "/form/?x=1", sent)

    assert page.is_found
    assert page.left_over == [("z", "gone")]
    assert 'value="&quot;&gt;&lt;script&gt;"' in page.html
    assert '<input type="checkbox" name="b" value="1">' in page.html
    assert '<input type="checkbox" name="b" value="2" checked>' in page.html
    assert '<input type="radio" name="c" value="y" checked>' in page.html
    assert '<option value="2" selected>Two &amp; more</option>' in page.html
    assert "\n&lt;/textarea&gt;&lt;i&gt;</textarea>" in page.html
    assert "secret" not in page.html
    assert 'name="g" value="3"' in page.html
    assert 'name="g" value="4"' in page.html
    assert 'value="kept"' in page.html
