"""Write the results of lists as they were calculated, and say why each K is what it is, as pages derived it until now.

Each batch is a transaction of its own, and what is done is left out: one that was broken off goes on.
"""

import json
from collections import defaultdict
from itertools import islice

from django.db import connections, migrations, transaction
from django.db.models import Case, F, TextField, When
from django.db.models.functions import Cast, Coalesce, Least

from ratings.systems.otb.values import KFactor, PlayerState
from ratings.systems.registry import rules_named

BATCH, TOURNAMENTS = 1_000, 50
LAST_DAY = "9999-12-31"
YEAR, GAMES = 256, 4
ENTRY = ("birth_year", "completed_games", "reached_2300", "reached_2400", "status", "rating")
BARRED = {"excluded-9.1", "deceased-9.2"}
MERGED = "merged-D-11"
ROW = (
    "pk", "start_status", "start_rating", "start_k", "k_reason", "opponents_sum", "player_id", "player__birth_year",
    "tournament_rating__rules", "tournament_rating__basis", "tournament_rating__basis__date",
    "tournament_rating__report__tournament__event_id", "tournament_rating__report__tournament__start",
    "tournament_rating__report__tournament__end",
)  # fmt: skip


def move(apps, schema_editor):
    database = schema_editor.connection.alias
    explain_entries(apps, database)
    explain_starts(apps, database)
    lists = {
        pk: (previous, day)
        for pk, previous, day in apps.get_model("ratings", "RatingList").objects.values_list(
            "pk", "previous", "previous__date"
        )
    }
    move_results(apps, database, "Calculation", lambda row: (row.rating_list_id, *lists[row.rating_list_id]))
    newest = {
        kind: (pk, day)
        for pk, kind, day in apps.get_model("ratings", "RatingList")
        .objects.order_by("date")
        .values_list("pk", "kind", "date")
    }
    nothing = (None, None)
    # Of a list that is not there yet the figures before it are the newest that are known.
    move_results(
        apps,
        database,
        "ProvisionalCalculation",
        lambda row: (newest.get(row.kind, nothing)[0], *newest.get(row.kind, nothing)),
    )


def explain_entries(apps, database):
    """Say why K of the entries is what it is, by list: they have few different figures."""
    entries = apps.get_model("ratings", "ListEntry").objects
    lists = apps.get_model("ratings", "RatingList").objects.exclude(rules="").order_by("pk")
    for pk, day, slug in lists.values_list("pk", "date", "rules"):
        rules, own = rules_named(slug), entries.filter(rating_list=pk).order_by()
        if own.exclude(k_reason="").exists():
            continue
        games = Least(F("completed_games"), rules.newcomer_games)
        figures = own.values_list("birth_year", games, "reached_2300", "reached_2400", "k_factor")
        keys = defaultdict(list)
        for year, completed, low, high, k in figures.distinct():
            given = rules.list_k(PlayerState(None, 0, None, completed, low, high), birth_year=year, on=day)
            if given.k == k:
                keys[given].append((year or 0) * YEAR + completed * GAMES + 2 * low + high)
        key = (
            Coalesce(F("birth_year"), 0) * YEAR
            + games * GAMES
            + Case(When(reached_2300=True, then=2), default=0)
            + Case(When(reached_2400=True, then=1), default=0)
        )
        with transaction.atomic(using=database):
            for factor, some in keys.items():
                own.alias(k_key=key).filter(k_factor=factor.k, k_key__in=some).update(k_reason=factor.reason)


def explain_starts(apps, database):
    """Say why K at the start of the tournaments is what it is."""
    table = apps.get_model("ratings", "ParticipantRating").objects
    ratings = apps.get_model("ratings", "TournamentRating").objects.order_by("pk")
    for some in some_of(ratings.values_list("pk", flat=True).iterator(), TOURNAMENTS):
        rows = table.filter(tournament_rating__in=some, k_reason="", start_k__isnull=False)
        rows = [Row(values) for values in rows.values_list(*ROW)]
        entries = entries_of(apps, {row.basis for row in rows}, {row.player_id for row in rows})
        found = defaultdict(list)
        for row in rows:
            found[reason_of(row, row.player_id, row.status, row.k, row.basis, row.basis_date, entries)].append(row.pk)
        with transaction.atomic(using=database):
            for reason, keys in found.items():
                for batch in some_of(keys, BATCH):
                    table.filter(pk__in=batch).update(k_reason=reason)


