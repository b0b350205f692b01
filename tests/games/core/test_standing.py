"""The byte form of an order, by which a database sorts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.standing import Standing, order_key, read_order_key

number = st.integers() | st.integers(-300, 300) | st.sampled_from([256**n + d for n in range(5) for d in (-1, 0, 1)])
signed = number | number.map(lambda n: -n)


@given(st.integers(1, 4).flatmap(lambda n: st.tuples(*[st.tuples(*[signed] * n)] * 2)))
def test_byte_forms_compare_as_the_numbers_do(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    one, other = pair
    assert (order_key(one) < order_key(other)) == (one < other)
    assert (order_key(one) == order_key(other)) == (one == other)


@given(st.lists(signed, max_size=4).map(tuple))
def test_the_numbers_can_be_read_back(order: tuple[int, ...]) -> None:
    assert read_order_key(order_key(order)) == order


def test_numbers_of_up_to_127_bytes_keep_their_order() -> None:
    largest = 256**127 - 1
    keys = [order_key((n,)) for n in (-largest, -largest + 1, -1, 0, 1, largest - 1, largest)]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


def test_an_order_puts_retired_seats_below_all_others() -> None:
    """TABLE-3"""
    assert Standing(99, (99,), "retired").order < Standing(0, (0,), "playing").order
    assert Standing(1, (1,), "done").order == Standing(1, (1,), "playing").order


@pytest.mark.parametrize("totals", [(0, 5, 83, 255, 256, 65_535, 65_536)])
def test_keys_of_totals_grow_with_them(totals: tuple[int, ...]) -> None:
    keys = [order_key(Standing(total, (total,), "done").order) for total in totals]
    assert keys == sorted(set(keys))
