"""Signatures of Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Any

from scorekeeper.webhooks.deliveries import make_secret, make_signature_headers, sign
from tests.programs import ROOT

# The example of the specification's reference libraries.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, TIMESTAMP, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_published_example_has_its_signature() -> None:
    assert sign(SECRET, ID, TIMESTAMP, BODY) == SIGNATURE


def test_a_new_secret_has_32_random_bytes_and_signs_as_an_independent_computation_does() -> None:
    secret = make_secret()
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    inner = hashlib.sha256(
        bytes(byte ^ 0x36 for byte in key.ljust(64, b"\0")) + b"msg_1.17." + BODY
    ).digest()  # RFC 2104, by hand
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key.ljust(64, b"\0")) + inner).digest()

    assert len(key) == 32
    assert secret != make_secret()
    assert sign(secret, "msg_1", 17, BODY) == "v1," + base64.b64encode(outer).decode()
    assert hmac.compare_digest(outer, hmac.digest(key, b"msg_1.17." + BODY, "sha256"))


def test_the_function_in_the_guide_accepts_what_is_genuine_and_nothing_else() -> None:
    guide = (ROOT / "docs" / "api.md").read_text("utf-8")
    names: dict[str, Any] = {"base64": base64, "hmac": hmac}
    programs = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    exec(next(program for program in programs if "def is_genuine" in program), names)
    is_genuine, headers = names["is_genuine"], make_signature_headers([make_secret(), SECRET], ID, TIMESTAMP, BODY)

    assert is_genuine(SECRET, headers, BODY)
    assert not is_genuine(SECRET, headers, BODY + b" ")
    assert not is_genuine(make_secret(), headers, BODY)
    assert not is_genuine(SECRET, headers | {"webhook-timestamp": "1"}, BODY)
    assert not is_genuine(SECRET, headers | {"webhook-id": "msg_2"}, BODY)


def test_two_secrets_sign_side_by_side() -> None:
    other = make_secret()

    headers = make_signature_headers([other, SECRET], ID, TIMESTAMP, BODY)

    assert headers == {
        "webhook-id": ID,
        "webhook-timestamp": str(TIMESTAMP),
        "webhook-signature": f"{sign(other, ID, TIMESTAMP, BODY)} {SIGNATURE}",
    }
