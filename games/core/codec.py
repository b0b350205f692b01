"""Serializes the state of any game to plain data and back, by the types that its records declare.

Terms: a *codec* is a pair of functions for one type. A record (a named tuple or a frozen dataclass) becomes the list
of its fields, a tuple a list, and a set a sorted list; numbers, strings and None stay as they are. If a field can hold
one of several record types, the record's name precedes its fields. The ruleset is not written, because the reader
already has it. The *shape* describes the fields of a state and their types; callers must not read data that was
written under another shape.

Invariants:

- Reading checks all data against the types, so data of any other form raises `ValueError`.
- Reading a written state returns an equal state.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from games.core.game import Game, Ruleset

TypeBindings = Mapping[Any, Any]  # type variables and their types


class Codec(NamedTuple):
    """How to write and read values of one type.

    Attributes:
        shape: a description of the type, to compare.
        write: takes a value and returns plain data.
        read: takes the data and the ruleset; raises ValueError for data that does not match the type.
        plain_types: the types whose values are written as they are; empty for types written as lists.
    """

    shape: str
    write: Callable[[Any], Any]
    read: Callable[[Any, Ruleset], Any]
    plain_types: frozenset[type] = frozenset()


def state_to_data(game: Game[Any], state: Any) -> Any:
    """Return a state as JSON-serializable data."""
    return get_codec(type(game)).write(state)


def state_from_data(ruleset: Ruleset, data: Any) -> Any:
    """Return the state that the data describes.

    Raises:
        ValueError: the data is not a state of the ruleset's game.
    """
    return get_codec(type(ruleset.game)).read(data, ruleset)


def get_shape(game: Game[Any]) -> str:
    """Return a text that describes the structure of the game's states, to compare with another."""
    return get_codec(type(game)).shape


@lru_cache
def get_codec(game: type[Game[Any]]) -> Codec:
    """Return the codec of a game's states.

    Raises:
        TypeError: its states declare a type that cannot be serialized.
    """
    return _make_codec(_find_state_type(game), {})


def _find_state_type(game: type) -> Any:
    """Return the type of a game's states: what its class gives for the type variable of `Game`."""
    for base in game.__dict__.get("__orig_bases__", game.__bases__):
        origin = get_origin(base) or base
        if origin is Game and get_args(base):
            return get_args(base)[0]
        if isinstance(origin, type) and issubclass(origin, Game) and origin is not Game:
            found = _find_state_type(origin)
            given = get_args(base)
            return found[given] if given and getattr(found, "__parameters__", ()) else given[0] if given else found
    raise TypeError(f"{game.__name__} does not say of what type its states are")


def _make_codec(hint: Any, bound: TypeBindings) -> Codec:
    hint = bound.get(hint, hint) if isinstance(hint, TypeVar) else hint
    origin, given = get_origin(hint), get_args(hint)
    if hint in (int, str, bool, type(None), None):
        return _make_plain(type(None) if hint is None else hint)
    if origin is Literal:
        return _make_literal(given)
    if origin in (Union, types.UnionType):
        return _make_union([_make_codec(part, bound) for part in given], given)
    if origin is tuple:
        parts = [_make_codec(part, bound) for part in given if part is not ...]
        return _make_list(parts[0]) if ... in given else _make_fixed_list("", parts, tuple)
    if origin is frozenset:
        return _make_set(_make_codec(given[0], bound))
    if hint is Ruleset:
        return Codec("rules", lambda _value: None, lambda _data, ruleset: ruleset)
    record = origin or hint
    if _is_record(record):
        return _make_record(record, dict(zip(getattr(record, "__parameters__", ()), given, strict=False)), bound)
    raise TypeError(f"{hint} cannot be written: a state holds records, tuples, sets, numbers and words")


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (hasattr(kind, "_fields") or is_dataclass(kind))


def _make_plain(kind: type) -> Codec:
    def read(data: Any, _ruleset: Ruleset) -> Any:
        if type(data) is not kind:
            raise ValueError(f"{data!r:.40} is no {kind.__name__}")
        return data

    return Codec(kind.__name__, lambda value: value, read, frozenset({kind}))


