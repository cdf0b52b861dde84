"""Days as programs write them, and as they are meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import product

WEEKDAY = (
    r"(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|sab|dom|mo|di|mi|do|fr|sa|so)[a-z]*\.?,?\s+"
    r"(?:(?:le|den|el)\s+)?"
)
CLOCK = r"(?:t|,?\s+)\d{1,2}[:.h]\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:z|uhr|h|am|pm|[-+]\d\d:?\d\d)?"
NUMBERS = re.compile(
    rf"(?:{WEEKDAY})?(\d{{1,4}})\s*[-/. ]\s*(\d{{1,2}})\s*[-/. ]\s*(\d{{1,4}})\.?(?:{CLOCK})?", re.ASCII
)
WRITTEN = re.compile(rf"(?:{WEEKDAY})?([a-z]{{3,}})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})", re.ASCII)
WRITTEN_DAY_FIRST = re.compile(
    rf"(?:{WEEKDAY})?(\d{{1,2}})(?:st|nd|rd|th|er|o)?\.?(?:[\s-]+(?:de|of)\b)?[\s-]*([a-z]{{3,}})\.?,?"
    rf"(?:[\s-]+(?:de|del)\b)?[\s-]*(\d{{4}})(?:{CLOCK})?",
    re.ASCII,
)
COMPACT = re.compile(rf"(\d{{4}})(\d{{2}})(\d{{2}})(?:{CLOCK})?", re.ASCII)
# The beginnings of the months in English, French, Spanish and German, as far as they tell them apart.
MONTHS = {
    start: number
    for number, starts in enumerate((
        "jan ene jan", "feb fev", "mar", "apr avr abr", "may mai", "jun juin", "jul juil", "aug aou ago", "sep set",
        "oct okt", "nov", "dec dic dez",
    ), 1)
    for start in starts.split()
}  # fmt: skip
# Orders of the three numbers, likeliest first: years before days as TRF asks, then Vega's, then SwissPerfect's.
ORDERS = ("ymd", "dmy", "ydm", "mdy")
WHOLE_YEAR = re.compile(r"\d{4}", re.ASCII)
# Days from the first to the last: more are no event, and more than the second number are few events.
LONGEST_EVENT, USUAL_EVENT = 366, 92
# Reports are sent and looked at within so much time of their event: most, and all but those of an archive.
REPORTED_WITHIN = (timedelta(days=183), timedelta(days=2 * 366))
# The agreement of days that are the registered ones in first, last and rounds.
AGREEING = 3
# So many parts of the fitness are whether the days can be right at all.
FITTING = 4
BIRTH = re.compile(r"(\d{4})(?:[-/. ]\s*(\d{0,2})\s*(?:[-/. ]\s*(\d{0,2})\s*)?)?")
NO_BIRTH = re.compile(r"[0\s\-/.]*")
FIRST_BIRTH_YEAR = 1850
LAST_YEAR = 2199
CENTURY_TURN = 70
# No spelling of a day is longer; the patterns need not be tried on more.
LONGEST = 40


def readings(text: str) -> tuple[date, ...]:
    """Return the days that a text may mean, likeliest first: none where it is no day."""
    return tuple(dict.fromkeys(day for day in _in_orders(text).values() if day))


def _in_orders(text: str) -> dict[str, date | None]:
    """Return the day that a text is in each order of its numbers."""
    text = _plain(text)
    if len(text) > LONGEST:
        return dict.fromkeys(ORDERS)
    if match := NUMBERS.fullmatch(text):
        return {order: _day(match.groups(), order) for order in ORDERS}
    return dict.fromkeys(ORDERS, _read_written_date(text))


@dataclass(frozen=True, slots=True)
class EventDays:
    """The first and last day of an event and the days of its rounds, each None where it is not known."""

    start: date | None
    end: date | None
    rounds: tuple[date | None, ...]

    def agreement(self, registered: tuple[date, date] | None) -> int:
        """How many of the days are those of a registration."""
        if registered is None:
            return 0
        first, last = registered
        within = sum(first <= day <= last for day in self.rounds if day)
        return (
            (self.start == first)
            + (self.end == last)
            + (within > 0 and within == sum(map(bool, self.rounds)))
        )

    def nearness(self, on: date | None) -> int:
        """Return how near the event is to a day about which it is reported: 2 half a year, 1 two years, 0 farther."""
        day = self.start or self.end or next((day for day in self.rounds if day), None)
        if day is None or on is None:
            return 0
        return sum(abs(day - on) <= span for span in REPORTED_WITHIN)

    @property
    def fitness(self) -> tuple[bool, int, bool, int, bool, int]:
        """How well the days go together: a reading with a greater fitness is the likelier one (D-85)."""
        known = [day for day in self.rounds if day]
        within = [
            day for day in known if (self.start or date.min) <= day and (not self.end or day <= self.end)
        ]
        length = (self.end - self.start).days if self.start and self.end else -1
        is_in_order = within == sorted(within)
        ends = (within[0] == self.start) + (within[-1] == self.end) if within else 0
        return (
            0 <= length <= LONGEST_EVENT,
            len(within),
            is_in_order,
            len(known),
            0 <= length <= USUAL_EVENT,
            ends,
        )


@dataclass(frozen=True, slots=True)
class DayTexts:
    """The days of 042, 052 and 132 as they are written."""

    start: str = ""
    end: str = ""
    rounds: tuple[str, ...] = ()


def event_days(
    texts: DayTexts, registered: tuple[date, date] | None = None, *, on: date | None = None
) -> EventDays:
    """Return the days of 042, 052 and 132 in one reading: the rounds lie in the event and run in order (D-85).

    Texts with a year of four digits, first and last day without and rounds without are three spellings, read in one
    order of the numbers each: programs write 132 as TRF asks beside 042 by hand. The
    reading that agrees with the `registered` first and last day comes first (D-121). Of readings that fit as well, that
    of an event near the day `on` which it is read, or else near the registered days, is likelier than one of another
    decade, that of an event of days likelier than one of months, then the order that TRF asks.
    """
    near = registered[0] if registered else on
    start, end, rounds = texts.start, texts.end, texts.rounds
    read = {text: _in_orders(text) for text in {start, end, *rounds}}
    is_whole = [bool(WHOLE_YEAR.search(text)) for text in (start, end, *rounds)]
    firsts, lasts = _or_usual(read[start]), _or_usual(read[end])
    candidates = []
    tried = [
        ORDERS if any(some) else ORDERS[:1]
        for some in (is_whole, map(_is_short, (start, end)), map(_is_short, rounds))
    ]
    for whole, short, short_rounds in product(*tried):
        shorts = [short, short, *[short_rounds] * len(rounds)]
        order = [whole if has_year else other for has_year, other in zip(is_whole, shorts, strict=True)]
        days = tuple(read[text][name] for text, name in zip(rounds, order[2:], strict=True))
        candidates.append(EventDays(firsts[order[0]], lasts[order[1]], days))
    return max(
        candidates,
        key=lambda days: (
            days.agreement(registered),
            days.fitness[:FITTING],
            days.nearness(near),
            days.fitness[FITTING:],
        ),
    )


def _is_short(text: str) -> bool:
    """Return whether a day is written, without a year of four digits."""
    return bool(text.strip()) and not WHOLE_YEAR.search(text)


def _or_usual(days: dict[str, date | None]) -> dict[str, date | None]:
    """Return the days with, for an order that makes no day of the text, its likeliest reading."""
    usual = next(filter(None, days.values()), None)
    return {order: day or usual for order, day in days.items()}


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


def spell_day(day: date) -> str:
    """Return a day as TRF26 asks for it: 2026/01/05."""
    return f"{day.year:04d}/{day.month:02d}/{day.day:02d}"


def spelled_rounds(days: Sequence[date | None], *, start: date | None, end: date | None) -> list[str]:
    """Return the days of rounds as YY/MM/DD, with the whole year where two digits would be read differently."""
    short = [spell_day(day)[2:] if day else "" for day in days]
    first, last = (spell_day(day) if day else "" for day in (start, end))
    is_same = event_days(DayTexts(first, last, tuple(short))).rounds == tuple(days)
    return short if is_same else [spell_day(day) if day else "" for day in days]


def _plain(text: str) -> str:
    """Return a text in small letters without accents and blanks around it."""
    letters = text.strip().lower()
    if letters.isascii():
        return letters
    return "".join(one for one in unicodedata.normalize("NFD", letters) if not unicodedata.combining(one))


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


def _read_written_date(text: str) -> date | None:
    if match := COMPACT.fullmatch(text):
        return _date(*(int(part) for part in match.groups()))
    if match := WRITTEN.fullmatch(text):
        month, day, year = match.groups()
    elif match := WRITTEN_DAY_FIRST.fullmatch(text):
        day, month, year = match.groups()
    else:
        return None
    number = MONTHS.get(month[:4]) or MONTHS.get(month[:3])
    return _date(int(year), number, int(day)) if number else None


def _date(year: int, month: int, day: int) -> date | None:
    if not 1800 <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
