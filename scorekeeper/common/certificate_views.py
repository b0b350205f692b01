"""The trust page, and the download of the certificate authority that `serve --tls` made.

Both exist only while `serve --tls` runs. They are the only routes served without TLS, since a phone that does not trust
the authority yet has to get it somehow. People can compare its fingerprint with the one that `serve` printed.
"""

from __future__ import annotations

import hashlib
import ssl
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

CERTIFICATE_TYPE = "application/x-x509-ca-cert"


def show_trust_page(request: HttpRequest) -> HttpResponse:
    """Explain how to trust the authority on Android and iPhone."""
    context = {"fingerprint": get_fingerprint(_read_authority()), "url": settings.BASE_URL}
    return render(request, "common/trust.html", context)


def download_authority(request: HttpRequest) -> HttpResponse:
    """Send the authority's certificate; its key never leaves the server."""
    return HttpResponse(
        _read_authority(),
        content_type=CERTIFICATE_TYPE,
        headers={"Content-Disposition": 'attachment; filename="tailgunner-ca.crt"'},
    )


def get_fingerprint(certificate: str) -> str:
    """Return a certificate's SHA-256 fingerprint as phones show it: "0A 1B 2C …"."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate)).digest().hex(" ").upper()


def _read_authority() -> str:
    file: Path = settings.AUTHORITY
    if not settings.LOCAL_TLS or not file.is_file():
        raise Http404
    return file.read_text("ascii")