def _make_literal(values: tuple[Any, ...]) -> Codec:
    def read(data: Any, _ruleset: Ruleset) -> Any:
        if data not in values:
            raise ValueError(f"{data!r:.40} is none of {values}")
        return data

    return Codec(f"one of {values}", lambda value: value, read, frozenset(map(type, values)))


def _make_union(parts: list[Codec], hints: tuple[Any, ...]) -> Codec:
    plain = [part for part in parts if part.plain_types]
    by_type = {kind: part for part in plain for kind in part.plain_types}
    lists = {_get_type_name(hint): part for hint, part in zip(hints, parts, strict=True) if not part.plain_types}
    shape = " | ".join(part.shape for part in parts)
    if len(lists) == 1:
        (only,) = lists.values()

        def write_one(value: Any) -> Any:
            return value if type(value) in by_type else only.write(value)

        def read_one(data: Any, ruleset: Ruleset) -> Any:
            return by_type.get(type(data), only).read(data, ruleset)

        return Codec(shape, write_one, read_one)

    def write(value: Any) -> Any:
        kind = type(value)
        return value if kind in by_type else [kind.__name__, lists[kind.__name__].write(value)]

    def read(data: Any, ruleset: Ruleset) -> Any:
        if type(data) in by_type:
            return by_type[type(data)].read(data, ruleset)
        if type(data) is not list or len(data) != 2 or type(data[0]) is not str or data[0] not in lists:
            raise ValueError(f"{data!r:.40} is none of {shape}")
        return lists[data[0]].read(data[1], ruleset)

    return Codec(shape, write, read, frozenset() if lists else frozenset(by_type))


def _get_type_name(hint: Any) -> str:
    return str(getattr(get_origin(hint) or hint, "__name__", hint))


def _make_list(part: Codec) -> Codec:
    """A tuple of any length with values of one type."""

    def read(data: Any, ruleset: Ruleset) -> tuple[Any, ...]:
        return tuple([part.read(item, ruleset) for item in _check_list(data)])

    return Codec(f"[{part.shape}]", lambda value: [part.write(item) for item in value], read)


def _make_set(part: Codec) -> Codec:
    def read(data: Any, ruleset: Ruleset) -> frozenset[Any]:
        return frozenset([part.read(item, ruleset) for item in _check_list(data)])

    return Codec(f"{{{part.shape}}}", lambda value: [part.write(item) for item in sorted(value)], read)


def _make_record(record: type, own: TypeBindings, outer: TypeBindings) -> Codec:
    hints = get_type_hints(record)
    names = record._fields if hasattr(record, "_fields") else tuple(field.name for field in fields(record))
    bound = {name: outer.get(value, value) if isinstance(value, TypeVar) else value for name, value in own.items()}
    parts = [_make_codec(hints[name], bound) for name in names]
    inside = ", ".join(f"{name}: {part.shape}" for name, part in zip(names, parts, strict=True))
    made = _make_fixed_list(f"{record.__name__}({inside})", parts, lambda values: record(*values))
    if hasattr(record, "_fields"):
        return made
    return made._replace(write=lambda value: [p.write(getattr(value, n)) for n, p in zip(names, parts, strict=True)])


def _make_fixed_list(shape: str, parts: list[Codec], build: Callable[[list[Any]], Any]) -> Codec:
    """A fixed number of values, each with its own type."""

    def write(value: Any) -> list[Any]:
        return [part.write(item) for part, item in zip(parts, value, strict=True)]

    def read(data: Any, ruleset: Ruleset) -> Any:
        if len(_check_list(data)) != len(parts):
            raise ValueError(f"{shape or 'a tuple'} has {len(parts)} parts, not {len(data)}")
        return build([part.read(item, ruleset) for part, item in zip(parts, data, strict=True)])

    return Codec(shape or f"({', '.join(part.shape for part in parts)})", write, read)


def _check_list(data: Any) -> list[Any]:
    if type(data) is not list:
        raise ValueError(f"{data!r:.40} is no list")
    return data
