"""Passkeys: the second factor of organisers' accounts, by WebAuthn.

Terms:
- A *ceremony* is one exchange with an authenticator: it creates a passkey, or shows that the person has one. It begins
  with options for the browser, and ends with the browser's response.
- The *relying party* is this site as browsers and authenticators know it: the host and the origin of BASE_URL.

Invariants:
- A challenge belongs to one account and is consumed by the first response to it, right or wrong.
- A response counts only if it was made for the relying party, and by a passkey of the account.
- A signature count that does not grow is refused, unless the authenticator does not count: someone may have a copy.

The library is imported where it is used: that takes a fifth of a second, and phones do not have it.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import secrets
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scorekeeper.common.security_log import log_change, log_refusal
from scorekeeper.events.models import Passkey, PasskeyChallenge
from scorekeeper.events.selectors import list_passkeys
from scorekeeper.events.services.account_lock import lock_account_for_access
from scorekeeper.events.services.sessions import end_sessions

if TYPE_CHECKING:
    from fido2.server import Fido2Server
    from fido2.webauthn import AttestedCredentialData, AuthenticatorData


MAX_PASSKEYS = 10
CHALLENGE_LIFETIME = dt.timedelta(minutes=10)
CHALLENGE_BYTES = 32
MAX_CREDENTIAL_ID_BYTES = 1023  # by the standard
DEFAULT_PORTS = {"https": 443, "http": 80}
T = TypeVar("T")


class PasskeyRefused(Exception):
    """The response does not show what it should: it is malformed, or of another site, account or passkey."""


class ChallengeUnusable(PasskeyRefused):
    """The challenge has been used or has expired."""


class PasskeyKnown(PasskeyRefused):
    """The passkey has been added already, to this account or to another."""


class TooManyPasskeys(PasskeyRefused):
    """The account has as many passkeys as it may."""


class SignCountNotGrown(PasskeyRefused):
    """The authenticator has signed more often than it says, so there may be a copy of it."""


class RelyingParty(NamedTuple):
    """This site as browsers know it: `rides.example.org` and `https://rides.example.org`."""

    host: str
    origin: str


class Ceremony(NamedTuple):
    """A ceremony that has begun.

    Attributes:
        challenge_id: the id of its challenge, which only the browser session keeps.
        options: what the browser passes to the authenticator, as JSON.
    """

    challenge_id: UUID
    options: Mapping[str, Any]


def get_relying_party() -> RelyingParty | None:
    """Return the relying party; None if browsers use no passkeys at the site's address.

    They need a host name, and HTTPS unless the host is `localhost`.
    """
    address = urlsplit(settings.BASE_URL)
    host = address.hostname or ""
    if host != "localhost" and (address.scheme != "https" or _is_ip_address(host)):
        return None
    port = "" if address.port in (None, DEFAULT_PORTS[address.scheme]) else f":{address.port}"
    return RelyingParty(host, f"{address.scheme}://{host}{port}")


def begin_adding(user: User, party: RelyingParty) -> Ceremony:
    """Return the ceremony that creates a passkey for the account."""
    challenge = _create_challenge(user)
    # The handle under which authenticators list the account. It is stable, and tells nobody who it is.
    handle = salted_hmac("scorekeeper.events.passkeys", str(user.pk), algorithm="sha256").digest()
    options, _state = _get_server(party).register_begin(
        {"id": handle, "name": user.get_username(), "displayName": user.get_username()},  # type: ignore[arg-type]
        credentials=[_get_credential(passkey) for passkey in list_passkeys(user, party.host)],
        user_verification="preferred",  # type: ignore[arg-type]
        challenge=bytes(challenge.value),
    )
    return Ceremony(challenge.pk, dict(options)["publicKey"])


def add_passkey(
    user: User, name: str, party: RelyingParty, challenge_id: UUID | None, response: Mapping[str, Any]
) -> Passkey:
    """Return the new passkey that the response describes.

    Args:
        challenge_id: of the ceremony that this browser session has begun; None if it has begun none.
        response: what the browser returned, as JSON.

    Raises:
        PasskeyRefused: nothing was added; a subclass says why, if it is not the response.
        AccessEnded: the account has got another password meanwhile, or was deactivated.
    """
    from fido2 import cbor

    challenge = _consume_challenge(user, challenge_id)
    data = _verify(lambda: _register(_get_server(party), challenge, response))
    credential = data.credential_data
    assert credential is not None, "checked when verified"
    try:
        with transaction.atomic():
            lock_account_for_access(user)
            if list_passkeys(user).count() >= MAX_PASSKEYS:
                raise TooManyPasskeys
            passkey = Passkey.objects.create(
                user=user,
                name=name,
                host=party.host,
                credential_id=credential.credential_id,
                public_key=cbor.encode(credential.public_key),
                sign_count=data.counter,
            )
    except IntegrityError as error:
        raise PasskeyKnown from error
    log_change("passkey_added", passkey=passkey.pk, account=user.pk)
    return passkey


def begin_sign_in(user: User, party: RelyingParty) -> Ceremony:
    """Return the ceremony in which the person shows that they have a passkey of the account."""
    challenge = _create_challenge(user)
    options, _state = _get_server(party).authenticate_begin(
        credentials=[_get_credential(passkey) for passkey in list_passkeys(user, party.host)],
        user_verification="preferred",  # type: ignore[arg-type]
        challenge=bytes(challenge.value),
    )
    return Ceremony(challenge.pk, dict(options)["publicKey"])


def use_passkey(user: User, party: RelyingParty, challenge_id: UUID | None, response: Mapping[str, Any]) -> Passkey:
    """Return the passkey of the account that has signed the response, and store that it was used.

    Args:
        challenge_id: of the ceremony that this browser session has begun; None if it has begun none.
        response: what the browser returned, as JSON.

    Raises:
        PasskeyRefused: nobody may sign in; a subclass says why, if it is not the response.
    """
    challenge = _consume_challenge(user, challenge_id)
    passkeys = {bytes(passkey.credential_id): passkey for passkey in list_passkeys(user, party.host)}
    credential_id, count = _verify(
        lambda: _authenticate(_get_server(party), challenge, list(passkeys.values()), response)
    )
    passkey = passkeys[credential_id]
    # A single statement compares and stores the count, so of two responses with the same count one is refused.
    unchanged = Passkey.objects.filter(pk=passkey.pk)
    if count or passkey.sign_count:
        unchanged = unchanged.filter(sign_count__lt=count)
    if not unchanged.update(sign_count=count, last_used_at=timezone.now()):
        log_refusal("sign_count_not_grown", passkey=passkey.pk, account=user.pk)
        raise SignCountNotGrown
    return passkey


def rename_passkey(passkey: Passkey, name: str) -> None:
    """Give a passkey another name."""
    Passkey.objects.filter(pk=passkey.pk).update(name=name)


def remove_passkey(passkey: Passkey) -> None:
    """Remove a passkey. Repeating it changes nothing."""
    if Passkey.objects.filter(pk=passkey.pk).delete()[0]:
        log_change("passkey_removed", passkey=passkey.pk, account=passkey.user_id)


@transaction.atomic
def remove_passkeys(user: User) -> int:
    """Remove all passkeys of an account, whose password is then enough to sign in; return how many they were.

    Its sessions end: a device that was lost with its passkey may be signed in, too.
    """
    count = Passkey.objects.filter(user=user).delete()[0]
    if count:
        end_sessions(user)
        log_change("passkeys_removed", account=user.pk, count=count)
    return count


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _create_challenge(user: User) -> PasskeyChallenge:
    now = timezone.now()
    PasskeyChallenge.objects.filter(expires_at__lte=now).delete()
    return PasskeyChallenge.objects.create(
        user=user, value=secrets.token_bytes(CHALLENGE_BYTES), expires_at=now + CHALLENGE_LIFETIME
    )


def _consume_challenge(user: User, challenge_id: UUID | None) -> bytes:
    if challenge_id is None:
        raise ChallengeUnusable
    challenge = PasskeyChallenge.objects.filter(pk=challenge_id, user=user, expires_at__gt=timezone.now()).first()
    # The deletion decides: of two responses to a challenge, only one deletes its row.
    if challenge is None or not PasskeyChallenge.objects.filter(pk=challenge.pk).delete()[0]:
        raise ChallengeUnusable
    return bytes(challenge.value)


def _get_server(party: RelyingParty) -> Fido2Server:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    entity = PublicKeyCredentialRpEntity(id=party.host, name="Tailgunner")
    return Fido2Server(entity, verify_origin=lambda origin: origin == party.origin)


def _get_credential(passkey: Passkey) -> AttestedCredentialData:
    from fido2 import cbor
    from fido2.cose import CoseKey
    from fido2.webauthn import Aaguid, AttestedCredentialData

    key = CoseKey.parse(cbor.decode(bytes(passkey.public_key)))  # type: ignore[arg-type]
    return AttestedCredentialData.create(Aaguid.NONE, bytes(passkey.credential_id), key)


def _verify(check: Callable[[], T]) -> T:
    """Return what the check returns.

    Raises:
        PasskeyRefused: the check failed.
    """
    try:
        return check()
    except Exception as error:  # on malformed input the library's parsers raise whatever they come across
        log_refusal("passkey_refused", why=f"{type(error).__name__}: {error}")
        raise PasskeyRefused from error


def _register(server: Fido2Server, challenge: bytes, response: Mapping[str, Any]) -> AuthenticatorData:
    data = server.register_complete(_make_state(challenge), response)
    if data.credential_data is None or len(data.credential_data.credential_id) > MAX_CREDENTIAL_ID_BYTES:
        raise ValueError("no credential, or one with an id that is too long")
    if data.credential_data.public_key.ALGORITHM not in {each.alg for each in server.allowed_algorithms}:
        raise ValueError("an algorithm that was not asked for")
    return data


def _authenticate(
    server: Fido2Server, challenge: bytes, passkeys: list[Passkey], response: Mapping[str, Any]
) -> tuple[bytes, int]:
    """Return the id of the credential that has signed, and its signature count."""
    from fido2.webauthn import AuthenticationResponse

    parsed = AuthenticationResponse.from_dict(response)
    credentials = [_get_credential(passkey) for passkey in passkeys]
    used = server.authenticate_complete(_make_state(challenge), credentials, parsed)
    return used.credential_id, parsed.response.authenticator_data.counter


def _make_state(challenge: bytes) -> Mapping[str, Any]:
    """Return what `Fido2Server` keeps of a ceremony; of ours only the challenge varies."""
    from fido2.utils import websafe_encode

    return {"challenge": websafe_encode(challenge), "user_verification": "preferred"}
