"""Staff compare published lists with FIDE's lists on a page."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import StopUpload

from core.web.uploads import BoundedUploadHandler
from ratings.comparison import LIKELY
from ratings.export import export_bytes
from ratings.models import Comparison, RatingList
from tests import make
from tests.codes import codes_of_answer
from tests.log import acts


@pytest.fixture
def february(db: None) -> RatingList:
    first = make.rating_list()
    for rating in (1900, 1700):
        make.entry(rating_list=first, rating=rating, player__name=f"Player, Of {rating}")
    return make.publish("rapid", date(2026, 2, 1))


def lines(rating_list: RatingList) -> list[str]:
    return b"".join(export_bytes(rating_list, "txt")).decode().splitlines(keepends=True)


def fides(rating_list: RatingList, name: str = "rapid.txt") -> SimpleUploadedFile:
    """Return FIDE's list with another rating for 1700 and without 1900."""
    head, _first, second = lines(rating_list)
    changed = second[:113] + "1720" + second[117:]
    return SimpleUploadedFile(name, (head + changed).encode())


def test_list_is_compared_and_the_differences_shown(february: RatingList) -> None:
    staff = make.browser("staff")
    answer = staff.post("/desk/comparisons/", {"rating_list": february.pk, "file": fides(february)})
    made = Comparison.objects.get()
    assert (answer["Location"], made.by) == (f"/desk/comparisons/{made.pk}/", made.by)
    shown = staff.get(answer["Location"]).content.decode()
    assert "Player, Of 1700" in shown
    page = staff.get(answer["Location"]).context
    assert page["title"] == "Rapid, February 2026"
    assert [number for _label, number in page["figures"]] == [0, 1, 1, 0]
    (row,), (alone,) = page["different"], page["alone"]
    assert (row["here"], row["there"], row["difference"], row["since"]) == (
        1700,
        1720,
        "+20",
        "February 2026",
    )
    assert (alone["key"], alone["rating"]) == ("only_here", 1900)
    assert [row["reason"], alone["reason"]] == [*map(LIKELY.state, ("other-result", "removed-there-high"))]
    listed = staff.get("/desk/comparisons/").content.decode()
    assert ">2</td>" in listed
    assert listed.count("Rapid, February 2026</") == 2
    staff.post(answer["Location"])
    assert not Comparison.objects.exists()
    logged = acts(subject="rapid 2026-02-01", action__endswith="compare")
    assert [*logged.values_list("action", flat=True)] == ["compare", "uncompare"]
    other = "".join(
        f"{1_999_000 + row:<15}{line[15:]}" if row else line for row, line in enumerate(lines(february))
    )
    answer = staff.post(
        "/desk/comparisons/",
        {"rating_list": february.pk, "file": SimpleUploadedFile("rapid.txt", other.encode())},
    )
    assert codes_of_answer(answer) == {"file": ["other-list"]}


def test_compared_list_is_chosen_by_month(february: RatingList) -> None:
    page = make.browser("staff").get("/desk/comparisons/")
    ((_value, label),) = page.context["form"].fields["rating_list"].choices
    assert label == "Rapid, February 2026"


def test_file_without_a_list_is_refused(february: RatingList) -> None:
    page = SimpleUploadedFile("page.html", b"<html>")
    answer = make.browser("staff").post("/desk/comparisons/", {"rating_list": february.pk, "file": page})
    assert "page.html: " in answer.content.decode()
    assert not Comparison.objects.exists()


def test_d_72_file_of_another_month_is_refused(february: RatingList) -> None:
    file = fides(february, "rapid_mar26frl.txt")
    answer = make.browser("staff").post("/desk/comparisons/", {"rating_list": february.pk, "file": file})
    assert codes_of_answer(answer) == {"__all__": ["name-contradicts-D-72"]}
    assert not Comparison.objects.exists()


def test_too_large_file_is_named_without_other_fields(
    monkeypatch: pytest.MonkeyPatch, february: RatingList
) -> None:
    monkeypatch.setattr(BoundedUploadHandler, "receive_data_chunk", _stop)
    answer = make.browser("staff").post("/desk/comparisons/", {"file": fides(february)})
    assert (answer.status_code, codes_of_answer(answer)) == (200, {"file": ["too-large"]})
    assert not Comparison.objects.exists()


def _stop(handler: BoundedUploadHandler, raw_data: bytes, start: int) -> bytes | None:
    handler.exceeded = str(handler.field_name)
    raise StopUpload(connection_reset=False)
