"""Judging a list before it is committed (D-134): its figures, the second engine, and what people explain of it.

What stops a list is raised as `StoppedError`, so that nothing of the list is committed, and stored after that: pages,
health and metrics read it there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from importlib import import_module
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.storage import storages
from django.db import transaction
from django.utils.translation import gettext as _

from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused, stated_refusal
from core.html.dates import list_month
from core.pages import Page
from players import notices
from players.choices import Area, Deed, NoticeKind, Role
from players.models.log import record_act
from players.own_matters import decides_alone, own_matter
from ratings.choices import SENTENCES, FileFormat, ListKind
from ratings.judgements import figure_label, shown_bounds, shown_value
from ratings.models import Explanation, Judgement, ListFile, RatingList
from ratings.publish.files import evidence_path, file_bytes, hash_of
from ratings.systems.judgement import ListFigures, Seen, Stop, unexplained
from tournaments.cases import IS_QC

# A difference seldom comes alone: the first ones show where to look.
MAX_DIFFERENCES = 20
# So many lines of a list are in memory at once while the second engine compares.
ROWS_AT_ONCE = 200_000
CHUNK = 1 << 20
logger = structlog.get_logger(__name__)


class StoppedError(RefusedError):
    """A list is stopped: figures are out of bounds and not explained, or the second engine found differences."""

    # No sweep tries it again.
    waits_for_people = True

    def __init__(
        self,
        kind: str,
        list_date: date,
        figures: ListFigures,
        stops: Sequence[Stop],
        open_stops: Sequence[Stop],
        differences: Sequence[Sequence[str]],
        given: Mapping[str, str],
    ) -> None:
        super().__init__([*_refusals(kind, list_date, open_stops, differences)])
        self.kind, self.list_date, self.figures = kind, list_date, figures
        # `open_stops` wait for an explanation.
        self.stops, self.open_stops, self.given = tuple(stops), open_stops, given
        self.differences = tuple(differences)


def _refusals(
    kind: str, list_date: date, stops: Sequence[Stop], differences: Sequence[Sequence[str]]
) -> Iterator[Refusal]:
    for stop in stops:
        names = {"kind": kind, "date": list_date, "figure": stop.code}
        values = {"value": shown_value(stop.value, stop.unit), "bounds": shown_bounds(stop)}
        yield stated_refusal(SENTENCES, "out-of-bounds-D-134", "date", **names, **values)
    for subject, name, expected, there in differences:
        what = {"subject": subject, "name": name, "expected": expected, "there": there}
        yield stated_refusal(SENTENCES, "second-engine-D-134", "date", kind=kind, date=list_date, **what)


def explained_of(kind: str, list_date: date) -> set[Seen]:
    """Return the figures of a list that are explained, as they were seen."""
    rows = Explanation.objects.filter(kind=kind, date=list_date).order_by()
    return set(rows.values_list("code", "value", "cause"))


def given_for(kind: str, list_date: date, stops: Sequence[Stop], given: Mapping[str, str]) -> dict[str, str]:
    """Return the given reasons, by code, for figures that were shown: what nobody has seen is not explained."""
    row = Judgement.objects.filter(kind=kind, date=list_date, rating_list=None).first() if given else None
    shown = {stop.seen for stop in row.stops} if row else set()
    return {stop.code: given[stop.code] for stop in stops if stop.code in given and stop.seen in shown}


def second_engine_differences(rating_list: RatingList) -> list[list[str]]:
    """Have the second engine calculate a list again from its evidence, and return the first differences."""
    engine = import_module("tools.verify_list")
    with ExitStack() as stack:
        csv = ListFile.objects.get(rating_list=rating_list, format=FileFormat.CSV)
        new = stack.enter_context(_local(csv.path))
        evidence = stack.enter_context(_local(evidence_path(rating_list)))
        before = stack.enter_context(_before(rating_list.previous))
        try:
            found = engine.differences_in_parts(before, evidence, new, rows=ROWS_AT_ONCE)
            return [list(map(str, one)) for one in islice(found, MAX_DIFFERENCES)]
        except engine.UNREADABLE as error:
            return [["evidence", "", "what can be calculated", repr(error)]]
        except engine.WrongUseError as error:
            return [["evidence", "", "what can be read", str(error)]]


@contextmanager
def _local(path: str) -> Iterator[str]:
    """Yield where a file of the storage is on this machine: a copy, where the storage is elsewhere."""
    storage = storages["lists"]
    try:
        yield storage.path(path)
    except NotImplementedError:
        with TemporaryDirectory(dir=settings.VAR_DIR) as folder, storage.open(path) as source:
            copy = Path(folder) / Path(path).name
            with copy.open("wb") as target:
                for part in source.chunks(CHUNK):
                    target.write(part)
            yield str(copy)


@contextmanager
def _before(previous: RatingList | None) -> Iterator[str]:
    """Yield the file of the list before: the one published, else, of an imported list too, written from the entries."""
    if previous is None:
        raise RuntimeError("a published list follows another one (D-71)")
    stored = ListFile.objects.filter(rating_list=previous, format=FileFormat.CSV).first()
    if stored is not None and storages["lists"].exists(stored.path):
        with _local(stored.path) as path:
            with Path(path).open("rb") as source:
                is_right = hash_of(iter(lambda: source.read(CHUNK), b"")) == stored.sha256
            if is_right:
                yield path
                return
    with TemporaryDirectory(dir=settings.VAR_DIR) as folder:
        written = Path(folder) / "before.csv"
        with written.open("wb") as target:
            for part in file_bytes(previous, FileFormat.CSV):
                target.write(part)
        yield str(written)


def keep_judgement(
    rating_list: RatingList, figures: ListFigures, stops: Sequence[Stop], *, at: datetime
) -> None:
    """Store the figures of a list with it, and what was explained; the caller opens the transaction."""
    Judgement.objects.update_or_create(
        kind=rating_list.kind,
        date=rating_list.date,
        defaults={
            "rating_list": rating_list, "figures": figures, "stops": list(stops), "differences": [], "judged_at": at,
        },
    )  # fmt: skip


def explain_given(
    kind: str,
    list_date: date,
    stops: Sequence[Stop],
    given: Mapping[str, str],
    *,
    by: Any,
    by_name: str,
    at: datetime,
) -> None:
    """Keep the reasons that were given for figures which stop a list, by code; others say nothing of it."""
    for stop in unexplained(stops, explained_of(kind, list_date)):
        if stop.code in given:
            _explain(kind, list_date, stop, given[stop.code], by=by, by_name=by_name, at=at)


def bar_to_explain(user: Any, stop: Stop) -> Refusal | None:
    """Return why a person does not explain a figure: it is of their federation, and another could (D-131)."""
    return own_matter(user, {stop.federation}, holders=IS_QC)


def _explain(
    kind: str, list_date: date, stop: Stop, reason: str, *, by: Any, by_name: str, at: datetime
) -> None:
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason."), "reason")
    user = by if getattr(by, "is_authenticated", False) else None
    is_alone = decides_alone(user, {stop.federation}, asked_by=None, holders=IS_QC)
    name = (user.get_full_name() or user.get_username()) if user else by_name
    Explanation.objects.get_or_create(
        kind=kind,
        date=list_date,
        code=stop.code,
        value=stop.value,
        cause=stop.cause,
        defaults={
            "reason": reason.strip(), "by": user, "by_name": name[:254], "at": at, "is_alone": is_alone,
        },
    )  # fmt: skip
    subject, said = f"{kind} {list_date.isoformat()}", f"{stop.code}: {reason}"
    for deed in (Deed.EXPLAIN, Deed.ALONE) if is_alone else (Deed.EXPLAIN,):
        record_act(Area.LIST, deed, subject, by=by, by_name=by_name, at=at, reason=said)


def explain(kind: str, list_date: date, seen: Seen, reason: str, *, by: Any, at: datetime) -> None:
    """Explain a figure that stopped a list, as the page showed it.

    `RefusedError` where it is another one by now, and for who is officer of its federation where another could (D-131).
    """
    with transaction.atomic():
        judgement = (
            Judgement.objects.select_for_update().filter(kind=kind, date=list_date, rating_list=None).first()
        )
        stops = judgement.stops if judgement else []
        stop = next((one for one in stops if one.seen == seen), None)
        if stop is None:
            raise refused("figure-changed", _("This figure no longer stops the list."), "code")
        _explain(kind, list_date, stop, reason, by=by, by_name="", at=at)


def manifest_entry(kind: str, list_date: date, stops: Sequence[Stop]) -> dict[str, Any]:
    """Return what a manifest says of explained figures; nothing where no figure was out of bounds."""
    seen = {stop.seen: stop for stop in stops}
    rows = Explanation.objects.filter(kind=kind, date=list_date).order_by("code", "value")
    explained = [
        {
            "figure": row.code,
            "value": row.value,
            "usual": stop.usual,
            "low": stop.low,
            "high": stop.high,
            "reason": row.reason,
            "by": row.by_name,
            "at": row.at.isoformat(),
            **({"alone": True} if row.is_alone else {}),
        }
        for row in rows
        if (stop := seen.get((row.code, row.value, row.cause)))
    ]
    return {"explanations": explained} if explained else {}


def record_stop(stopped: StoppedError, *, by: Any, by_name: str, at: datetime) -> None:
    """Store why a list was stopped and the reasons given so far, and tell staff; once for each set of figures."""
    kind, list_date = stopped.kind, stopped.list_date
    with transaction.atomic():
        values = {
            "figures": stopped.figures,
            "stops": list(stopped.stops),
            "differences": [list(one) for one in stopped.differences],
            "judged_at": at,
        }
        if Judgement.objects.filter(kind=kind, date=list_date, rating_list__isnull=False).exists():
            return
        Judgement.objects.update_or_create(kind=kind, date=list_date, defaults=values)
        explain_given(kind, list_date, stopped.stops, stopped.given, by=by, by_name=by_name, at=at)
        _tell_staff(stopped, at=at)
    logger.error(
        "list stopped",
        kind=kind,
        date=list_date.isoformat(),
        reasons=[one.message for one in stopped.refusals],
    )


def _tell_staff(stopped: StoppedError, *, at: datetime) -> None:
    """Mail staff and the QC what stopped a list, once for each set of figures."""
    kind, list_date = stopped.kind, stopped.list_date
    stops, differences = stopped.open_stops, stopped.differences
    if not stops and not differences:
        return
    seen = sha256_of(repr([[stop.seen for stop in stops], [one[0] for one in differences]]).encode())
    page = Page("desk:before-publication", list_date).link

    def subject() -> str:
        names = {"kind": ListKind(kind).label, "month": list_month(list_date)}
        return _("Publication stopped: %(kind)s, %(month)s") % names

    def text() -> str:
        lines = [_("The list was not published. Nothing was changed."), ""]
        for stop in stops:
            lines.append(
                f"{figure_label(stop.code)}: {shown_value(stop.value, stop.unit)} ({shown_bounds(stop)})"
            )
            if stop.events:
                lines.append("  " + _("Tournaments: %(ids)s") % {"ids": ", ".join(stop.events)})
            lines += [
                f"  {one.player_id} {one.name}: {one.before or '–'} → {one.now or '–'}"
                for one in stop.players[:5]
            ]
        if differences:
            lines.append(
                _("The second calculation of the list differs. This cannot be explained, only corrected.")
            )
            lines += [f"  {one[0]} {one[1]}: {one[2]} / {one[3]}" for one in differences[:5]]
        return "\n".join([*lines, "", page])

    readers = get_user_model()._default_manager.filter(appointments__role__in=(Role.STAFF, Role.QC_CHAIR))
    notices.post(
        to=readers.distinct(),
        kind=NoticeKind.PUBLICATION,
        key=f"stopped:{kind}:{list_date.isoformat()}:{seen}",
        subject=subject,
        text=text,
        at=at,
    )
