"""`/healthz`."""

from django.test import Client


def test_it_answers_without_touching_the_database(client: Client) -> None:
    # Without the `db` fixture, a query would fail.
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.content == b"ok\n"
    assert "no-store" in response.headers["Cache-Control"]


def test_it_cannot_be_posted_to(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
