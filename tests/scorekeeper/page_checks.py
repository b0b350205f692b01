"""What the tests of pages ask of an answer."""

from __future__ import annotations

import re
from html import unescape
from typing import Protocol

from django.test import Client


class Answer(Protocol):
    """An answer, of a view or of the test client."""

    status_code: int

    @property
    def content(self) -> bytes: ...


def get_page_text(response: Answer) -> str:
    """Return the page on one line, with its characters as people read them."""
    return " ".join(unescape(response.content.decode()).split())


def get_visible_text(response: Answer) -> str:
    """Return what people read of the page, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", response.content.decode())).split())


def strip_times(html: str) -> str:
    """Return a page on one line without when it was made, and without what its rows tell who cannot see them."""
    return " ".join(re.sub(r'<time\b.*?</time>|data-place=".*?" ', "", html).split())


def assert_clause_is_linked(response: Answer, rule: str) -> None:
    """Hold a message to the house rule: its clause opens beside the page, where the clause really stands."""
    links = re.findall(rf'<a class="clause" href="([^"#]+)#{rule}" ([^>]*)>\({rule}\)<', get_page_text(response))
    assert links, f"{rule} is not linked"
    for page, how in links:
        assert how == 'target="_blank" rel="noopener"'
        assert f'id="{rule}"' in get_page_text(Client().get(page))


def assert_refused(response: Answer, field_id: str, message: str, status: int = 422) -> None:
    """Hold a refused form to the house rule: the summary links to the field, and the field says the same."""
    page = get_page_text(response)
    assert response.status_code == status
    summary = re.search(r'<div[^>]* class="error-summary".*?</div>', page)
    assert summary is not None
    assert 'role="alert"' in summary[0]
    link = re.search(rf'<a[^>]* href="#{field_id}"[^>]*>(.*?)</a>', summary[0])
    assert link is not None, f"the summary leads to no {field_id}"
    assert link[1].strip() == message
    at_field = re.search(rf'<ul[^>]* id="{field_id}_error"[^>]*>(.*?)</ul>', page)
    assert at_field is not None, f"nothing is said at {field_id}"
    assert message in at_field[1]
