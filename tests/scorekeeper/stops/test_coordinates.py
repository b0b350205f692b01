"""`parse_coordinates`, and the links to maps"""

from __future__ import annotations

from decimal import Decimal

import pytest

from scorekeeper.stops.coordinates import (
    Coordinates,
    InvalidCoordinates,
    are_coordinates,
    make_geo_uri,
    make_map_url,
    parse_coordinates,
)

CALGARY = Coordinates(Decimal("51.05"), Decimal("-114.07"))


@pytest.mark.parametrize(
    "text",
    [
        "51.05, -114.07",
        "51.05,-114.07",
        " 51.05 -114.07 ",
        "51.05; -114.07",
        "51,05; -114,07",
        "51,05, -114,07",
        "51.05\N{DEGREE SIGN}, -114.07\N{DEGREE SIGN}",
        "51.05\N{DEGREE SIGN} N, 114.07\N{DEGREE SIGN} W",
        "51.05n 114.07w",
        "51.05, \N{MINUS SIGN}114.07",
        "geo:51.05,-114.07?z=16",
    ],
)
def test_coordinates_are_read_as_maps_write_them(text: str) -> None:
    assert parse_coordinates(text) == CALGARY
    assert str(parse_coordinates(text)) == "51.05, -114.07"


@pytest.mark.parametrize("text", ["90, 180", "-90, -180", "0, 0", "51, -114", "51.0447331234, -114.0718831234"])
def test_the_whole_earth_is_in_range_and_digits_are_rounded(text: str) -> None:
    latitude, longitude = parse_coordinates(text)

    assert max(len(str(latitude)), len(str(longitude))) <= len("-180.000000")
    assert parse_coordinates(str(Coordinates(latitude, longitude))) == (latitude, longitude)


@pytest.mark.parametrize(
    "text", ["", "51.05", "51,05", "Parks", "51.05, -114.07, 3", "nan, inf", "1e3, 4", "12 Main St, 51"]
)
def test_anything_else_is_explained(text: str) -> None:
    assert not are_coordinates(text)
    with pytest.raises(InvalidCoordinates, match="two numbers with a comma between them, latitude first"):
        parse_coordinates(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [("90.01, 0", "latitude, the first number, must be from -90 to 90"),
     ("-114.07, 51.05", "latitude, the first number"),
     ("51.05, 180.5", "longitude, the second number, must be from -180 to 180"),
     ("9999, 9999", "latitude, the first number")],
)  # fmt: skip
def test_a_number_that_is_out_of_range_is_named(text: str, message: str) -> None:
    with pytest.raises(InvalidCoordinates, match=message):
        parse_coordinates(text)


def test_a_place_opens_by_its_coordinates_in_a_phones_map_and_on_a_public_one() -> None:
    assert make_geo_uri(CALGARY, "12 Main St", "Parks & (Rec)") == (
        "geo:51.05,-114.07?q=51.05,-114.07(Parks%20%26%20%28Rec%29)"
    )
    assert make_map_url(CALGARY, "12 Main St") == (
        "https://www.openstreetmap.org/?mlat=51.05&mlon=-114.07#map=16/51.05/-114.07"
    )


def test_a_place_without_coordinates_opens_by_its_address() -> None:
    assert make_geo_uri(None, "12 Main St, Côte & Co", "Parks") == "geo:0,0?q=12%20Main%20St%2C%20C%C3%B4te%20%26%20Co"
    assert make_map_url(None, "12 Main St, Côte") == (
        "https://www.openstreetmap.org/search?query=12+Main+St%2C+C%C3%B4te"
    )
    assert (make_geo_uri(None, "", "Parks"), make_map_url(None, "")) == ("", "")
