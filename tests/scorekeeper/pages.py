"""What the tests of pages ask of an answer."""

from __future__ import annotations

import re
from html import unescape
from typing import Protocol


class Answer(Protocol):
    """An answer, of a view or of the test client."""

    status_code: int

    @property
    def content(self) -> bytes: ...


def text_of(response: Answer) -> str:
    """Return the page on one line, with its characters as people read them."""
    return " ".join(unescape(response.content.decode()).split())


def assert_refused(response: Answer, field_id: str, message: str, status: int = 422) -> None:
    """Hold a refused form to the house rule: the summary links to the field, and the field says the same."""
    page = text_of(response)
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
