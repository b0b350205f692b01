"""Forms whose answer shows a secret once: sent again, they show the same page (see `sent_once`).

Invariant: the database has no form's id, so nobody can read an answer there.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from uuid import UUID

from cryptography.fernet import Fernet
from django.utils.crypto import salted_hmac

from scorekeeper.common.sent_once import PURPOSE, View, decorate


def sent_once_for_secret(view: View) -> View:
    """Decorate a view that creates something and shows its secret once: the second answer shows the same page."""
    return decorate(view, _make_cipher)


def _make_cipher(form_id: UUID) -> Fernet:
    return Fernet(urlsafe_b64encode(salted_hmac(f"{PURPOSE}.answer", form_id.hex, algorithm="sha256").digest()))
