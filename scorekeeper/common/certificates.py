"""A certificate authority of our own, for HTTPS on a local network without a public domain name.

Terms: the *authority* is made once, and phones are set up to trust it. It issues the server's *certificate*, which is
made anew when it is about to expire or when the machine's names change. *Names* are host names and addresses alike.

Invariants:
- Only their owner can read the private keys.
- An authority vouches only for the names it was made for, for names that end in `.local`, and for addresses that only
  local networks have. A stolen key cannot be used to impersonate anyone on the internet.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from scorekeeper.common.whole_files import write_whole

AUTHORITY_LIFETIME = dt.timedelta(days=3650)
CERTIFICATE_LIFETIME = dt.timedelta(days=397)  # phones refuse certificates that are valid for longer
RENEW_BEFORE = dt.timedelta(days=30)
CLOCK_SKEW = dt.timedelta(days=1)
HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")
LOCAL_NAMES = ("localhost", "local")
LOCAL_IPV4 = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
LOCAL_IPV6 = ("fc00::/7", "fe80::/10", "::1/128")
LOCAL_NETWORKS = tuple(map(ipaddress.ip_network, (*LOCAL_IPV4, *LOCAL_IPV6)))

Key = ec.EllipticCurvePrivateKey
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
CertificateAndKey = tuple[x509.Certificate, Key]


@dataclass(frozen=True, slots=True)
class Certificates:
    """Paths of the files that a server needs, and of the authority that phones have to trust.

    Attributes:
        authority: the authority's certificate, without its key; it is public.
        is_new: whether the authority was made just now, so that no phone trusts it yet.
    """

    certificate: Path
    key: Path
    authority: Path
    is_new: bool


def ensure_certificates(folder: Path, names: Iterable[str], now: dt.datetime | None = None) -> Certificates:
    """Return certificates for a server with these names. Existing ones are used for as long as they are valid.

    Args:
        folder: where the files are; created if it does not exist.
        names: host names and addresses; anything else is left out.
        now: only for tests.
    """
    now = now or dt.datetime.now(dt.UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = Certificates(folder / "server.pem", folder / "server.key", folder / "ca.pem", is_new=False)
    wanted = _parse_names(names)
    authority = _load(files.authority, folder / "ca.key", x509.NameConstraints)
    if (
        authority is None
        or _expires_soon(authority[0], now, CERTIFICATE_LIFETIME)
        or not _permits_names(authority[0], wanted)
    ):
        authority = _make_authority(wanted, now)
        _save(authority, files.authority, folder / "ca.key")
        files = Certificates(files.certificate, files.key, files.authority, is_new=True)
    server = _load(files.certificate, files.key, x509.SubjectAlternativeName)
    if server is None or not _is_valid_for(server[0], authority[0], wanted, now):
        _save(_make_certificate(authority, wanted, now), files.certificate, files.key)
    return files


Names = Sequence[x509.GeneralName]


def _parse_names(names: Iterable[str]) -> Names:
    parsed: dict[str, x509.GeneralName] = {}
    for name in names:
        plain = name.strip("[]").partition("%")[0].lower()
        try:
            parsed[plain] = x509.IPAddress(ipaddress.ip_address(plain))
        except ValueError:
            if HOST_NAME.fullmatch(plain):
                parsed[plain] = x509.DNSName(plain)
    return list(parsed.values())


def _make_authority(names: Names, now: dt.datetime) -> CertificateAndKey:
    key = ec.generate_private_key(ec.SECP256R1())
    # Named after its key, so that people can tell two authorities of one club apart in a phone's list.
    tag = x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest.hex()[:8]
    subject = _make_name(f"Tailgunner {tag}")
    builder = _start_builder(subject, subject, key, now, AUTHORITY_LIFETIME)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_make_key_usage(key_cert_sign=True, crl_sign=True), critical=True)
    builder = builder.add_extension(x509.NameConstraints(_list_constraints(names), None), critical=True)
    return builder.sign(key, hashes.SHA256()), key


def _make_certificate(authority: CertificateAndKey, names: Names, now: dt.datetime) -> CertificateAndKey:
    issuer, issuer_key = authority
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _start_builder(_make_name("Tailgunner"), issuer.subject, key, now, CERTIFICATE_LIFETIME)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_make_key_usage(digital_signature=True), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=True)
    identifier = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    builder = builder.add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False
    )
    return builder.sign(issuer_key, hashes.SHA256()), key


def _make_name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _start_builder(
    subject: x509.Name, issuer: x509.Name, key: Key, now: dt.datetime, lifetime: dt.timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now - CLOCK_SKEW + lifetime)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _make_key_usage(
    *, digital_signature: bool = False, key_cert_sign: bool = False, crl_sign: bool = False
) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=key_cert_sign,
        crl_sign=crl_sign,
        encipher_only=False,
        decipher_only=False,
    )


def _list_constraints(names: Names) -> list[x509.GeneralName]:
    hosts = [*LOCAL_NAMES, *(name.value for name in names if isinstance(name, x509.DNSName))]
    addresses = [ipaddress.ip_address(str(name.value)) for name in names if isinstance(name, x509.IPAddress)]
    public = [ipaddress.ip_network(address) for address in addresses if not _is_local(address)]
    return [
        *(x509.DNSName(host) for host in dict.fromkeys(hosts)),
        *(x509.IPAddress(network) for network in (*LOCAL_NETWORKS, *public)),
    ]


def _is_local(address: Address) -> bool:
    return any(address in network for network in LOCAL_NETWORKS)


def _permits_names(authority: x509.Certificate, names: Names) -> bool:
    """Return whether the authority may vouch for all of these names."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = constraints.permitted_subtrees or []
    hosts = [tree.value for tree in permitted if isinstance(tree, x509.DNSName)]
    networks = [
        ipaddress.ip_network(str(subtree.value)) for subtree in permitted if isinstance(subtree, x509.IPAddress)
    ]

    def is_permitted(name: x509.GeneralName) -> bool:
        if isinstance(name, x509.DNSName):
            return any(name.value == host or name.value.endswith(f".{host}") for host in hosts)
        return any(ipaddress.ip_address(str(name.value)) in network for network in networks)

    return all(map(is_permitted, names))


