"""The backup of docs/operations.md, exercised: dump, an empty installation, restore, every list verified."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.files.storage import storages

from ratings.archives import RestoredFile, restore_files
from ratings.models import ListFile, RatingList
from ratings.publish.files import evidence_path
from tests import make
from tests.faults.world import lists_of_the_month
from tests.operations.installation import Installation, copied_database

pytestmark = pytest.mark.process


@pytest.mark.usefixtures("published_month")
def test_restored_portal_verifies_every_list(tmp_path: Path) -> None:
    restored = Installation(copied_database(tmp_path), tmp_path / "another machine")
    restored.folder.mkdir()

    restored.run("migrate", "--check")
    written = restored.run("restore_files").splitlines()

    files = list(ListFile.objects.order_by("pk").values_list("path", flat=True))
    evidence = [evidence_path(item) for item in RatingList.objects.filter(origin="published").order_by("pk")]
    assert written == [*files, *evidence, f"{len(files) + len(evidence)} files written"]
    assert lists_of_the_month() == ["blitz", "rapid"]
    for rating_list in RatingList.objects.all():
        name = [rating_list.kind, rating_list.date.isoformat()]
        assert (
            restored.run("verify_list", *name)
            == f"{' '.join(name)}: verified, identical to the published files\n"
        )


def test_lost_and_damaged_files_are_written_again(db: None, tmp_path: Path) -> None:
    make.play_month()
    lost, damaged, *_ = ListFile.objects.filter(rating_list__date=make.NEXT_LIST).order_by("pk")
    storages["lists"].delete(lost.path)
    with storages["lists"].open(damaged.path, "r+b") as file:
        file.write(b"X")

    assert list(restore_files()) == [RestoredFile(lost.path, True), RestoredFile(damaged.path, True)]
    assert list(restore_files()) == []


def test_file_that_the_entries_no_longer_give_is_not_written(db: None) -> None:
    make.play_month()
    item = ListFile.objects.order_by("pk").first()
    assert item is not None
    ListFile.objects.filter(pk=item.pk).update(sha256="0" * 64)

    assert list(restore_files()) == [RestoredFile(item.path, False)]
