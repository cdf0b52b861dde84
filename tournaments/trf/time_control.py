"""Time controls: 222 of TRF26 and the free texts of 122, and what a game of 60 moves takes (1.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

MOVES = 60
MINUTE = 60
HOUR = 3600
# A bare number is minutes up to here, seconds above: 120+30 is two hours, 180+2 three minutes.
MAX_BARE_MINUTES = 150
LONGEST = 200
STAGE_222 = re.compile(r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)
UNEQUAL_222 = re.compile(r"W(.+)-B(.+)")


@dataclass(frozen=True, slots=True)
class Stage:
    """A period of a game: seconds, increment a move in seconds, and moves, None for all that remain."""

    seconds: int
    increment: int = 0
    moves: int | None = None


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a player for a game; `black` are Black's stages where they differ from White's (1.2).

    A delay, Bronstein's or the simple one, counts as the increment: so much time a player may use for each move.
    """

    stages: tuple[Stage, ...]
    black: tuple[Stage, ...] | None = None
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
        """The text of a time control that base and increment do not describe, else empty."""
        is_plain = len(self.stages) == 1 and not self.is_delay and not self.is_unequal
        return "" if is_plain else self.text

    @property
    def is_unequal(self) -> bool:
        """Whether the players have different times; such games are not rated (1.2)."""
        return self.black is not None

    @property
    def total(self) -> int:
        """Seconds that a player has for 60 moves (FIDE R&B 2024, 1.1); of unequal times White's."""
        return total_of(self.stages)


def total_of(stages: tuple[Stage, ...]) -> int:
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


def _encoded_stages(stages: tuple[Stage, ...]) -> str:
    return ":".join(
        (f"{stage.moves}/" if stage.moves else "")
        + str(stage.seconds)
        + (f"+{stage.increment}" if stage.increment else "")
        for stage in stages
    )


def parse_time_control(text: str) -> TimeControl | None:
    """Return the time control of a free text such as `15+10` or `15 minutes plus 10 sec per move`.

    Unequal times such as `White 5+0, Black 4+0`, and several periods as in record 222, are included. None if any
    part of the text is unknown: a guess would be worse.
    """
    if len(text) > LONGEST:
        return None
    plain, is_delay = _without_delay(text.strip())
    if match := UNEQUAL.fullmatch(plain):
        white, black = _free_stages(match["white"]), _free_stages(match["black"])
        other = None if white == black else black
        return TimeControl(white, other, is_delay, text.strip()) if white and black else None
    if stages := _free_stages(plain):
        return TimeControl(stages, None, is_delay, text.strip())
    encoded = parse_222(text) if ENCODED.search(text) else None
    return replace(encoded, text=text.strip()) if encoded else None


def _stages_222(text: str) -> tuple[Stage, ...] | None:
    matches = [STAGE_222.fullmatch(part) for part in text.split(":")]
    if not all(matches):
        return None
    return tuple(
        Stage(int(match[2]), int(match[3] or 0), int(match[1]) if match[1] else None)
        for match in matches
        if match
    )


