"""The verifier in one file, run as anybody runs it, on files that were downloaded."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from django.conf import settings
from django.core.files.storage import storages

from ratings.export import export_bytes
from ratings.models import RatingList
from ratings.publish.files import evidence_path
from ratings.verify.entries import FirstDifference
from ratings.verify.lists import evidence_differences, list_differences

SCRIPT = Path(settings.BASE_DIR) / "tools" / "verify_list.py"


class Files(NamedTuple):
    """The three files that the verifier takes."""

    before: Path
    evidence: Path
    new: Path


def load() -> ModuleType:
    """Return the verifier as a module."""
    spec = importlib.util.spec_from_file_location("verify_list", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def download(rating_list: RatingList, folder: Path, *, before: str = "json", new: str = "json") -> Files:
    """Write the list before, the evidence and the list into a folder, the lists in these formats."""
    assert rating_list.previous is not None
    files = Files(folder / f"before.{before}", folder / "evidence.zip", folder / f"new.{new}")
    files.before.write_bytes(b"".join(export_bytes(rating_list.previous, before)))
    with storages["lists"].open(evidence_path(rating_list)) as stored:
        files.evidence.write_bytes(stored.read())
    files.new.write_bytes(b"".join(export_bytes(rating_list, new)))
    return files


def run(files: Files, *options: str) -> int:
    """Return the exit code of the verifier; what it prints goes to standard output and error."""
    arguments: Sequence[str] = [*map(str, files), *options]
    code: int = load().main(arguments)
    return code


def made_again(rating_list: RatingList) -> list[FirstDifference]:
    """Return what comes out otherwise when a list and its evidence are made again from what is stored."""

    def differences() -> Iterator[FirstDifference]:
        sources = yield from list_differences(rating_list)
        yield from evidence_differences(rating_list, sources)

    return list(differences())


def assert_verified() -> None:
    """Every published list is what its facts make; the second engine looked at each before it was published."""
    for rating_list in RatingList.objects.filter(origin="published").order_by("date", "kind"):
        assert made_again(rating_list) == []