class Row:
    """A stored participation."""

    def __init__(self, values):
        (
            self.pk, self.status, self.rating, self.k, self.reason, self.opponents_sum, self.player_id, self.birth_year,
            self.rules, self.basis, self.basis_date, self.event_id, self.start, self.end,
        ) = values  # fmt: skip


def reason_of(row, player_id, status, k, basis, day, entries):
    """Return the reason key of a K if the regulations give it from what is stored; empty for one that was imported."""
    rules = rules_named(row.rules)
    if status == "standard":
        # The standard list that gave the rating keeps no K of this kind: it follows from the year alone (D-21).
        given = [rules.list_k(PlayerState(), birth_year=row.birth_year, on=row.start)]
    elif (entry := entries.get((basis, player_id))) is None or status == "unrated":
        return ""
    else:
        year, completed, low, high, *_rest = entry
        state = PlayerState(None, 0, None, completed, low, high)
        # A corrected year of birth gives K at once, whatever the list in force says of it (D-144).
        given = [rules.list_k(state, birth_year=one, on=day) for one in (year, row.birth_year)]
    return next((factor.reason for factor in given if factor.k == k), "")


def entries_of(apps, lists, players):
    rows = apps.get_model("ratings", "ListEntry").objects.filter(rating_list__in=lists - {None}).order_by()
    found = {}
    for some in some_of(sorted(players - {None}), BATCH):
        for list_id, player_id, *figures in rows.filter(player__in=some).values_list(
            "rating_list_id", "player_id", *ENTRY
        ):
            found[list_id, player_id] = figures
    return found


def move_results(apps, database, name, lists_of):
    model = apps.get_model("ratings", name)
    tournaments = apps.get_model("tournaments", "Tournament").objects
    years = apps.get_model("players", "Player").objects
    write = connections[database].ops.quote_name
    sql = (
        f"UPDATE {write(model._meta.db_table)} SET {write('value')} = %s, {write('found')} = %s "
        f"WHERE {write('id')} = %s"
    )
    # The former layout is an object, that of values an array.
    former = model.objects.annotate(text=Cast("value", TextField())).filter(text__startswith="{")
    waiting, last = former.order_by("pk"), 0
    while results := list(waiting.filter(pk__gt=last)[:BATCH]):
        last = results[-1].pk
        rows = rows_of(apps, results)
        known = {pk for result in results for pk in lists_of(result)[:2]} | {
            row.basis for row in rows.values()
        }
        players = {result.player_id for result in results}
        entries = entries_of(apps, known, players)
        born = dict(years.filter(pk__in=players).values_list("pk", "birth_year"))
        pooled = {share["event_id"] for result in results for share in result.value.get("pool", ())}
        ends = {}
        for some in some_of(sorted(pooled), BATCH):
            ends |= dict(tournaments.filter(event_id__in=some).values_list("event_id", "end"))
        with transaction.atomic(using=database), connections[database].cursor() as cursor:
            moved = (
                Moved(result, rows, entries, lists_of(result), ends, born.get(result.player_id))
                for result in results
            )
            cursor.executemany(sql, [(as_text(one.value), as_text(one.found), one.pk) for one in moved])


def rows_of(apps, results):
    wanted = {step["participation"] for result in results for step in result.value.get("events", ())}
    table = apps.get_model("ratings", "ParticipantRating").objects
    found = {}
    for some in some_of(sorted(wanted), BATCH):
        found |= {values[0]: Row(values) for values in table.filter(pk__in=some).values_list(*ROW)}
    return found


