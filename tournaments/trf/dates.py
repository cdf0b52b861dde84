"""Days of an event, its rounds and its players in every spelling that programs write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

NUMBERS = re.compile(
    r"(\d{1,4})\s*[-/. ]\s*(\d{1,2})\s*[-/. ]\s*(\d{1,4})\.?(?:\s+\d{1,2}:\d{2}(?::\d{2})?)?"
)
WRITTEN = re.compile(r"([A-Za-z]{3})[A-Za-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
WRITTEN_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]+([A-Za-z]{3})[A-Za-z]*\.?,?[\s-]+(\d{4})")
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Orders of the three numbers, likeliest first: years before days as TRF asks, then Vega's, then SwissPerfect's.
ORDERS = ("ymd", "dmy", "ydm", "mdy")
BIRTH = re.compile(r"(\d{4})(?:[-/. ]\s*(\d{0,2})\s*(?:[-/. ]\s*(\d{0,2})\s*)?)?")
NO_BIRTH = re.compile(r"[0\s\-/.]*")
FIRST_BIRTH_YEAR = 1850
LAST_YEAR = 2199
CENTURY_TURN = 70
# No spelling of a day is longer; the patterns need not be tried on more.
LONGEST = 40


def readings(text: str) -> tuple[date, ...]:
    """Return the days that a text may mean, likeliest first: none where it is no day."""
    text = text.strip()
    if len(text) > LONGEST:
        return ()
    if match := NUMBERS.fullmatch(text):
        days = (_day(match.groups(), order) for order in ORDERS)
        return tuple(dict.fromkeys(day for day in days if day))
    day = _written(text)
    return (day,) if day else ()


def event_days(start: str, end: str) -> tuple[date | None, date | None]:
    """Return first and last day, read in one order so that the first is not after the last and both are near."""
    firsts, lasts = readings(start), readings(end)
    pairs = [(first, last) for first in firsts for last in lasts if 0 <= (last - first).days <= 366]
    if pairs:
        # The likeliest order wins unless it makes an event of many weeks where another makes one of days.
        return min(pairs, key=lambda pair: ((pair[1] - pair[0]).days > 92, pairs.index(pair)))
    return next(iter(firsts), None), next(iter(lasts), None)


def round_days(texts: Sequence[str], *, start: date | None, end: date | None) -> tuple[date | None, ...]:
    """Return the days of the rounds, all in the order that puts most of them into the event, None for no day."""
    candidates = [tuple(_in_order(text, order) for text in texts) for order in ORDERS]

    def fitness(days: tuple[date | None, ...]) -> tuple[int, int]:
        known = [day for day in days if day]
        within = [day for day in known if (not start or start <= day) and (not end or day <= end)]
        return len(within), len(known)

    # The first of equals: the order that TRF asks for comes first.
    return max(candidates, key=fitness)


def birth_of(text: str) -> tuple[date | None, int | None] | None:
    """Return birth date and year, one or both None where not known; None for what is no birth date."""
    if NO_BIRTH.fullmatch(text):
        return None, None
    match = BIRTH.fullmatch(text.strip())
    if not match:
        days = readings(text)
        return (days[0], days[0].year) if days and days[0].year >= FIRST_BIRTH_YEAR else None
    year, month, day = (int(part or 0) for part in match.groups())
    if not FIRST_BIRTH_YEAR <= year <= LAST_YEAR:
        return None
    if not month or not day:
        return (None, year) if month <= 12 and day <= 31 else None
    born = _date(year, month, day)
    return (born, year) if born else None


def spelled(day: date) -> str:
    """Return a day as TRF26 asks for it: 2026/01/05."""
    return f"{day.year:04d}/{day.month:02d}/{day.day:02d}"


def spelled_rounds(days: Sequence[date | None], *, start: date | None, end: date | None) -> list[str]:
    """Return the days of rounds as YY/MM/DD, with the whole year where two digits would be read differently."""
    short = [spelled(day)[2:] if day else "" for day in days]
    is_same = round_days(short, start=start, end=end) == tuple(days)
    return short if is_same else [spelled(day) if day else "" for day in days]


def _in_order(text: str, order: str) -> date | None:
    if len(text) > LONGEST:
        return None
    match = NUMBERS.fullmatch(text.strip())
    return _day(match.groups(), order) if match else _written(text)


def _day(parts: Sequence[str], order: str) -> date | None:
    named = dict(zip(order, parts, strict=True))
    if len(named["y"]) == 3 or len(named["m"]) > 2 or len(named["d"]) > 2:
        return None
    if order == "ydm" and len(named["y"]) == 4:
        return None
    year = int(named["y"])
    if len(named["y"]) <= 2:
        year += 2000 if year < CENTURY_TURN else 1900
    return _date(year, int(named["m"]), int(named["d"]))


def _written(text: str) -> date | None:
    text = text.strip()
    if match := COMPACT.fullmatch(text):
        return _date(*(int(part) for part in match.groups()))
    if match := WRITTEN.fullmatch(text):
        month, day, year = match.groups()
    elif match := WRITTEN_DAY_FIRST.fullmatch(text):
        day, month, year = match.groups()
    else:
        return None
    known = month.lower() in MONTHS
    return _date(int(year), MONTHS.index(month.lower()) + 1, int(day)) if known else None


def _date(year: int, month: int, day: int) -> date | None:
    if not 1800 <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
