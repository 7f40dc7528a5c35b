"""Strict CSV: RFC 4180 with LF, UTF-8 without BOM, every row as long as the header, empty = missing.

A file that breaks a rule is refused with its name and line. Only one thing is forgiven, because a writer
that was cut off leaves it behind: a last line without its LF is dropped and reported as partial.
Everything before it is exact.
"""

import math
import re


class DataError(Exception):
    """A data file cannot be trusted; the text names file, line, what was found and what was expected."""


def read(path):
    """(header, [(line number, fields)], partial) of one file; DataError if it is broken, OSError if it cannot
    be read."""
    return parse(path.read_bytes(), str(path))


def parse(data, source):
    text = _decode(data, source)
    records, partial = _split_records(text, source)
    if not records:
        raise DataError(f"{source}:1: no complete header line; want column names and a final LF")
    _, header = records[0]
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise DataError(f"{source}:1: column {doubled[0]!r} stands twice in the header; want each name once")
    for line, fields in records[1:]:
        if len(fields) != len(header):
            raise DataError(f"{source}:{line}: {len(fields)} fields; want {len(header)} as in the header")
    return header, records[1:], partial


def number(text, source, line, column):
    """A finite number, int where the text is one, None for empty; `nan`, `inf` and words are refused."""
    if text == "":
        return None
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        raise DataError(f"{source}:{line}: {column} is {text!r}; want a finite number or an empty field")
    return int(text) if _INTEGER.fullmatch(text) else float(text)


def looks_numeric(text):
    return bool(_NUMBER.fullmatch(text)) and math.isfinite(float(text))


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d+")
_FIELD = re.compile(r'"((?:[^"]|"")*)"(,|\Z)|([^",\r]*)(,|\Z)')


def _decode(data, source):
    if data.startswith(b"\xef\xbb\xbf"):
        raise DataError(f"{source}:1: starts with a byte order mark; want UTF-8 without one")
    if b"\x00" in data:
        line = data.count(b"\n", 0, data.find(b"\x00")) + 1
        raise DataError(f"{source}:{line}: a zero byte; want UTF-8 text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.end >= len(data) and "unexpected end" in error.reason:
            return (
                data[: error.start].decode("utf-8") + "\ufffd"
            )  # cut inside a character: part of a dropped last line
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"{source}:{line}: byte {error.start} is not UTF-8; want UTF-8 text") from None


def _split_records(text, source):
    """[(first line's number, fields)] and whether an unterminated last record was dropped."""
    records, pending, first = [], "", 0
    lines = text.split("\n")
    tail = lines.pop()  # "" when the file ends in LF
    for index, line in enumerate(lines, start=1):
        if not pending and '"' not in line and "\r" not in line:
            records.append((index, line.split(",")))
            continue
        first = first if pending else index
        pending = pending + "\n" + line if pending else line
        if pending.count('"') % 2 == 0:  # every quote is closed: the record ends here
            records.append((first, _fields(pending, source, first)))
            pending = ""
    return records, bool(tail or pending)


def _fields(record, source, line):
    fields, at = [], 0
    while True:
        match = _FIELD.match(record, at)
        if not match:
            raise DataError(
                f"{source}:{line}: a stray quote or carriage return; want quoted fields closed, LF alone"
            )
        quoted = match.group(1) is not None
        fields.append(match.group(1).replace('""', '"') if quoted else match.group(3))
        at = match.end()
        if match.group(2 if quoted else 4) == "":
            return fields
