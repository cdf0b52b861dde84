"""Lines that are kept as they are, among them comments that correct a result for rating."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OtherRecord:
    """A line that is kept and written again, but not used."""

    text: str

    @property
    def tag(self) -> str:
        """The first three characters."""
        return self.text[:3]

    def dumps(self) -> str:
        return self.text


SIDE = "1/2|[10½=+-]"
PAIR = re.compile(rf"({SIDE})\s*[-/]\s*({SIDE})")
RESULT = rf"(?:{SIDE})\s*[-/]\s*(?:{SIDE})|[=½]"
CORRECTION = re.compile(
    r"###\s*Rating correction\s*@\s*Round\s+(?P<round>\d{1,3})\s*:\s*(?P<white>\d{1,4})-(?P<black>\d{1,4})"
    rf"(?::\s*(?P<former>{RESULT})\s*=>\s*(?P<new>{RESULT})"
    rf"|\s+recorded as\s+(?P<only>{RESULT})\s+for rating"
    rf"|\s+(?P<first>{RESULT})\s+recorded for rating)(?![-+\d])",
    re.ASCII | re.IGNORECASE,
)
SIDES = {"1": "1", "0": "0", "1/2": "=", "½": "=", "=": "=", "+": "+", "-": "-"}


@dataclass(frozen=True, slots=True)
class CorrectionRecord:
    """A comment such as `### Rating correction @ Round 4: 6-17: 1-0 => 0-1`: a result corrected only for rating.

    The players' lines have the corrected result, their points and the later pairings the former one. `codes` are
    the corrected results of White and Black.
    """

    text: str
    round: int
    white: int
    black: int
    codes: tuple[str, str]
    tag = "###"

    def dumps(self) -> str:
        return self.text


def comment_of(line: str) -> CorrectionRecord | OtherRecord:
    """Return a comment, as a correction for rating where it is one."""
    match = CORRECTION.match(line)
    if match is None:
        return OtherRecord(line)
    result = match["new"] or match["only"] or match["first"]
    pair = PAIR.fullmatch(result)
    codes = pair.groups() if pair else (result, result)
    white, black = (SIDES[code] for code in codes)
    return CorrectionRecord(
        line, int(match["round"]), int(match["white"]), int(match["black"]), (white, black)
    )