def _is_valid_for(certificate: x509.Certificate, authority: x509.Certificate, names: Names, now: dt.datetime) -> bool:
    """Return whether a certificate covers exactly these names, is from this authority, and does not expire soon."""
    alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    is_issued_by = certificate.issuer == authority.subject
    return is_issued_by and set(alternatives) == set(names) and not _expires_soon(certificate, now, RENEW_BEFORE)


def _expires_soon(certificate: x509.Certificate, now: dt.datetime, before: dt.timedelta) -> bool:
    return now < certificate.not_valid_before_utc or certificate.not_valid_after_utc - now < before


def _load(certificate: Path, key: Path, extension: type[x509.ExtensionType]) -> CertificateAndKey | None:
    """Return the certificate and key in the files, or None if they are missing, unreadable or do not match.

    Args:
        extension: the extension that holds the names of this kind of certificate; it must be present.
    """
    try:
        loaded = x509.load_pem_x509_certificate(certificate.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
        loaded.extensions.get_extension_for_class(extension)
    except (OSError, ValueError, x509.ExtensionNotFound):
        return None
    if not isinstance(private, ec.EllipticCurvePrivateKey) or loaded.public_key() != private.public_key():
        return None
    return loaded, private


def _save(signed: CertificateAndKey, certificate: Path, key: Path) -> None:
    """Write both files. A certificate without its matching key is ignored, so stopping between the two is harmless."""
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    write_whole(key, [signed[1].private_bytes(pem, serialization.PrivateFormat.PKCS8, plain)], 0o600)
    write_whole(certificate, [signed[0].public_bytes(pem)], 0o644)
