"""Time controls: 222 of TRF26 and the free texts of 122, and what a game of 60 moves takes (1.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tournaments.trf.time_texts import HOUR, MINUTE, TimePeriod, plain, stages_of

MOVES = 60
LONGEST = 200
STAGE_222 = re.compile(r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)
UNEQUAL_222 = re.compile(r"W(.+)-B(.+)")
UNEQUAL = re.compile(
    r"(?:white|weiss|blancs?|blancas?)\W+(?P<white>.+?)[\s,;/|-]+(?:black|schwarz|noirs?|negras?)\W+(?P<black>.+)"
)
# Several periods, or other times for Black: the free texts have no such signs.
ENCODED = re.compile(r"[+/]\d+:|^W.+-B", re.ASCII)
SHORTEST_PERIOD = 60


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a player for a game; `black` are Black's stages where they differ from White's (1.2).

    A delay, Bronstein's or the simple one, counts as the increment: so much time a player may use for each move.
    """

    stages: tuple[TimePeriod, ...]
    black: tuple[TimePeriod, ...] | None = None
    is_delay: bool = False
    text: str = field(default="", compare=False)

    @property
    def base(self) -> int:
        """Seconds of all periods without increments."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def increment(self) -> int:
        """Seconds added a move at the start of the game."""
        return self.stages[0].increment

    @property
    def flat(self) -> tuple[int, int]:
        """The base and increment that make the same 60 moves in one period; those of the only one where it is one."""
        base = self.total - MOVES * self.increment
        return (base, self.increment) if base >= 0 else (self.total, 0)

    @property
    def written(self) -> str:
        """The text of a time control that whole minutes and an increment do not describe, else empty."""
        is_plain = (
            len(self.stages) == 1 and not self.is_delay and not self.is_unequal and self.base % MINUTE == 0
        )
        return "" if is_plain else self.text

    @property
    def is_unequal(self) -> bool:
        """Whether the players have different times; such games are not rated (1.2)."""
        return self.black is not None

    @property
    def total(self) -> int:
        """Seconds that a player has for 60 moves (FIDE R&B 2024, 1.1); of unequal times White's."""
        return total_of(self.stages)


def shown_time_control(base: int, increment: int, text: str = "") -> str:
    """Return a time control as people read it: its text, else minutes and seconds such as `15+10`."""
    minutes, seconds = divmod(base, MINUTE)
    return text or f"{minutes}{f':{seconds:02}' if seconds else ''}+{increment}"


def total_of(stages: tuple[TimePeriod, ...]) -> int:
    """Return the seconds of all periods for 60 moves, increments included."""
    left, total = MOVES, 0
    for index, stage in enumerate(stages):
        is_last = index == len(stages) - 1
        moves = left if stage.moves is None or is_last else min(stage.moves, left)
        total += stage.seconds + stage.increment * moves
        left -= moves
    return total


def classify(total_seconds: int) -> str | None:
    """Return standard, rapid or blitz for the seconds of 60 moves, None for less than blitz (1.1)."""
    if total_seconds >= HOUR:
        return "standard"
    if total_seconds > 10 * MINUTE:
        return "rapid"
    return "blitz" if total_seconds > 3 * MINUTE else None


def parse_222(text: str) -> TimeControl | None:
    """Return the time control that record 222 encodes, such as `40/6000+30:900+30`, None for anything else."""
    text = text.strip()
    if match := UNEQUAL_222.fullmatch(text):
        white, black = _stages_222(match[1]), _stages_222(match[2])
        if white is None or black is None:
            return None
        return TimeControl(white, None if white == black else black)
    stages = _stages_222(text)
    return TimeControl(stages) if stages else None


def encode_222(control: TimeControl) -> str:
    """Return a time control as record 222 writes it, such as `40/6000+30:900+30`."""
    white = _encoded_stages(control.stages)
    return white if control.black is None else f"W{white}-B{_encoded_stages(control.black)}"


def _encoded_stages(stages: tuple[TimePeriod, ...]) -> str:
    return ":".join(
        (f"{stage.moves}/" if stage.moves else "")
        + str(stage.seconds)
        + (f"+{stage.increment}" if stage.increment else "")
        for stage in stages
    )


