"""`python -m tools.towns cities500.txt`: writes the towns that the portal ships, from a GeoNames file (decision 29).

Towns of 5,000 inhabitants and more, in very small countries all that the file has, in the columns of GeoNames; those
that the portal does not read are empty. Other names are those of larger towns, written in several languages.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tournaments.geonames import SHIPPED, WITH_REGIONS, is_latin_name, spelling_of

SMALL_COUNTRIES = frozenset(["AD", "CY", "FO", "GG", "GI", "IM", "IS", "JE", "LI", "LU", "MC", "MT", "SM"])
LEAST = 5_000
# Smaller towns are written by their own name, except in countries that have few of them.
LEAST_WITH_OTHERS = 15_000
# Federations of Great Britain have a region each.
KEPT_REGIONS = (*WITH_REGIONS, "GB")
# 0.001 degrees are 110 m.
DIGITS = 3
LEFT_OUT = (2, 6, 7, 9, 11, 12, 13, 15, 16, 17, 18)


def main(paths: list[str]) -> int:
    """Write the shipped file anew from the first path; return the exit status."""
    if len(paths) != 1:
        print("Use: python -m tools.towns cities500.txt", file=sys.stderr)
        return 2
    with Path(paths[0]).open(encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    lines = [*shipped_lines(rows)]
    content = "".join(f"{line}\n" for line in lines).encode()
    SHIPPED.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(lines):,} towns, {SHIPPED.stat().st_size:,} bytes")
    return 0


def shipped_lines(rows: Iterable[list[str]]) -> Iterator[str]:
    """Yield the lines that are shipped, by country and ID: so they compress best."""
    for row in sorted(rows, key=lambda row: (row[8], int(row[0]))):
        country, population = row[8], int(row[14])
        is_small = country in SMALL_COUNTRIES
        if population < LEAST and not is_small:
            continue
        kept = [*row]
        for place in LEFT_OUT:
            kept[place] = ""
        has_others = is_small or population >= LEAST_WITH_OTHERS
        kept[3] = ",".join(_other_names(row[1], row[3])) if has_others else ""
        kept[4], kept[5] = (f"{float(degrees):.{DIGITS}f}" for degrees in row[4:6])
        kept[10] = row[10] if country in KEPT_REGIONS else ""
        yield "\t".join(kept)


def _other_names(name: str, others: str) -> Iterator[str]:
    seen = {spelling_of(name)}
    for other in filter(is_latin_name, others.split(",")):
        spelling = spelling_of(other)
        if spelling and spelling not in seen:
            seen.add(spelling)
            yield other


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
