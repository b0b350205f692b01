"""The code of a bike: there is one way to write it, and no other text is accepted."""

from __future__ import annotations

import base64
import random
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.bikes.codes import CODE_LENGTH, make_code, read_code
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import find_bike_by_code
from tests.faults.figures import Figures
from tests.scorekeeper.conftest import Ride

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
ALTERED = 10_000


@given(st.uuids())
def test_a_code_has_the_id_of_its_bike(bike_id: UUID) -> None:
    code = make_code(bike_id)

    assert read_code(code) == bike_id
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(LETTERS)


@given(st.text())
@pytest.mark.slow
def test_text_that_is_not_a_code_gives_none(text: str) -> None:
    assert read_code(text) is None


def alter(code: str, chance: random.Random) -> str:
    """Return the code with a reading error or a forgery in it; never the code itself."""
    letters = list(code)
    index, other = chance.sample(range(len(letters)), 2)
    match chance.randrange(8):
        case 0:
            letters[index] = chance.choice([letter for letter in LETTERS if letter != letters[index]])
        case 1:
            letters[index], letters[other] = letters[other], letters[index]
        case 2:
            del letters[index]
        case 3:
            letters.insert(index, chance.choice(LETTERS))
        case 4:
            letters[index] = letters[index].upper() if letters[index].isalpha() else "="
        case 5:
            letters = list(base64.b32encode(uuid4().bytes + chance.randbytes(9)).decode().lower())
        case 6:
            # Another bike's id before this bike's checksum: the id takes 26 letters, the rest of the checksum 14.
            letters[:25] = make_code(uuid4())[:25]
        case _:
            letters = letters[:index] + letters[index:][::-1]
    altered = "".join(letters)
    return altered if altered != code else code[::-1]


def test_none_of_ten_thousand_altered_codes_is_accepted(figures: Figures) -> None:
    chance = random.Random(57)
    real = [make_code(UUID(int=chance.getrandbits(128))) for _ in range(100)]
    altered = [alter(chance.choice(real), chance) for _ in range(ALTERED)]
    assert not set(altered) & set(real)

    accepted = [code for code in altered if read_code(code) is not None]
    assert accepted == []
    figures.add("30 · altered and foreign codes of bikes", f"{len(altered):,} codes: {len(accepted)} accepted")


@pytest.mark.django_db
def test_a_code_finds_its_bike_and_nothing_else(ride: Ride) -> None:
    assert find_bike_by_code(make_code(ride.bikes[1].pk)) == ride.bikes[1]
    assert find_bike_by_code(make_code(uuid4())) is None
    assert find_bike_by_code(str(ride.bikes[1].pk)) is None


@pytest.mark.django_db
def test_the_code_of_a_merged_bike_finds_the_bike_it_was_merged_into(ride: Ride) -> None:
    alias = Bike.objects.create(event=ride.event, number=1, suffix=2, merged_into=ride.bikes[1])
    again = Bike.objects.create(event=ride.event, number=1, suffix=3, merged_into=alias)

    assert find_bike_by_code(make_code(again.pk)) == ride.bikes[1]
