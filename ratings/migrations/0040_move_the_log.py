"""Move what the log had in seven tables into one, and seal the chain that it had."""

import hashlib
import heapq
import json
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import chain, islice

from django.conf import settings
from django.db import migrations
from django.utils import timezone

from players.migrations._stored_sentences import recogniser

BATCH = 1000
# The tables of the chain as its links name them; of fees there was a history that was not linked.
SOURCES = {
    "tournament": ("tournaments", "AuditEntry"),
    "act": ("players", "Act"),
    "player": ("players", "HistoricalPlayer"),
    "federation": ("players", "HistoricalFederation"),
    "exclusion": ("players", "HistoricalFederationExclusion"),
    "appointment": ("players", "HistoricalAppointment"),
    "fee": ("ratings", "HistoricalFeeRate"),
}
KEYS = {"player": "fide_id", "federation": "code", "exclusion": "id", "appointment": "id", "fee": "id"}
ACTIONS = {"+": "added", "~": "edited", "-": "deleted"}
TITLES = ("title", "women_title", "other_titles", "foa_title")
# Reasons of the portal that entries had as English sentences. What a person wrote beside one remains as it is.
REASONS = {
    "hybrid": "The QC must approve each hybrid tournament (article 0.2).",
    "late": "Registered less than 3 days before the first day (article 0.2).",
    "waiver": "Waiver for games after the match is won (article 5.2).",
    "flagged": "Results and events flagged by the checks: %(number)d.",
    "published-before": (
        "The tournament was published before the QC decided. FIDE staff can correct the report or the conditions "
        "(decisions D-11 and D-82)."
    ),
    "request-cancelled": "The request was cancelled.",
    "change-undone": "The last change was undone.",
    "registration-undone": "The registration was undone.",
    "withdrawal-undone": "The withdrawal was undone.",
    "return-undone": "The return was undone.",
    "lines-fixed": "Version %(new)d created. Lines fixed in version %(old)d: %(lines)s.",
    "mark-removed": "Round %(round)d, White %(white)d: mark removed.",
    "acknowledged": "Printed and acknowledged by the command.",
    "players-entered": "Players on the entry list: %(number)d.",
    "list": "%(kind)s %(month)s",
}
FORMER = (
    "tournaments_trailentry",
    "tournaments_loglink",
    "players_act",
    "players_historicalplayer",
    "players_historicalfederation",
    "players_historicalfederationexclusion",
    "players_historicalappointment",
    "ratings_historicalfeerate",
)
SEALED = {
    "sqlite": """CREATE TRIGGER sealed_{table} BEFORE INSERT ON {table}
        BEGIN SELECT RAISE(ABORT, 'the former log is sealed'); END""",
    "postgresql": """CREATE FUNCTION sealed_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the former log is sealed'; END $$;
        CREATE TRIGGER sealed_{table} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION sealed_{table}()""",
}
# Who recorded a row is who wrote its entry.
ACCOUNTS = ("user_id", "recorded_by_id")


state = recogniser(REASONS)


def move(apps, schema_editor):
    seal_tables(schema_editor.connection)
    entries = apps.get_model("players", "LogEntry").objects
    tables = {source: apps.get_model(*model).objects for source, model in SOURCES.items()}
    known = Known(apps)
    numbers, newest = {}, 0
    # Entries of tournaments keep their numbers, which forms, mails and addresses name.
    for rows in batches(tables["tournament"].order_by("pk").iterator(chunk_size=BATCH)):
        entries.bulk_create(entries.model(pk=row.pk, **of_tournament(row)) for row in rows)
        numbers |= {("tournament", row.pk): row.pk for row in rows}
        newest = rows[-1].pk
    others = heapq.merge(
        of_acts(tables["act"], known),
        *(of_history(source, tables[source], known) for source in KEYS),
        key=lambda found: found[2]["at"],
    )
    for rows in batches(others):
        made = []
        for source, pk, values in rows:
            newest += 1
            numbers[source, pk] = newest
            made.append(entries.model(pk=newest, **values))
        entries.bulk_create(made)
    seal(apps, tables, numbers, newest)
    reset_keys(schema_editor.connection, entries.model)


def of_tournament(row):
    return {
        "area": "tournament",
        "tournament_id": row.tournament_id,
        "action": row.action,
        "before": row.registration_before,
        "after": row.registration,
        "changes": row.changes,
        "reason": row.reason,
        "stated": row.stated or state(row.reason),
        "is_public": row.is_public,
        "by_id": row.by_id,
        "at": row.at,
    }


class Known:
    """What entries refer to: players and accounts that are still there."""

    def __init__(self, apps):
        self.players = apps.get_model("players", "Player").objects
        self.users = {
            email.lower(): pk
            for pk, email in apps.get_model(settings.AUTH_USER_MODEL).objects.values_list("pk", "email")
        }
        self.user_ids = set(self.users.values())
        self.federations = set(apps.get_model("players", "Federation").objects.values_list("pk", flat=True))

    def player(self, fide_id):
        return fide_id if self.players.filter(pk=fide_id).exists() else None

    def federation(self, code):
        return code if code in self.federations else None


def of_acts(table, known):
    for row in table.order_by("pk").iterator(chunk_size=BATCH):
        before, after, changes = row.before, row.after, []
        if row.deed == "change" and after.startswith("{"):
            old, new = (json.loads(text) if text else {} for text in (before, after))
            changes = [{"field": name, "before": old.get(name), "after": new[name]} for name in new]
            before = after = ""
        named = re.match(r"FIDE ID (\d+)", row.subject) or re.search(r"\((\d+)\)$", row.subject)
        yield "act", row.pk, {
            "area": row.kind,
            "action": row.deed,
            "player_id": known.player(int(named[1])) if row.kind == "player" and named else None,
            "account_id": known.users.get(row.subject.lower()) if row.kind == "account" else None,
            "subject": row.subject,
            "before": before,
            "after": after,
            "changes": changes,
            "reason": row.reason,
            "by_id": row.by_id,
            "by_name": "" if row.by_id else row.by_name,
            "at": row.at,
        }


