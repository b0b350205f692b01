"""Messages are encrypted as RFC 8291 says, and only the browser can read them."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.push.encryption import MAX_PLAINTEXT, RECORD_SIZE, UnusableKeys, decode_keys, encrypt
from tests.scorekeeper.push.conftest import Browser, decode, decrypt, encode

# RFC 8291, section 5 and appendix A
PLAINTEXT = b"When I grow up, I want to be a watermelon"
RECEIVER_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
RECEIVER_PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SENDER_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def load_private_key(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decode(text), "big"), ec.SECP256R1())


def test_the_example_of_the_standard_is_encrypted_byte_by_byte() -> None:
    sender = load_private_key(SENDER_PRIVATE)

    assert encode(encrypt(PLAINTEXT, RECEIVER_PUBLIC, AUTH, salt=decode(SALT), sender=sender)) == BODY


def test_our_receiver_reads_the_example_of_the_standard() -> None:
    assert decrypt(decode(BODY), load_private_key(RECEIVER_PRIVATE), decode(AUTH)) == PLAINTEXT


@given(st.binary(max_size=MAX_PLAINTEXT))
def test_a_browser_reads_what_was_encrypted_for_it(plaintext: bytes) -> None:
    browser = Browser("https://push.example.org/1")
    keys = browser.description["keys"]

    body = encrypt(plaintext, keys["p256dh"], keys["auth"])

    assert decrypt(body, browser.key, browser.secret) == plaintext
    assert len(body) <= RECORD_SIZE


def test_two_messages_with_the_same_text_have_nothing_in_common() -> None:
    one, other = (encrypt(PLAINTEXT, RECEIVER_PUBLIC, AUTH) for _ in range(2))

    assert one[:16] != other[:16]
    assert one[21:86] != other[21:86]


def test_no_other_browser_can_read_it() -> None:
    browser, other = Browser("https://push.example.org/1"), Browser("https://push.example.org/2")
    keys = browser.description["keys"]
    body = encrypt(PLAINTEXT, keys["p256dh"], keys["auth"])

    with pytest.raises(InvalidTag):
        decrypt(body, browser.key, other.secret)
    with pytest.raises(InvalidTag):
        decrypt(body, other.key, browser.secret)


def test_a_text_that_no_push_service_accepts_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        encrypt(bytes(MAX_PLAINTEXT + 1), RECEIVER_PUBLIC, AUTH)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (RECEIVER_PUBLIC, ""),
        (RECEIVER_PUBLIC[:-1], AUTH),
        (RECEIVER_PUBLIC, AUTH + "A"),
        (encode(b"\4" + bytes(64)), AUTH),  # not on the curve
        (encode(b"\2" + decode(RECEIVER_PUBLIC)[1:]), AUTH),  # another form of a point
        (RECEIVER_PUBLIC.replace("-", "+"), AUTH),
        (RECEIVER_PUBLIC[:-1] + "\N{CYRILLIC SMALL LETTER A}", AUTH),
    ],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(UnusableKeys):
        decode_keys(p256dh, auth)
