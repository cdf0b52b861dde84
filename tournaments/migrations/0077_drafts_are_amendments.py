"""Give each version with a draft what was chosen as amendments, and the reasons that were typed."""

import hashlib

from django.db import migrations

from tournaments.trf import read_report

BATCH = 100


def move(apps, schema_editor):
    reports = apps.get_model("tournaments", "Report").objects
    waiting = reports.exclude(draft={}).only("draft", "findings", "content").order_by("pk")
    # In batches: a second run does the rest.
    while some := list(waiting[:BATCH]):
        for report in some:
            report.amendments = amendments_of(report.draft, report.findings, bytes(report.content))
            report.reasons = report.draft.get("reasons", {})
            report.draft = {}
            report.save(update_fields=["amendments", "reasons", "draft"])


def amendments_of(draft, findings, content):
    """Return the amendments of a draft, in the order in which their lines were merged."""
    read = read_report(content)
    ids, lines = draft.get("ids", {}), draft.get("lines", {})
    # The answers to whose line it is were written as lines; without either nothing is left to be answered.
    answers = {line: answer for line, answer in draft.get("answers", {}).items() if line in lines and line not in ids}
    reported = {str(record.line): record.fide_id for record in read.players}
    return [
        *(result_of(key, result) for key, result in draft.get("results", {}).items()),
        *({"what": "identity", "line": int(line), "fide_id": fide_id} for line, fide_id in ids.items()),
        *(identity_of(int(line), answer, reported.get(line)) for line, answer in answers.items()),
        *(joined_of(key) for key in draft.get("joins", {})),
        *(fix for key, fix in offered_fixes(read.lines, findings) if key in draft.get("fixes", {})),
        *({"what": "line", "line": int(line), "text": text} for line, text in lines.items()),
    ]


def result_of(key, result):
    round_number, white = key.split("-")
    return {"what": "result", "round": int(round_number), "white": int(white), "result": result}


def joined_of(key):
    into, line = key.split("-")
    return {"what": "joined", "line": int(line), "into": int(into)}


def identity_of(line, answer, fide_id):
    """Return whose line it is: of the owner of its FIDE ID, or of a person whose FIDE ID nobody has named."""
    identity = {"what": "identity", "line": line}
    return identity | {"fide_id": fide_id, "is_whole": True} if answer == "same" and fide_id else identity


def offered_fixes(lines, findings):
    """Yield the fixes of findings with the keys by which drafts named them; each once."""
    seen = set()
    for finding in findings:
        line, after = finding["line"], finding["fix"]
        if after is None or not line or line > len(lines):
            continue
        before = lines[line - 1]
        digest = hashlib.sha256(f"{before}\n{after}".encode()).hexdigest()[:12]
        key = f"{line}-{digest}"
        if before != after and key not in seen:
            seen.add(key)
            yield key, {"what": "fix", "line": line, "before": before, "after": after}


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0076_reports_have_amendments")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
