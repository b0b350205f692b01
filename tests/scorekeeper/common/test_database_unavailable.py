"""Which database errors lead to the page "One moment, please", and what it contains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.db import DatabaseError
from django.db.utils import ConnectionHandler
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries

from config import database
from scorekeeper.common.database_unavailable import is_database_unavailable, respond_unavailable

# These tests open connections of their own, and none to the tests' database.
pytestmark = pytest.mark.django_db


def fail(url: str, statement: str) -> DatabaseError:
    """Return the exception that Django raises when the statement is run on the database at the URL."""
    connections = ConnectionHandler({"default": database.parse_database_url(url)})
    with pytest.raises(DatabaseError) as failed:
        connections["default"].cursor().execute(statement)
    connections["default"].close()
    return failed.value


@pytest.fixture
def refused() -> DatabaseError:
    """The error of a refused connection: nothing listens on port 1."""
    return fail("postgresql://127.0.0.1:1/nothing", "SELECT 1")


def test_a_server_that_cannot_be_reached_is_unavailable(refused: DatabaseError) -> None:
    assert is_database_unavailable(refused)


def test_a_file_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    assert is_database_unavailable(fail(f"sqlite:///{tmp_path}/no-such-folder/data.sqlite3", "SELECT 1"))


def test_a_missing_table_is_a_bug(tmp_path: Path) -> None:
    assert not is_database_unavailable(fail(f"sqlite:///{tmp_path}/data.sqlite3", "SELECT * FROM nothing"))


def test_any_other_error_is_a_bug() -> None:
    assert not is_database_unavailable(ValueError("nothing to do with it"))
    assert not is_database_unavailable(None)


@pytest.mark.parametrize(
    ("path", "accept", "is_data"),
    [
        ("/crew/", "text/html,application/xhtml+xml", False),
        ("/crew/", "*/*", False),
        ("/crew/", "application/json", True),
        ("/api/v1/operations", "*/*", True),
    ],
)
def test_people_get_a_page_and_programs_get_data(refused: DatabaseError, path: str, accept: str, is_data: bool) -> None:
    response = respond_unavailable(RequestFactory().get(path, headers={"Accept": accept}), refused)

    assert response.status_code == 503
    assert response.headers["Content-Type"].startswith("application/problem+json" if is_data else "text/html")
    if is_data:
        assert json.loads(response.content)["code"] == "away"


def test_the_page_escapes_what_was_entered_and_keeps_every_value_of_a_field(
    refused: DatabaseError, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    request = RequestFactory().post(
        "/crew/?a=1&b=2", "keep=1&keep=2&why=%22%3E%3Cscript%3E", content_type="application/x-www-form-urlencoded"
    )

    with django_assert_num_queries(0):
        page = respond_unavailable(request, refused).content.decode()

    assert '<form method="post" action="/crew/?a=1&amp;b=2">' in page
    assert page.count('<input type="hidden" name="keep"') == 2
    assert '<input type="hidden" name="why" value="&quot;&gt;&lt;script&gt;">' in page


def test_an_uploaded_file_is_not_offered_to_be_sent_again(refused: DatabaseError) -> None:
    page = respond_unavailable(RequestFactory().post("/desk/", {"roster": "number,rider"}), refused).content.decode()

    assert "<form" not in page
    assert "go back and send it again" in page