def of_history(source, table, known):
    key, last = KEYS[source], {}
    for row in table.order_by("history_id").iterator(chunk_size=BATCH):
        is_deleted, own = row.history_type == "-", getattr(row, key)
        former = {} if is_deleted else last.get(own, {})
        # Federations came in without a row: the first one may have changed its membership.
        is_first = row.history_type == "~" and not former
        kept = ("is_member", "listing_reference") if is_first and source == "federation" else ()
        values = {
            field.attname: plain(getattr(row, field.attname))
            for field in row._meta.concrete_fields
            if not field.name.startswith("history_") and field.attname not in (key, *ACCOUNTS)
        }
        last[own] = values
        changes = [
            {"field": name, "before": former.get(name), "after": value}
            for name, value in values.items()
            if former.get(name) != value and (former.get(name) or value or name in kept)
        ]
        if is_deleted:
            changes = [{"field": name, "before": value, "after": None} for name, value in values.items() if value]
            del last[own]
        elif is_first and source == "player":
            # Of a player of a list nothing was written before: which of the titles staff set is not known (D-136).
            changes = [change for change in changes if change["field"] not in TITLES]
        yield source, row.history_id, {
            "area": source,
            "action": ACTIONS[row.history_type],
            "changes": changes,
            "reason": row.history_change_reason or "",
            "by_id": row.history_user_id,
            "at": row.history_date,
            **about(source, row, known),
        }


def about(source, row, known):
    if source == "player":
        subject = f"{row.name or '?'} ({row.fide_id})"
        federation = known.federation(row.federation_id)
        return {"player_id": known.player(row.fide_id), "federation_id": federation, "subject": subject}
    if source == "federation":
        return {"federation_id": known.federation(row.code), "subject": f"{row.name} ({row.code})"}
    if source == "exclusion":
        subject = f"{row.federation_id} {row.excluded_from.isoformat()}"
        return {"federation_id": known.federation(row.federation_id), "subject": subject}
    if source == "appointment":
        account = {"account_id": row.user_id} if row.user_id in known.user_ids else {"subject": f"#{row.user_id}"}
        return {**account, "federation_id": known.federation(row.federation_id)}
    return {"subject": f"{row.valid_from.isoformat()}, {row.currency}"}


def plain(value):
    if isinstance(value, date | datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value


def seal(apps, tables, numbers, newest):
    """Keep the chain with the rows that it links, and link the entries that these became, after a seal."""
    entries, sealed, links = (
        apps.get_model("players", name).objects for name in ("LogEntry", "SealedEntry", "LogLink")
    )
    number, sha256, moved = 0, "", "0" * 64
    for some in batches(apps.get_model("tournaments", "LogLink").objects.order_by("number").iterator(BATCH)):
        rows = {
            (source, pk): row
            for source in {link.source for link in some}
            for pk, row in tables[source].in_bulk([link.row for link in some if link.source == source]).items()
        }
        made = [
            sealed.model(
                number=link.number,
                source=link.source,
                row=link.row,
                content=row_text(rows[link.source, link.row]) if (link.source, link.row) in rows else "",
                digest=link.digest,
                sha256=link.sha256,
                entry=numbers.get((link.source, link.row)),
            )
            for link in some
        ]
        sealed.bulk_create(made)
        for one in made:
            moved = digest_of(f"{moved} {one.number} {one.entry}")
        number, sha256 = some[-1].number, some[-1].sha256
    if not number:
        return
    first = entries.create(
        pk=newest + 1, area="portal", action="seal", subject=f"{number} {sha256}", after=moved,
        at=timezone.now(),
    )
    linked = chain([first], entries.exclude(pk=first.pk).order_by("pk").iterator(chunk_size=BATCH))
    for some in batches(linked):
        made = []
        for entry in some:
            digest = digest_of(row_text(entries.get(pk=entry.pk) if entry is first else entry))
            number, sha256 = number + 1, digest_of(f"{sha256} log {entry.pk} {digest}")
            made.append(links.model(number=number, entry=entry.pk, digest=digest, sha256=sha256))
        links.bulk_create(made)


def row_text(row):
    values = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    filled = {name: value for name, value in values.items() if value}
    return json.dumps(filled, sort_keys=True, default=as_text)


def as_text(value):
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def seal_tables(connection):
    """Let nothing more be written to the tables of a portal that has a log: the release before may read on."""
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT COUNT(*) FROM {table}" for table in FORMER))
        if not any(count for (count,) in cursor.fetchall()):
            return
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {', '.join(FORMER)} IN SHARE ROW EXCLUSIVE MODE")
        for table in FORMER:
            cursor.execute(SEALED[connection.vendor].format(table=table))


def reset_keys(connection, model):
    """Let PostgreSQL go on after the numbers that were given here."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, 'id'), COALESCE((SELECT MAX(id) FROM players_logentry), 1), "
            "EXISTS (SELECT 1 FROM players_logentry))",
            [model._meta.db_table],
        )


def batches(rows):
    rows = iter(rows)
    while some := list(islice(rows, BATCH)):
        yield some


class Migration(migrations.Migration):

    dependencies = [
        ("ratings", "0039_state_reasons_jobs_imports_and_comparisons_by_code"),
        ("players", "0035_one_log"),
        ("tournaments", "0042_state_holds_by_code"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