class Moved:
    """A result by the layout of the values that lists keep from now on."""

    def __init__(self, result, rows, entries, lists, ends, birth_year):
        self.pk, self.player_id, self.steps = result.pk, result.player_id, result.value
        self.rows, self.entries = rows, entries
        own_list, self.previous, self.previous_date = lists
        entry = entries.get((own_list, result.player_id))
        _year, completed, low, high, status, rating = entry or (None, 0, False, False, "", None)
        is_kept = result.result in BARRED and status in ("withheld", "deceased")
        self.reasons = {}
        events = [self.event(step) for step in self.steps.get("events", ())]
        initial = self.steps.get("initial")
        closes = result.result == MERGED or is_kept or (result.base_rating, result.new_rating) != (None, None)
        self.value = [
            result.result, completed, low, high, result.new_rating, rating if is_kept else None, result.base_rating,
            result.games, result.change_hundredths, result.correction_hundredths, result.rounded_change, events, [],
            [self.share(share, ends) for share in self.steps.get("pool", ())], closes,
            initial and {
                **{name: initial[name] for name in ("games", "half_points", "average", "p", "dp", "rating")},
                "is_capped": initial["capped"],
            },
            initial["rules"] if initial else "",
        ]  # fmt: skip
        before = self.steps.get("before", ())
        since = self.steps.get("barred_since")
        self.found = [
            [step["participation"] for step in self.steps.get("events", ())],
            list(self.steps.get("joined", ())),
            self.steps.get("merged_into"),
            list(self.steps.get("corrections", ())),
            {str(row["player"]): self.before(row) for row in before},
            {
                event_id: [k, self.reason_before(birth_year, k) if not event_id
                           else self.reasons.get((event_id, k), "")]
                for event_id, k in self.steps.get("factors", {}).items()
            },
            # Lists of before D-143 have the first day of the exclusion alone.
            [[since, LAST_DAY]] if since else list(self.steps.get("void", ())),
        ]  # fmt: skip

    def event(self, step):
        row = self.rows[step["participation"]]
        basis, day = row.basis, row.basis_date
        if row.status == "unrated":
            # Rated by the list before, not by the one that was in force at the start (7.2.5).
            basis, day = self.previous, self.previous_date
        reason = reason_of(row, self.player_id, step["status"], step["k"], basis, day, self.entries)
        self.reasons[row.event_id, step["k"]] = reason
        outcomes = step.get("outcomes", [])
        met = sum(outcome[6] or 0 for outcome in outcomes) if outcomes else row.opponents_sum
        start, end = row.start.isoformat(), row.end.isoformat()
        at_start = [[row.status, row.rating, row.k, row.reason], [], 0, 0, 0, 0]
        own = [step["status"], step["rating"], step["k"], reason]
        rated = [own, outcomes, step["games"], step["half_points"], met, step["sum"]]
        return [[row.event_id, start, end, at_start], rated, step["k_used"]]

    def share(self, share, ends):
        end = ends[share["event_id"]].isoformat() if share["event_id"] in ends else share["start"]
        sums = (share["opponents_sum"], share["games"], share["half_points"])
        return [share["event_id"], share["start"], end, *sums, False]

    def before(self, row):
        pool = [[item[:7], *item[7:]] for item in row["pool"]]
        return [row["entry"], pool, row["difference"], row["first"], row["lost"]]

    def reason_before(self, birth_year, k):
        """Return why the list before would have had a K by the right year of birth (D-144)."""
        entry = self.entries.get((self.previous, self.player_id))
        row = next(iter(self.rows.values()), None)
        if entry is None or row is None or self.previous_date is None:
            return ""
        state = PlayerState(None, 0, None, *entry[1:4])
        given = rules_named(row.rules).list_k(state, birth_year=birth_year, on=self.previous_date)
        return given.reason if given == KFactor(k, given.reason) else ""


def some_of(items, size):
    iterator = iter(items)
    while some := list(islice(iterator, size)):
        yield some


def as_text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [
        ("ratings", "0045_keep_results_as_calculated"),
        ("players", "0045_list_cases_from_the_newest"),
        ("tournaments", "0075_handed_reports_are_files"),
    ]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
