"""/crew/join/<token>/, /crew/sign-out/, and who counts as crew."""

from __future__ import annotations

import datetime as dt
import threading
from http import HTTPStatus

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.access import DEVICE_COOKIE, DEVICE_ID_COOKIE, CrewRequest, admit_crew, crew_required, get_device
from scorekeeper.crew.models import CrewMember, Device, Invitation
from scorekeeper.crew.services.devices import create_device, record_last_seen
from scorekeeper.crew.services.invitations import InvitationUnusable, accept_invitation, create_invitation
from tests.scorekeeper.conftest import CrewClient
from tests.scorekeeper.page_checks import get_page_text


def link_for(member: CrewMember) -> str:
    _invitation, token = create_invitation(member)
    return f"/crew/join/{token}/"


def test_opening_a_link_does_not_use_it(rita: CrewMember, client: Client) -> None:
    link = link_for(rita)

    for request in (client.get, client.head, client.get):
        response = request(link)
        assert response.status_code == HTTPStatus.OK
        assert DEVICE_COOKIE not in response.cookies

    page = get_page_text(client.get(link))
    assert all(text in page for text in ("Rita", "Group one", "Rock the Roll", "This is my phone"))
    assert Invitation.objects.get().is_usable()
    assert not Device.objects.exists()


def test_the_button_makes_the_phone_a_device(rita: CrewMember, client: Client) -> None:
    response = client.post(link_for(rita), {"mine": "yes"})

    device = Device.objects.get()
    cookie = response.cookies[DEVICE_COOKIE]
    assert response["Location"] == "/crew/ready/"
    assert device.member == rita
    assert device.token_digest == hash_token(cookie.value)
    assert cookie.value not in str(Device.objects.values())
    assert dt.timedelta(days=29) < device.expires_at - timezone.now() <= dt.timedelta(days=30)
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 90 * 24 * 60 * 60)


def test_scripts_can_read_the_device_id_but_no_secret(rita: CrewMember, client: Client) -> None:
    cookie = client.post(link_for(rita), {"mine": "yes"}).cookies[DEVICE_ID_COOKIE]
    assert cookie.value == str(Device.objects.get().pk)
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == ("", "Lax", 90 * 24 * 60 * 60)

    stranger = Client()
    stranger.cookies[DEVICE_ID_COOKIE] = cookie.value
    assert stranger.get("/crew/").status_code == HTTPStatus.UNAUTHORIZED


def test_https_cookies_are_bound_to_the_host(rita: CrewMember, client: Client, settings) -> None:
    settings.SESSION_COOKIE_SECURE = True

    joined = client.post(link_for(rita), {"mine": "yes"}, secure=True).cookies

    for name in (DEVICE_COOKIE, DEVICE_ID_COOKIE):
        cookie = joined[f"__Host-{name}"]
        assert (cookie["path"], cookie["domain"], cookie["secure"], cookie["samesite"]) == ("/", "", True, "Lax")
        assert bool(cookie["httponly"]) is (name == DEVICE_COOKIE)
        assert name not in joined
    assert client.get("/crew/", secure=True).status_code == HTTPStatus.OK
    response = client.post("/crew/sign-out/", secure=True)
    assert [response.cookies[f"__Host-{name}"].value for name in (DEVICE_COOKIE, DEVICE_ID_COOKIE)] == ["", ""]


def test_over_https_a_cookie_that_another_host_may_have_set_signs_nobody_in(
    rita: CrewMember, client: Client, settings
) -> None:
    """A host of the same domain can set cookies for ours, but none whose name begins with __Host-."""
    client.post(link_for(rita), {"mine": "yes"})
    settings.SESSION_COOKIE_SECURE = True

    response = client.get("/crew/", secure=True)

    assert response.status_code == HTTPStatus.UNAUTHORIZED
    assert not [name for name in response.cookies if "tailgunner" in name]
    # A phone that joined before cookies had the prefix is asked to sign in again, and continues with a new link.
    assert client.post(link_for(rita), {"mine": "yes"}, secure=True)["Location"] == "/crew/ready/"
    assert client.get("/crew/", secure=True).status_code == HTTPStatus.OK


def test_a_link_works_for_one_phone(rita: CrewMember) -> None:
    link = link_for(rita)
    Client().post(link, {"mine": "yes"})

    for response in (Client().get(link), Client().post(link, {"mine": "yes"})):
        assert response.status_code == HTTPStatus.GONE
        assert "This link has been used" in get_page_text(response)
        assert "ask the organiser" in get_page_text(response)
        assert DEVICE_COOKIE not in response.cookies
    assert Device.objects.count() == 1


def test_a_member_who_opens_their_link_again_goes_to_the_crew_page(rita: CrewMember, client: Client) -> None:
    link = link_for(rita)
    client.post(link, {"mine": "yes"})

    assert client.get(link)["Location"] == "/crew/"
    assert client.post(link, {"mine": "yes"})["Location"] == "/crew/"
    assert Device.objects.count() == 1


def test_an_old_link_has_expired(rita: CrewMember, client: Client) -> None:
    link = link_for(rita)
    Invitation.objects.update(expires_at=timezone.now())

    for response in (client.get(link), client.post(link, {"mine": "yes"})):
        assert response.status_code == HTTPStatus.GONE
        assert "This link has expired" in get_page_text(response)
    assert not Device.objects.exists()


@pytest.mark.parametrize("token", ["x", "A" * 43, "å"])
def test_an_unknown_link_says_what_to_do(db: None, client: Client, token: str) -> None:
    for response in (client.get(f"/crew/join/{token}/"), client.post(f"/crew/join/{token}/")):
        assert response.status_code == HTTPStatus.NOT_FOUND
        assert "We don’t know this link" in get_page_text(response)