ALIKE = str.maketrans({"’": "'", "′": "'", "´": "'", "`": "'", "″": '"', "“": '"', "”": '"', "×": "x"})
NOISE = re.compile(
    r"\b(?:(?:for )?(?:the )?(?:whole |entire )?games?|per player|each player|time control|rapid|blitz|fischer"
    r"|increment|inc|bonus|in total|of)\b|[()]|^g/|\.$"
)
JOINT = re.compile(r"\s*(\+|\||\bplus\b|\band\b|\bthen\b|&|[,;])\s*")
MINUTES = r"(?:(?:'|m|mn|min|mins|minutes?|minuten|minutos|minuti)\.?)"
SECONDS = r"(?:(?:\"|s|sec|secs|seconds?|sek|sekunden|segundos|secondi)\.?)"
A_MOVE = r"(?:(?:/|per|a|for|from|each|every|for each|for every|starting from)?\s*(?:move|mv)s?\s*(?:1|one)?)"
INCREMENT = re.compile(rf"(\d{{1,4}})\s*(?:{SECONDS}\s*{A_MOVE}?|{A_MOVE}|\s*from\s+{A_MOVE})", re.ASCII)
BARE = re.compile(r"\d{1,4}", re.ASCII)
CLOCK = re.compile(r"(\d):(\d\d)(?::00)?", re.ASCII)
HOURS = re.compile(rf"(\d)\s*(?:h|hrs?|hours?)\.?\s*(?:(\d{{1,2}})\s*{MINUTES}?)?", re.ASCII)
PERIOD = re.compile(rf"(\d{{1,4}})\s*(?:({MINUTES})|({SECONDS}))?", re.ASCII)
MOVES_AFTER = re.compile(r"(.+?)\s*(?:/|x|for|per)\s*(\d{1,3})\s*(?:m|mm|moves)?", re.ASCII)
MOVES_BEFORE = re.compile(r"(\d{1,3})\s*(?:moves\s*(?:in|/)|/)\s*(.+)", re.ASCII)


UNEQUAL = re.compile(r"white\W+(?P<white>.+?)[\s,;/|-]+black\W+(?P<black>.+)", re.IGNORECASE)
# Several periods, or other times for Black: the free texts have no such signs.
ENCODED = re.compile(r"[+/]\d+:|^W.+-B", re.ASCII)


# `d5` of the United States, and the words for a delay.
SHORT_DELAY = re.compile(r"[\s;,+|]*\bd\s?/?\s?(\d{1,3})\b", re.IGNORECASE)
DELAY = re.compile(r"\(?\b(?:(?:us|simple|bronstein)[\s-]+delay|delay|bronstein)\b\)?", re.IGNORECASE)


def _without_delay(text: str) -> tuple[str, bool]:
    """Return a text with its delay written as an increment, and whether it has one."""
    plain = DELAY.sub(" ", SHORT_DELAY.sub(r"+\1", text))
    return plain.strip(), plain != text


def _free_stages(text: str) -> tuple[Stage, ...] | None:
    plain = text.strip().lower().translate(ALIKE).replace("''", '"')
    pieces = JOINT.split(NOISE.sub(" ", plain).strip())
    parts = [
        (joint.strip(), part.strip()) for joint, part in zip(["", *pieces[1::2]], pieces[::2], strict=True)
    ]
    if not (parts[0][1] and parts[-1][1]):
        return None
    parts = [(joint, part) for joint, part in parts if part]
    increment = _increment_of(parts)
    if increment is not None:
        parts.pop()
    stages = [_period(part) for _, part in parts]
    if not stages or not all(stages):
        return None
    return tuple(Stage(stage.seconds, increment or 0, stage.moves) for stage in stages if stage)


def _increment_of(parts: list[tuple[str, str]]) -> int | None:
    """Return the seconds a move of the last part, None where it is a period."""
    if len(parts) < 2:
        return None
    joint, last = parts[-1]
    if match := INCREMENT.fullmatch(last):
        return int(match[1])
    is_added = joint in ("+", "|", "plus") and BARE.fullmatch(last)
    return int(last) if is_added else None


def _period(text: str) -> Stage | None:
    for pattern, time, moves in ((MOVES_BEFORE, 2, 1), (MOVES_AFTER, 1, 2)):
        if match := pattern.fullmatch(text):
            seconds = _seconds(match[time].strip())
            return None if seconds is None else Stage(seconds, moves=int(match[moves]))
    seconds = _seconds(text)
    return None if seconds is None else Stage(seconds)


def _seconds(text: str) -> int | None:
    if match := CLOCK.fullmatch(text) or HOURS.fullmatch(text):
        return int(match[1]) * HOUR + int(match[2] or 0) * MINUTE
    match = PERIOD.fullmatch(text)
    if not match:
        return None
    number = int(match[1])
    is_seconds = match[3] or (not match[2] and number > MAX_BARE_MINUTES)
    return number if is_seconds else number * MINUTE
