"""Certificates of our own making: who can read them, what they vouch for, and when they are made anew."""

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


def shake_hands(kept: Certificates, name: str) -> None:
    """Connect to a server with the certificates, by a name, as somebody who trusts the authority and nobody else.

    Raises:
        ssl.SSLError: the certificate is not good for that name.
    """
    asks = ssl.create_default_context(cafile=str(kept.authority))
    asks.verify_flags |= ssl.VERIFY_X509_STRICT  # as newer Pythons do
    answers = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    answers.load_cert_chain(kept.certificate, kept.key)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = asks.wrap_bio(to_client, to_server, server_hostname=name)
    server = answers.wrap_bio(to_server, to_client, server_side=True)
    waiting = [client, server]
    while waiting:
        side = waiting.pop(0)
        try:
            side.do_handshake()
        except ssl.SSLWantReadError:
            waiting.append(side)


def read(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


@pytest.fixture
def kept(tmp_path: Path) -> Certificates:
    return ensure_certificates(tmp_path / "tls", NAMES, NOW)


@pytest.mark.parametrize("name", NAMES)
def test_a_server_is_trusted_by_each_of_its_names(kept: Certificates, name: str) -> None:
    shake_hands(kept, name)


@pytest.mark.parametrize("name", ["example.org", "192.168.1.8", "other.local"])
def test_it_is_not_trusted_by_any_other(kept: Certificates, name: str) -> None:
    with pytest.raises(ssl.SSLError, match="mismatch"):
        shake_hands(kept, name)


@pytest.mark.parametrize("name", ["example.org", "local.example.org", "93.184.215.14", "2606:2800:21f::1"])
def test_whoever_has_the_authoritys_key_cannot_pass_for_somebody_on_the_internet(kept: Certificates, name: str) -> None:
    folder = kept.authority.parent
    authority = certificates._load(kept.authority, folder / "ca.key", x509.NameConstraints)
    assert authority is not None
    forged = certificates._make_certificate(authority, certificates._parse_names([name]), NOW)
    certificates._save(forged, kept.certificate, kept.key)

    with pytest.raises(ssl.SSLError, match="permitted subtree violation"):
        shake_hands(kept, name)


def test_only_the_owner_reads_the_keys(kept: Certificates) -> None:
    folder = kept.authority.parent

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.glob("*.key")}

    assert modes == {"ca.key": 0o600, "server.key": 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {file.name for file in folder.iterdir()} == {"ca.pem", "ca.key", "server.pem", "server.key"}


def test_they_are_kept_while_they_are_good(kept: Certificates) -> None:
    before = {file: file.read_bytes() for file in kept.authority.parent.iterdir()}

    again = ensure_certificates(kept.authority.parent, reversed(NAMES), NOW + dt.timedelta(days=300))

    assert kept.is_new
    assert not again.is_new
    assert {file: file.read_bytes() for file in kept.authority.parent.iterdir()} == before


@pytest.mark.parametrize("names", [[*NAMES, "10.0.0.3"], NAMES[:-1], [*NAMES[:-1], "192.168.1.9"]])
def test_other_names_make_a_new_certificate_by_the_same_authority(kept: Certificates, names: list[str]) -> None:
    authority, certificate = kept.authority.read_bytes(), kept.certificate.read_bytes()

    again = ensure_certificates(kept.authority.parent, names, NOW)

    assert not again.is_new
    assert again.authority.read_bytes() == authority
    assert again.certificate.read_bytes() != certificate
    for name in names:
        shake_hands(again, name)


def test_a_certificate_that_runs_out_is_renewed_in_time(kept: Certificates) -> None:
    ends = read(kept.certificate).not_valid_after_utc
    authority = kept.authority.read_bytes()

    ensure_certificates(kept.authority.parent, NAMES, ends - dt.timedelta(days=31))
    assert read(kept.certificate).not_valid_after_utc == ends

    ensure_certificates(kept.authority.parent, NAMES, ends - dt.timedelta(days=29))
    assert read(kept.certificate).not_valid_after_utc > ends
    assert kept.authority.read_bytes() == authority


def test_it_lives_no_longer_than_phones_take_it_and_never_longer_than_its_authority(kept: Certificates) -> None:
    for later in (0, 3000, 3300, 3600):
        ensure_certificates(kept.authority.parent, NAMES, NOW + dt.timedelta(days=later))
        certificate, authority = read(kept.certificate), read(kept.authority)
        assert certificate.not_valid_after_utc - certificate.not_valid_before_utc < dt.timedelta(days=398)
        assert certificate.not_valid_after_utc <= authority.not_valid_after_utc


def test_a_name_that_the_authority_may_not_vouch_for_makes_a_new_one(kept: Certificates) -> None:
    before = kept.authority.read_bytes()

    again = ensure_certificates(kept.authority.parent, [*NAMES, "rides.example.org", "93.184.215.14"], NOW)

    assert again.is_new
    assert again.authority.read_bytes() != before
    for name in ("rides.example.org", "93.184.215.14", "localhost"):
        shake_hands(again, name)


@pytest.mark.parametrize("lost", ["ca.pem", "ca.key", "server.pem", "server.key"])
@pytest.mark.parametrize("how", ["missing", "cut off"])
def test_what_is_lost_or_damaged_is_made_anew(kept: Certificates, lost: str, how: str) -> None:
    file = kept.authority.parent / lost
    if how == "missing":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:100])

    again = ensure_certificates(kept.authority.parent, NAMES, NOW)

    assert again.is_new == lost.startswith("ca")
    shake_hands(again, "shed.local")


def test_what_is_no_name_is_left_out(tmp_path: Path) -> None:
    odd = ["Shed", "[::1]", "fe80::1%eth0", "", "*", "a_b", "-x", "x" * 64, "ü.local", ".local"]

    again = ensure_certificates(tmp_path, odd, NOW)

    names = read(again.certificate).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == ["shed", "::1", "fe80::1"]
