"""Checks on the content of responses, for the tests of pages."""

from __future__ import annotations

import re
from html import unescape
from typing import Protocol

from django.test import Client

TIME_MARK = re.compile(r'<time datetime="[\d:]+">([\d:]+)</time>')


class PageResponse(Protocol):
    """A response of a view or of the test client."""

    status_code: int

    @property
    def content(self) -> bytes: ...


def get_page_text(response: PageResponse) -> str:
    """Return the page's HTML on one line, with character references resolved and without the marks of times."""
    html = TIME_MARK.sub(r"\1", response.content.decode())
    return " ".join(unescape(html).split())


def get_visible_text(response: PageResponse) -> str:
    """Return the visible text of the page on one line."""
    return _show(response.content.decode())


def get_timeless_text(response: PageResponse) -> str:
    """Return the visible text of the page on one line, without the times that pass while a test runs."""
    return _show(strip_times(response.content.decode()))


def _show(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())


def strip_times(html: str) -> str:
    """Return a page on one line without its times, and without the texts that announce changes of rows."""
    return " ".join(re.sub(r'<time\b.*?</time>|data-(?:place|nth|gap)=".*?" ', "", html).split())


def assert_clause_is_linked(response: PageResponse, rule: str) -> None:
    """Check that a message links to its clause, in a new tab, and that the rule book has the clause there."""
    links = re.findall(rf'<a class="clause" href="([^"#]+)#{rule}" ([^>]*)>\({rule}\)<', get_page_text(response))
    assert links, f"{rule} is not linked"
    for page, attributes in links:
        assert attributes == 'target="_blank" rel="noopener"'
        assert f'id="{rule}"' in get_page_text(Client().get(page))


def assert_refused(response: PageResponse, field_id: str, message: str, status: int = 422) -> None:
    """Check that a form was rejected: the error summary links to the field, and the field has the same message."""
    page = get_page_text(response)
    assert response.status_code == status
    summary = re.search(r'<div[^>]* class="error-summary".*?</div>', page)
    assert summary is not None
    assert 'role="alert"' in summary[0]
    link = re.search(rf'<a[^>]* href="#{field_id}"[^>]*>(.*?)</a>', summary[0])
    assert link is not None, f"the summary has no link to {field_id}"
    assert link[1].strip() == message
    at_field = re.search(rf'<ul[^>]* id="{field_id}_error"[^>]*>(.*?)</ul>', page)
    assert at_field is not None, f"{field_id} has no error message"
    assert message in at_field[1]