def test_the_link_of_a_member_who_is_removed_at_that_moment_is_unknown(
    rita: CrewMember, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remove_then_accept(invitation: Invitation) -> None:
        CrewMember.objects.filter(pk=rita.pk).delete()
        accept_invitation(invitation)

    monkeypatch.setattr("scorekeeper.crew.views.joining.accept_invitation", remove_then_accept)

    response = client.post(link_for(rita), {"mine": "yes"})

    assert response.status_code == HTTPStatus.NOT_FOUND
    assert not Device.objects.exists()


def test_the_form_cannot_be_sent_from_another_site(rita: CrewMember) -> None:
    strict = Client(enforce_csrf_checks=True)

    assert strict.post(link_for(rita), {"mine": "yes"}).status_code == HTTPStatus.FORBIDDEN
    assert not Device.objects.exists()


def test_the_url_is_hidden_from_other_sites_caches_and_search_engines(rita: CrewMember, client: Client) -> None:
    link = link_for(rita)

    for response in (client.get(link), client.post(link, {"mine": "yes"}), client.get("/crew/join/unknown/")):
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cache-Control"] == "private, no-store"
        assert response["X-Robots-Tag"] == "noindex"


def test_no_token_reaches_the_log(
    rita: CrewMember, client: Client, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    link = link_for(rita)
    secret = client.post(link, {"mine": "yes"}).cookies[DEVICE_COOKIE].value
    client.get(link)
    client.get("/crew/join/unknown-but-secret/")

    logged = caplog.text + "".join(capsys.readouterr())

    assert "crew/join/" in logged, "the route is logged, so there was something to find"
    assert not any(token in logged for token in (link.split("/")[3], secret, "unknown-but-secret"))


def test_only_one_of_two_phones_can_use_a_link(rita: CrewMember) -> None:
    invitation, _token = create_invitation(rita)
    same = Invitation.objects.get(pk=invitation.pk)

    accept_invitation(invitation)
    with pytest.raises(InvitationUnusable):
        accept_invitation(same)

    assert Device.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_only_one_of_eight_simultaneous_phones_can_use_a_link(rita: CrewMember) -> None:
    invitation, _token = create_invitation(rita)
    start = threading.Barrier(8)
    outcomes: list[str] = []

    def press() -> None:
        start.wait()
        try:
            accept_invitation(Invitation.objects.get(pk=invitation.pk))
            outcomes.append("accepted")
        except InvitationUnusable:
            outcomes.append("too late")
        finally:
            connection.close()

    phones = [threading.Thread(target=press) for _phone in range(8)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()

    assert sorted(outcomes) == ["accepted"] + ["too late"] * 7
    assert Device.objects.count() == 1


@crew_required
def show_member(request: CrewRequest) -> HttpResponse:
    """A page for the crew."""
    return HttpResponse(f"{request.device.member.name} of {request.device.member.group.event.name}")


def open_crew_page(token: str | None) -> tuple[HttpRequest, HttpResponse]:
    request = RequestFactory().get("/crew/")
    if token is not None:
        request.COOKIES[DEVICE_COOKIE] = token
    return request, admit_crew(request, {}) or show_member(request)


def test_a_valid_phone_is_let_in_with_one_query(
    rita: CrewMember, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    device, token = create_device(rita)
    record_last_seen(device)

    with django_assert_num_queries(1):
        _request, response = open_crew_page(token)

    assert response.content == b"Rita of Rock the Roll"


@pytest.mark.parametrize("change", ["revoked", "expired", "deleted", "never", "empty"])
def test_any_other_phone_is_shown_how_to_sign_in(rita: CrewMember, change: str) -> None:
    _device, token = create_device(rita)
    match change:
        case "revoked":
            Device.objects.update(revoked_at=timezone.now())
        case "expired":
            Device.objects.update(expires_at=timezone.now())
        case "deleted":
            Device.objects.all().delete()

    request, response = open_crew_page({"never": None, "empty": ""}.get(change, token))

    assert response.status_code == HTTPStatus.UNAUTHORIZED
    assert "This phone is not signed in" in get_page_text(response)
    assert "ask the organiser" in get_page_text(response)
    assert get_device(request) is None


def test_the_last_seen_time_is_written_at_most_once_a_minute(rita: CrewMember) -> None:
    _device, token = create_device(rita)
    open_crew_page(token)
    first = Device.objects.get().last_seen_at
    assert first is not None

    open_crew_page(token)
    assert Device.objects.get().last_seen_at == first

    Device.objects.update(last_seen_at=first - dt.timedelta(seconds=61))
    open_crew_page(token)
    again = Device.objects.get().last_seen_at
    assert again is not None
    assert again >= first


def test_signing_out_ends_the_device(rita: CrewMember, crew_client: CrewClient) -> None:
    phone = crew_client(rita)
    assert 'href="/crew/sign-out/"' in get_page_text(phone.get("/crew/"))
    assert "To sign in again, ask the organiser for a new link." in get_page_text(phone.get("/crew/sign-out/"))
    assert Device.objects.get().is_valid()

    response = phone.post("/crew/sign-out/")

    assert "This phone is signed out" in get_page_text(response)
    assert not Device.objects.get().is_valid()
    assert [response.cookies[name].value for name in (DEVICE_COOKIE, DEVICE_ID_COOKIE)] == ["", ""]


def test_a_crew_phone_cannot_open_organiser_pages(rita: CrewMember, crew_client: CrewClient) -> None:
    response = crew_client(rita).get(f"/desk/events/{rita.group.event.slug}/groups/")

    assert response["Location"].startswith("/sign-in/")
