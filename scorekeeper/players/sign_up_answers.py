"""What to tell a rider who has signed up: a message with the decision, and the links that begin to send it.

Tailgunner sends nothing itself. The organiser's own mail or phone does, so the rider can answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from scorekeeper.common.date_wording import format_date
from scorekeeper.common.languages import speaking
from scorekeeper.events.event_language import get_event_language
from scorekeeper.players.models import SignUp

PHONE_SIGNS = " \t\N{NO-BREAK SPACE}-\N{NON-BREAKING HYPHEN}\N{EN DASH}./()"  # between the digits of a phone number
PHONE_DIGITS = range(5, 16)  # how many a number may have: at most 15, by E.164


@dataclass(frozen=True, slots=True)
class Answer:
    """What a rider is to be told.

    Attributes:
        sign_up: whose rider.
        text: the message.
        mail_href: begins an email with the message; "" unless the contact is an email address.
        sms_href: begins a text message with it; "" unless the contact is a phone number.
        call_href: calls the phone number; "" unless there is one.
    """

    sign_up: SignUp
    text: str
    mail_href: str = ""
    sms_href: str = ""
    call_href: str = ""


def write_answer(sign_up: SignUp, public_url: str) -> Answer:
    """Return what to tell the rider of a sign-up that was decided, in the language of the event.

    Args:
        sign_up: with its event, its bike and the bike's group.
        public_url: the page of the ride, for riders who have a place; "" if it has none yet.
    """
    with speaking(get_event_language(sign_up.event)):
        return _write_answer(sign_up, public_url)


def _write_answer(sign_up: SignUp, public_url: str) -> Answer:
    event = sign_up.event
    words = {"rider": sign_up.rider, "event": event.name, "date": format_date(event.date)}
    if sign_up.decision == SignUp.Decision.APPROVED:
        subject = _("You have a place at %(event)s") % words
        sentences = [_("Hello %(rider)s, you have a place at %(event)s on %(date)s.") % words]
        if bike := sign_up.bike:
            sentences.append(_("Your number is %(number)s.") % {"number": bike.label})
            if bike.group is not None:
                sentences.append(_("Your group is %(group)s.") % {"group": bike.group.name})
        if public_url:
            sentences.append(_("All about the event: %(url)s") % {"url": public_url})
    else:
        subject = _("Your sign-up for %(event)s") % words
        text = _(
            "Hello %(rider)s, thank you for signing up for %(event)s on %(date)s."
            " Unfortunately, we have no place for you this time."
        )
        sentences = [text % words]
    message = " ".join(sentences)
    if address := _read_email(sign_up.contact):
        href = f"mailto:{quote(address, safe='@')}?subject={quote(subject)}&body={quote(message)}"
        return Answer(sign_up, message, mail_href=href)
    if number := _read_phone_number(sign_up.contact):
        sms_href = f"sms:{number}?body={quote(message)}"
        return Answer(sign_up, message, sms_href=sms_href, call_href=f"tel:{number}")
    return Answer(sign_up, message)


def _read_email(contact: str) -> str:
    """Return an email address; "" if the contact is anything else."""
    try:
        validate_email(contact.strip())
    except ValidationError:
        return ""
    return contact.strip()


def _read_phone_number(contact: str) -> str:
    """Return a phone number as digits, with its "+", in any script's digits; "" if the contact is anything else."""
    signs = contact.strip()
    plus = "+" if signs.startswith("+") else ""
    digits = [sign for sign in signs.removeprefix("+") if sign not in PHONE_SIGNS]
    if len(digits) not in PHONE_DIGITS or not all(sign.isdecimal() for sign in digits):
        return ""
    return plus + "".join(str(int(sign)) for sign in digits)
