"""Our own certificates: who can read them, what they vouch for, and when they are renewed."""

from __future__ import annotations

import datetime as dt
import ssl
import stat
from pathlib import Path

import pytest
from cryptography import x509

from scorekeeper.common import certificates
from scorekeeper.common.certificates import Certificates, ensure_certificates

NAMES = ["localhost", "127.0.0.1", "::1", "shed.local", "192.168.1.7"]
NOW = dt.datetime.now(dt.UTC)


def connect(files: Certificates, name: str) -> None:
    """Do a TLS handshake with a server under a name, as a client that trusts only the authority.

    Raises:
        ssl.SSLError: the certificate is not valid for that name.
    """
    client_context = ssl.create_default_context(cafile=str(files.authority))
    client_context.verify_flags |= ssl.VERIFY_X509_STRICT  # as newer Pythons do
    server_context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server_context.load_cert_chain(files.certificate, files.key)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = client_context.wrap_bio(to_client, to_server, server_hostname=name)
    server = server_context.wrap_bio(to_server, to_client, server_side=True)
    pending = [client, server]
    while pending:
        side = pending.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            pending.append(side)


def read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


@pytest.fixture
def files(tmp_path: Path) -> Certificates:
    return ensure_certificates(tmp_path / "tls", NAMES, NOW)


@pytest.mark.parametrize("name", NAMES)
def test_a_server_is_trusted_by_each_of_its_names(files: Certificates, name: str) -> None:
    connect(files, name)


@pytest.mark.parametrize("name", ["example.org", "192.168.1.8", "other.local"])
def test_a_server_is_not_trusted_by_any_other_name(files: Certificates, name: str) -> None:
    with pytest.raises(ssl.SSLError, match="mismatch"):
        connect(files, name)


@pytest.mark.parametrize("name", ["example.org", "local.example.org", "93.184.215.14", "2606:2800:21f::1"])
def test_the_authoritys_key_cannot_be_used_to_impersonate_an_internet_host(files: Certificates, name: str) -> None:
    folder = files.authority.parent
    authority = certificates._load(files.authority, folder / "ca.key", x509.NameConstraints)
    assert authority is not None
    forged = certificates._make_certificate(authority, certificates._parse_names([name]), NOW)
    certificates._save(forged, files.certificate, files.key)

    with pytest.raises(ssl.SSLError, match="permitted subtree violation"):
        connect(files, name)


def test_only_the_owner_can_read_the_keys(files: Certificates) -> None:
    folder = files.authority.parent

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.glob("*.key")}

    assert modes == {"ca.key": 0o600, "server.key": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {file.name for file in folder.iterdir()} == {"ca.pem", "ca.key", "server.pem", "server.key"}


def test_valid_certificates_are_reused(files: Certificates) -> None:
    before = {file: file.read_bytes() for file in files.authority.parent.iterdir()}

    again = ensure_certificates(files.authority.parent, reversed(NAMES), NOW + dt.timedelta(days=300))

    assert files.is_new
    assert not again.is_new
    assert {file: file.read_bytes() for file in files.authority.parent.iterdir()} == before


@pytest.mark.parametrize("names", [[*NAMES, "10.0.0.3"], NAMES[:-1], [*NAMES[:-1], "192.168.1.9"]])
def test_other_names_cause_a_new_certificate_from_the_same_authority(files: Certificates, names: list[str]) -> None:
    authority, certificate = files.authority.read_bytes(), files.certificate.read_bytes()

    again = ensure_certificates(files.authority.parent, names, NOW)

    assert not again.is_new
    assert again.authority.read_bytes() == authority
    assert again.certificate.read_bytes() != certificate
    for name in names:
        connect(again, name)


def test_a_certificate_is_renewed_before_it_expires(files: Certificates) -> None:
    expires = read(files.certificate).not_valid_after_utc
    authority = files.authority.read_bytes()

    ensure_certificates(files.authority.parent, NAMES, expires - dt.timedelta(days=31))
    assert read(files.certificate).not_valid_after_utc == expires

    ensure_certificates(files.authority.parent, NAMES, expires - dt.timedelta(days=29))
    assert read(files.certificate).not_valid_after_utc > expires
    assert files.authority.read_bytes() == authority


def test_its_lifetime_is_within_the_limit_of_phones_and_of_its_authority(files: Certificates) -> None:
    for later in (0, 3000, 3300, 3600):
        ensure_certificates(files.authority.parent, NAMES, NOW + dt.timedelta(days=later))
        certificate, authority = read(files.certificate), read(files.authority)
        assert certificate.not_valid_after_utc - certificate.not_valid_before_utc < dt.timedelta(days=398)
        assert certificate.not_valid_after_utc <= authority.not_valid_after_utc


def test_a_name_outside_the_authoritys_constraints_causes_a_new_authority(files: Certificates) -> None:
    before = files.authority.read_bytes()

    again = ensure_certificates(files.authority.parent, [*NAMES, "rides.example.org", "93.184.215.14"], NOW)

    assert again.is_new
    assert again.authority.read_bytes() != before
    for name in ("rides.example.org", "93.184.215.14", "localhost"):
        connect(again, name)


@pytest.mark.parametrize("lost", ["ca.pem", "ca.key", "server.pem", "server.key"])
@pytest.mark.parametrize("how", ["missing", "cut off"])
def test_lost_or_damaged_files_are_recreated(files: Certificates, lost: str, how: str) -> None:
    file = files.authority.parent / lost
    if how == "missing":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:100])

    again = ensure_certificates(files.authority.parent, NAMES, NOW)

    assert again.is_new == lost.startswith("ca")
    connect(again, "shed.local")


def test_invalid_names_are_left_out(tmp_path: Path) -> None:
    odd = ["Shed", "[::1]", "fe80::1%eth0", "", "*", "a_b", "-x", "x" * 64, "ü.local", ".local"]

    again = ensure_certificates(tmp_path, odd, NOW)

    names = read(again.certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == ["shed", "::1", "fe80::1"]