# Each check of a report asks for its time, and few texts are ever written.
@lru_cache(maxsize=512)
def parse_time_control(text: str) -> TimeControl | None:
    """Return the time control of a free text such as `15+10` or `15 minutes plus 10 sec per move`.

    Unequal times such as `White 5+0, Black 4+0`, and several periods as in record 222, are included. None if any
    part of the text is unknown: a guess would be worse.
    """
    written = text.strip()
    if len(written) > LONGEST:
        return None
    if ENCODED.search(written):
        encoded = parse_222(written)
        is_sure = encoded and min(stage.seconds for stage in encoded.stages) >= SHORTEST_PERIOD
        return replace(encoded, text=written) if encoded and is_sure else None
    readable = plain(written)
    if match := UNEQUAL.fullmatch(readable):
        white, black = stages_of(match["white"]), stages_of(match["black"])
        if white is None or black is None:
            return None
        return TimeControl(white[0], None if white == black else black[0], white[1], written)
    read = stages_of(readable)
    return TimeControl(read[0], None, read[1], written) if read else None


# `rounds 1-3`, `R4, 5`, `Runde 6`, `(1-3)`: a number that goes on as a time control, as `3+2`, is none of them.
_NUMBER = r"\d{1,2}(?![\d+'/]|:\d| ?(?:\+|min|m\b))"
_LIST = rf"{_NUMBER}(?:(?: ?[-–,&] ?| (?:to|bis|al|a|und|and|y|et) )(?:r ?)?{_NUMBER})*"
ROUNDS_NAMED = re.compile(
    rf"\(? ?\b(?:rounds?|rnds?|rds?|runden?|rondas?|rondes?|r)[. ]*(?P<named>{_LIST}) ?\)?|\( ?(?P<bare>{_LIST}) ?\)"
)
DIGIT = re.compile(r"\d")
KIND_WORDS = {"blitz": ("blitz", "relampago"), "rapid": ("rapid", "schnell")}


def kinds_by_round(text: str) -> list[tuple[tuple[int, ...], str]]:
    """Return the rounds that a text puts under time controls of their own, with the kind of each (1.1, D-138).

    `Rapid 15+10 (rounds 1-3), Blitz 3+2 (rounds 4-6)` gives rapid for three rounds and blitz for three. What has no
    certain kind is left out.
    """
    readable = plain(text[:LONGEST])
    named = [*ROUNDS_NAMED.finditer(readable)]
    if not named:
        return []
    # Rounds stand behind their time, or before it.
    ends, starts = [0, *(one.end() for one in named)], [*(one.start() for one in named), len(readable)]
    parts = [readable[end:start].strip(" ,;:.-/&()") for end, start in zip(ends, starts, strict=True)]
    is_behind = bool(DIGIT.search(parts[0]) or (parts[0] and not DIGIT.search(parts[-1])))
    times = parts[:-1] if is_behind else parts[1:]
    found = zip(named, times, strict=True)
    return [
        (_rounds_in(one["named"] or one["bare"]), kind)
        for one, time in found
        if (kind := _kind_of_text(time))
    ]


def _kind_of_text(text: str) -> str | None:
    if (control := parse_time_control(text)) is not None:
        return classify(control.total) or "bullet"
    kinds = [kind for kind, words in KIND_WORDS.items() if any(word in text for word in words)]
    return kinds[0] if len(kinds) == 1 else None


def _rounds_in(text: str) -> tuple[int, ...]:
    rounds: dict[int, None] = {}
    for part in re.split(r" ?(?:,|&|\b(?:und|and|y|et)\b) ?", text):
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        rounds |= dict.fromkeys(range(numbers[0], numbers[-1] + 1) if numbers else ())
    return tuple(rounds)


def _stages_222(text: str) -> tuple[TimePeriod, ...] | None:
    matches = [STAGE_222.fullmatch(part) for part in text.split(":")]
    if not all(matches):
        return None
    return tuple(
        TimePeriod(int(match[2]), int(match[3] or 0), int(match[1]) if match[1] else None)
        for match in matches
        if match
    )
