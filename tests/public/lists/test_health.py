"""The pages and files of rating health: figures with definitions, charts and tables."""

from __future__ import annotations

import csv
import io
from datetime import date

import pytest
from django.test import Client

from ratings.queries.health.reading import Scores, Trend
from ratings.services.health import measure
from tests.factories import ListEntryFactory, RatingListFactory, noon
from tests.public.pages import codes, page, rows
from tests.ratings.played import play_month

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ADDRESS = "/lists/rapid/2026-02-01/health/"
AT = noon(date(2026, 2, 1))


def csv_rows(client: Client, address: str) -> list[list[str]]:
    content = b"".join(client.get(address)).decode()  # type: ignore[arg-type]
    return list(csv.reader(io.StringIO(content, newline="")))


def measure_month() -> None:
    published = play_month(2).published
    assert published is not None
    measure(published, at=AT)


def test_scores_are_shown_beside_expected_scores(client: Client) -> None:
    measure_month()
    markup = page(client, ADDRESS)
    assert 'id="scores-title"' in markup
    # In both tournaments 1900 beats 1700 and 1699 (.76 each), and 1700 draws with 1699.
    assert [row for row in rows(markup) if row[1] != "0"] == [
        ["Rating difference", "Games", "Actual score", "Expected score", "Difference"],
        ["0–49", "2", "50.0%", "50.0%", "0.0"],
        ["200–249", "4", "100.0%", "76.0%", "+24.0"],
    ]


def test_changes_are_shown_by_age_and_rating_with_the_trend(client: Client) -> None:
    measure_month()
    shown = client.get(ADDRESS)
    markup, summary = shown.content.decode(), shown.context["summary"]
    assert (summary.since, summary.trend) == (date(2026, 1, 1), Trend.UNKNOWN)
    assert [row[0] for row in rows(markup, table=2)] == ["Rating", "1600–1799", "1800–1999"]


def test_federations_are_shown_with_their_group(client: Client) -> None:
    measure_month()
    assert rows(page(client, ADDRESS), table=3)[1:] == [["SUI", "6", "0.0%", "0", "1"]]


def test_list_without_figures_says_when_they_appear(client: Client) -> None:
    play_month(1)
    assert codes(page(client, ADDRESS)) == ["not-calculated"]
    assert codes(page(client, "/lists/rapid/2026-01-01/health/")) == ["imported"]
    assert client.get("/lists/rapid/2026-02-01/health.csv").status_code == 404
    assert codes(page(client, "/lists/health/")) == ["not-calculated"]


@pytest.mark.parametrize("ending", ["health/", "health.csv"])
def test_unknown_list_is_not_found(client: Client, ending: str) -> None:
    assert client.get(f"/lists/rapid/2031-01-01/{ending}").status_code == 404


def test_files_have_every_figure(client: Client) -> None:
    measure_month()
    head, *values = csv_rows(client, "/lists/rapid/2026-02-01/health.csv")
    assert head == ["figure", "group", "measure", "value"]
    assert ["calibration", "200", "half_points", "8"] in values
    assert ["federations", "SUI", "games", "6"] in values
    names, row = csv_rows(client, "/lists/health.csv")
    series = dict(zip(names, row, strict=True))
    assert (series["kind"], series["date"], series["games"], series["since"]) == (
        "rapid",
        "2026-02-01",
        "6",
        "2026-01-01",
    )


def test_list_and_statistics_link_to_rating_health(client: Client) -> None:
    play_month(1)
    for address in ("/lists/rapid/2026-02-01/", "/lists/rapid/2026-02-01/statistics/"):
        assert f'href="{ADDRESS}"' in page(client, address)
    ListEntryFactory(rating_list=RatingListFactory(kind="standard"))
    assert "health/" not in page(client, "/lists/standard/2026-01-01/")
    assert 'href="/lists/health/"' in page(client, "/lists/")


@pytest.mark.parametrize(
    ("scores", "matches"),
    [
        (Scores(29, 0, 1450), None),
        (Scores(400, 408, 20_000), True),
        (Scores(400, 440, 20_000), True),
        (Scores(400, 442, 20_000), False),
        (Scores(1_000_000, 1_020_000, 50_000_000), True),
        (Scores(1_000_000, 1_022_000, 50_000_000), False),
    ],
    ids=["few games", "one percent", "twice the error", "more", "one percent of many", "more of many"],
)
def test_scores_match_within_one_percent_or_twice_their_error(scores: Scores, matches: bool | None) -> None:
    assert scores.matches is matches


def test_verdicts_come_before_the_charts(client: Client) -> None:
    measure_month()
    markup = page(client, ADDRESS)
    verdicts = client.get(ADDRESS).context["verdicts"]
    assert [one.code for one in verdicts] == ["scores", "trend", "groups"]
    assert [one.is_good for one in verdicts] == [None, None, True]
    assert markup.index("data-verdict") < markup.index('<figure class="chart"')
