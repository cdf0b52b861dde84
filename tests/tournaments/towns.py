"""Some towns as a file of GeoNames has them, for tests."""

from __future__ import annotations

from pathlib import Path

from tournaments.towns import TownImport, import_towns

# ID, name, other names, degrees north and east, country, region, inhabitants.
TOWNS = [
    (2960316, "Luxembourg", "Luxemburg,Lëtzebuerg,LUX,Люксембург", "49.612", "6.13", "LU", "LU", 76684),
    (2960657, "Esch-sur-Alzette", "Esch,Esch an der Alzette", "49.496", "5.981", "LU", "ES", 36625),
    (2960589, "Kirchberg", "Luxembourg-Kirchberg", "49.622", "6.151", "LU", "LU", 10725),
    (2660646, "Geneva", "Genève,Genf,GVA,ri nei wa", "46.202", "6.146", "CH", "GE", 201741),
    (4893591, "Geneva", "", "41.888", "-88.305", "US", "IL", 21806),
    (2659667, "Kirchberg", "", "47.411", "9.04", "CH", "SG", 8127),
    (2867714, "Munich", "München,Muenchen", "48.137", "11.576", "DE", "02", 1505005),
    (2820860, "Tübingen", "", "48.52", "9.056", "DE", "01", 91877),
    (2911522, "Halle (Saale)", "Halle", "51.482", "11.98", "DE", "14", 237865),
    (2911520, "Halle", "", "52.06", "8.361", "DE", "07", 21393),
    (2661861, "Altdorf", "", "46.88", "8.644", "CH", "UR", 8678),
    (2661862, "Altdorf", "", "47.2", "8.7", "CH", "ZH", 2000),
    (2988507, "Paris", "", "48.853", "2.349", "FR", "11", 2138551),
    (2641598, "Newport", "", "51.588", "-2.998", "GB", "WLS", 161506),
    (2641599, "Newport", "", "50.701", "-1.291", "GB", "ENG", 24884),
    (2198148, "Suva", "", "-18.142", "178.442", "FJ", "", 77366),
    (4035715, "Matavai", "", "-13.96", "-171.9", "WS", "", 40000),
    (2729907, "Longyearbyen", "", "78.223", "15.647", "SJ", "", 2060),
    (4717560, "Paris", "", "33.661", "-95.556", "US", "TX", 24782),
]


def line_of(
    number: object, name: str, others: str, north: str, east: str, country: str, region: str, people: object
) -> str:
    """Return the line of a town in a file of GeoNames."""
    end = f"{country}\t\t{region}\t\t\t\t{people}\t\t\tEurope/Zurich\t2026-01-01"
    return f"{number}\t{name}\t\t{others}\t{north}\t{east}\tP\tPPL\t{end}"


def file_of_towns(folder: Path, rows: list[tuple[object, ...]] | None = None) -> Path:
    """Write a file of GeoNames with these towns."""
    path = folder / "cities500.txt"
    path.write_text("".join(f"{line_of(*row)}\n" for row in rows or TOWNS), encoding="utf-8")  # type: ignore[arg-type]
    return path


def import_some_towns(folder: Path) -> TownImport:
    """Import the towns above."""
    return import_towns(file_of_towns(folder))
