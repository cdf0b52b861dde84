"""A small report without a fault, and ways to spoil it."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.trf import Finding, Report, with_lines

WHOLE = (None, None)
BASE = """\
012 Winter Rapid
022 Exampletown
032 SUI
042 2026/01/10
052 2026/01/11
062 4
072 4
082 0
092 Individual: Swiss-System
102 Arbiter, Anna
122 15+10
132                                                                                        26/01/10  26/01/10  26/01/11
001    1 wWFM Amsel, Berta                      1900 SUI     1300016 1990/02/03  2.5    1     2 w 1     3 b 1     4 b =
001    2 m    Buchfink, Carl                    1800 SUI     1300024 1985/00/00  1.5    2     1 b 0     4 w 1     3 w =
001    3 m    Drossel, Emil                     1700 SUI     1300032 2001/12/31  1.0    3     4 w =     1 w 0     2 b =
001    4 m    Elster, Fritz                     1600 SUI     1300040             1.0    4     3 b =     2 b 0     1 w =
"""


def changed(*changes: tuple[str, str], of: str = BASE) -> str:
    """Return the report with each first text, which is in it exactly once, replaced by the second."""
    for old, new in changes:
        assert of.count(old) == 1, f"{old!r} is in the report {of.count(old)} times"
        of = of.replace(old, new)
    return of


def without(*tags: str) -> str:
    """Return the report without the records of the tags."""
    return "".join(line for line in BASE.splitlines(keepends=True) if line[:3] not in tags)


def added(*lines: str, of: str = BASE) -> str:
    """Return the report with lines at its end."""
    return of + "".join(f"{line}\n" for line in lines)


# Player 4 withdrew after the first round, came back, and has two lines.
RETURNED = (
    changed(
        ("062 4", "062 5"),
        ("072 4", "072 5"),
        ("     4 w 1", "     5 w 1"),
        ("     4 b =", "     5 b ="),
        ("1.0    4     3 b =     2 b 0     1 w =", "0.5    4     3 b =  0000 - Z  0000 - Z"),
    )
    + "001    5 m    Elster, Fritz                     1600 SUI     1300040             0.5    5  "
    + "0000 - Z     2 b 0     1 w =\n"
)


def player(number: int) -> str:
    """Return the line of a player of the report."""
    return next(line for line in BASE.splitlines() if line.startswith(f"001{number:>5}"))


def player_changed(number: int, *changes: tuple[str, str]) -> str:
    """Return the report with texts replaced in one player's line; each is in the line exactly once."""
    line = player(number)
    return BASE.replace(line, changed(*changes, of=line))


def corrected(report: Report, findings: Iterable[Finding]) -> str:
    """Return the text of a report, each line with the fix of its finding; of several for one line the first."""
    fixes = [(finding.line, finding.fix) for finding in findings if finding.line and finding.fix is not None]
    return with_lines(report, dict(reversed(fixes)))
