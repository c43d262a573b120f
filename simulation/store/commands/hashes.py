"""Hashes: fields with values, in the order in which they came."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from simulation.store.commands.shape import Command, first_key, refuse_arity
from simulation.store.values.keyspace import HashValue, Keyspace
from simulation.store.values.replies import (
    LEAST,
    MOST,
    NOT_A_FLOAT,
    StoreRefusal,
    StoreReply,
    Words,
    read_float,
    read_int,
)


def set_fields(space: Keyspace, words: Words) -> StoreReply:
    """HSET key field value …; how many fields are new."""
    if len(words) % 2:
        raise refuse_arity(words[0])
    found = space.read_hash(words[1])
    value = HashValue() if found is None else found
    before = len(value)
    for place in range(2, len(words), 2):
        value[words[place]] = words[place + 1]
    if found is None:
        space.put(words[1], value)
    else:
        space.touch(words[1])
    return len(value) - before


def set_field_if_missing(space: Keyspace, words: Words) -> StoreReply:
    """HSETNX key field value."""
    found = space.read_hash(words[1])
    if found is None:
        space.put(words[1], HashValue({words[2]: words[3]}))
        return 1
    if words[2] in found:
        return 0
    found[words[2]] = words[3]
    space.touch(words[1])
    return 1


def get_field(space: Keyspace, words: Words) -> StoreReply:
    """HGET key field."""
    found = space.read_hash(words[1])
    return None if found is None else found.get(words[2])


def get_fields(space: Keyspace, words: Words) -> StoreReply:
    """HMGET key field …."""
    found = space.read_hash(words[1])
    return [None] * (len(words) - 2) if found is None else [found.get(one) for one in words[2:]]


def get_whole(space: Keyspace, words: Words) -> StoreReply:
    """HGETALL key: fields and values in turns."""
    found = space.read_hash(words[1])
    return [] if found is None else [part for pair in found.items() for part in pair]


def list_fields(space: Keyspace, words: Words) -> StoreReply:
    """HKEYS key."""
    return [*(space.read_hash(words[1]) or ())]


def list_values(space: Keyspace, words: Words) -> StoreReply:
    """HVALS key."""
    found = space.read_hash(words[1])
    return [] if found is None else [*found.values()]


def count_fields(space: Keyspace, words: Words) -> StoreReply:
    """HLEN key."""
    return len(space.read_hash(words[1]) or ())


def has_field(space: Keyspace, words: Words) -> StoreReply:
    """HEXISTS key field."""
    return int(words[2] in (space.read_hash(words[1]) or ()))


def delete_fields(space: Keyspace, words: Words) -> StoreReply:
    """HDEL key field …; a hash without fields is deleted."""
    found = space.read_hash(words[1])
    if found is None:
        return 0
    before = len(found)
    for field in words[2:]:
        found.pop(field, None)
    deleted = before - len(found)
    if deleted:
        space.drop_if_empty(words[1], found)
    return deleted


def add_to_field(space: Keyspace, words: Words) -> StoreReply:
    """HINCRBY key field number."""
    number = read_int(words[3])
    found = space.read_hash(words[1])
    before = b"0" if found is None else found.get(words[2], b"0")
    after = read_int(before, "hash value is not an integer") + number
    if not LEAST <= after <= MOST:
        raise StoreRefusal("increment or decrement would overflow")
    _store_field(space, words[1], words[2], found, b"%d" % after)
    return after


def add_fraction_to_field(space: Keyspace, words: Words) -> StoreReply:
    """HINCRBYFLOAT key field number."""
    number = _read_long(words[3], NOT_A_FLOAT)
    found = space.read_hash(words[1])
    before = b"0" if found is None else found.get(words[2], b"0")
    text = _write_long(_round_long(_read_long(before, "hash value is not a float") + number))
    _store_field(space, words[1], words[2], found, text)
    space.effect = [b"HSET", words[1], words[2], text]
    return text


def _store_field(
    space: Keyspace, key: bytes, field: bytes, found: HashValue | None, text: bytes
) -> None:
    if found is None:
        space.put(key, HashValue({field: text}))
    else:
        found[field] = text
        space.touch(key)


# The server adds in doubles of 80 bits, whose sums are not those of Python.


def _read_long(word: bytes, text: str) -> Fraction:
    """Return a number as 64 binary digits hold it."""
    number = read_float(word, text)
    if number - number != 0:
        raise StoreRefusal("value is NaN or Infinity")
    return _round_long(Fraction(word.decode()))


def _round_long(number: Fraction) -> Fraction:
    if not number:
        return number
    power = abs(number.numerator).bit_length() - number.denominator.bit_length() - 64
    scale = Fraction(2) ** power
    if abs(number / scale) >= 2**64:
        scale *= 2
    return round(number / scale) * scale


def _write_long(number: Fraction) -> bytes:
    """Return 17 digits after the point, without zeros at the end."""
    whole, rest = divmod(round(abs(number) * 10**17), 10**17)
    sign = "-" if number < 0 and (whole or rest) else ""
    return f"{sign}{whole}.{rest:017}".rstrip("0").rstrip(".").encode()


COMMANDS: Final = {
    b"HSET": Command(set_fields, -4, "wm", first_key),
    b"HSETNX": Command(set_field_if_missing, 4, "wm", first_key),
    b"HGET": Command(get_field, 3, "", first_key),
    b"HMGET": Command(get_fields, -3, "", first_key),
    b"HGETALL": Command(get_whole, 2, "", first_key),
    b"HKEYS": Command(list_fields, 2, "", first_key),
    b"HVALS": Command(list_values, 2, "", first_key),
    b"HLEN": Command(count_fields, 2, "", first_key),
    b"HEXISTS": Command(has_field, 3, "", first_key),
    b"HDEL": Command(delete_fields, -3, "w", first_key),
    b"HINCRBY": Command(add_to_field, 4, "wm", first_key),
    b"HINCRBYFLOAT": Command(add_fraction_to_field, 4, "wm", first_key),
}
