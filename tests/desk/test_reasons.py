"""Reasons that the portal gives are shown in the language of the page, and those of people as they were written."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.translation import override

from core.stated import Sentences
from players.failures import FAILURES
from players.models import LogEntry, Notice
from ratings.choices import SENTENCES as SENTENCES_OF_LISTS
from ratings.comparison import LIKELY
from tests import make
from tests.desk.tournaments.test_register import FILLED
from tests.log import steps
from tournaments.changed_fields import shown_changes
from tournaments.choices import AppealGround, FilePurpose, GameMark, LineAnswer
from tournaments.models import Flags, Hold, Report, Tournament
from tournaments.portal_reasons import SENTENCES

LATE_IN = {
    "en": "Registered less than 3 days before the first day (article 0.2).",
    "fr": "Déclaré moins de 3 jours avant le premier jour (article 0.2).",
    "es": "Registrado menos de 3 días antes del primer día (artículo 0.2).",
    "de": "Weniger als 3 Tage vor dem ersten Tag angemeldet (Artikel 0.2).",
}
STATED = {
    "number": 2, "new": 3, "old": 2, "lines": "4, 9", "round": 5, "white": 12, "mark": GameMark.FAIR_PLAY.value,
    "reference": "FPL 7/2026", "purpose": FilePurpose.WAIVER.value, "names": "letter.pdf",
    "ground": AppealGround.FACTS.value, "kind": "rapid", "date": date(2026, 8, 1), "month": date(2026, 8, 1),
    "finding": "rating-differs", "reason": "Vu.", "line": 7, "reported": "Tor, M.", "fide_id": 1001,
    "registered": "Ostin, Pell", "events": "SUI-1", "ids": "1001, 1002", "federation": "SUI", "event": "SUI-1",
    "answer": LineAnswer.SAME.value, "games": 3, "named": "blitz", "list": "A", "sign": "JAN26", "name": "list.txt",
    **dict.fromkeys(["today", "meant", "later", "missing", "previous"], date(2026, 8, 1)), "merged": 1001,
    "successor": 1002, "before": 12, "path": "rapid/list.txt", "error": "CRC", "seconds": 60, "type": "'x'",
    "types": "a, b", "encoding": "UTF-7", "width": 80, "text": "'x'", "titles": "AFM", "limit": 9, "status": 500,
    "skipped": 2, "all": 1500, "absent": 3, "figure": "games", "value": "3", "bounds": "0", "subject": "1001",
    "expected": "1", "there": "2",
}  # fmt: skip
# Sentences that are nothing but the words of a person.
WORDS_ALONE = ("answer",)


@pytest.mark.parametrize("language", ["fr", "es", "de"])
@pytest.mark.parametrize("sentences", [SENTENCES, SENTENCES_OF_LISTS, LIKELY, FAILURES])
def test_each_reason_of_the_portal_is_read_in_each_language(sentences: Sentences, language: str) -> None:
    wrong = []
    for code, template in sentences.templates.items():
        values = {name: STATED[name] for name in re.findall(r"%\((\w+)\)", template)}
        with override(language):
            stated = sentences.state(code, **values)
            shown = sentences.show(json.loads(json.dumps(stated.items)))
        if (shown == stated) is (code not in WORDS_ALONE) or "%(" in shown or "2026-08" in shown:
            wrong.append((code, shown))

    assert wrong == []


# A text that is a sentence of the portal, one inside another text, a code before it, a list as lists are named.
WRITTEN = (
    LATE_IN["en"],
    f"The arbiter wrote: {LATE_IN['en']}",
    "event-days: see the letter",
    "rapid 2026-11",
    "other grounds",
)


@pytest.mark.parametrize("row", [LogEntry, Hold, Flags])
def test_what_a_person_wrote_is_shown_as_written(row: type[Any]) -> None:
    with override("de"):
        assert [row(reason=words).why for words in WRITTEN] == [*WRITTEN]
        assert [Report(acknowledgement=words).why_acknowledged for words in WRITTEN] == [*WRITTEN]


@pytest.mark.parametrize("language", LATE_IN)
def test_0_2_the_words_of_a_person_beside_a_sentence_stay(language: str) -> None:
    stated = SENTENCES.state("late", words=WRITTEN[1])
    with override(language):
        entry = LogEntry(reason=stated, stated=stated.items)
        assert entry.why == f"{LATE_IN[language]} {WRITTEN[1]}"


@pytest.mark.database
@pytest.mark.slow
def test_0_2_the_qc_reads_in_its_language_why_a_registration_waits(officer: Client) -> None:
    qc = make.browser("qc")
    get_user_model().objects.filter(appointments__role="qc").update(language="fr")
    new = "La salle est nouvelle."
    typed = FILLED | {"start": "2026-03-06", "late_reason": new}
    officer.post("/de/desk/tournaments/new", typed)
    made = Tournament.objects.get()

    assert steps().get().reason == f"{LATE_IN['en']} {new}"
    assert f"{LATE_IN['fr']} {new}" in Notice.objects.get(user__isnull=False).text
    for language, path in (("en", ""), ("es", "/es"), ("de", "/de")):
        for page in ("/desk/", f"/desk/qc/{made.event_id}/"):
            shown = qc.get(f"{path}{page}").content.decode()
            # The rule and the officer's reason.
            assert (LATE_IN[language] in shown, new in shown) == (True, True), (language, page)


def test_the_audit_log_is_in_the_language_of_its_page(db: None) -> None:
    tournament = make.tournament(event_id="SUI-1", start=date(2026, 3, 14))
    make.step(
        tournament,
        "register",
        "waiting",
        reason=SENTENCES.state("late"),
        stated=SENTENCES.state("late").items,
        at=datetime(2026, 3, 4, 9, tzinfo=UTC),
    )
    staff = make.browser("staff")

    assert LATE_IN["de"] in staff.get("/de/desk/trail/").content.decode()
    answer = staff.get("/fr/desk/trail.csv")
    assert LATE_IN["fr"] in b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


def test_a_mark_in_the_audit_log_has_the_words_of_its_reason() -> None:
    letter = "Letter of the arbiter"
    (change,) = shown_changes([{"field": "mark", "before": "", "after": f"1 unequal-times {letter}"}])

    assert str(change).endswith(f": 1 {GameMark.UNEQUAL_TIMES.label} {letter}")
