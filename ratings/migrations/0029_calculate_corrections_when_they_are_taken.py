"""Corrections that wait are calculated when a list takes them: what a list took is kept by its calculations."""

from django.db import migrations

RATED = ("listed", "withheld")
ENTRY = (
    "status", "rating", "games", "k_factor", "is_inactive", "completed_games", "reached_2300", "reached_2400",
    "last_played",
)  # fmt: skip


def keep_what_lists_took(apps, schema_editor):
    """Write the positions that lists took into the calculations of the persons, with what they gave."""
    Line = apps.get_model("ratings", "CorrectionLine")
    taken = Line.objects.filter(taken_by__isnull=False, position__isnull=False)
    lists = apps.get_model("ratings", "RatingList").objects.filter(pk__in=taken.values("taken_by"))
    for rating_list in lists.select_related("previous").defer("manifest", "previous__manifest"):
        former, persons = _mergers(apps, rating_list)
        positions = {}
        rows = taken.filter(taken_by=rating_list).order_by("correction", "pk")
        for player_id, position in rows.values_list("player_id", "position"):
            positions[_last(player_id, former)] = position
        for holder, position in positions.items():
            _keep(apps, rating_list, holder, _last(holder, persons), position)


def _mergers(apps, rating_list):
    """Return whose the IDs are that lists before merged, and with those that this list merged."""
    rows = apps.get_model("ratings", "Merger").objects.filter(kind=rating_list.kind, taken_by__isnull=False)
    found = list(rows.order_by("pk").values_list("player_id", "successor_id", "taken_by__date"))
    former = {old: new for old, new, day in found if day < rating_list.date}
    return former, {old: new for old, new, day in found if day <= rating_list.date}


def _last(fide_id, merged):
    while fide_id in merged:
        fide_id = merged[fide_id]
    return fide_id


def _keep(apps, rating_list, holder, person, position):
    Calculation = apps.get_model("ratings", "Calculation")
    calculation = Calculation.objects.filter(rating_list=rating_list, player=person).first()
    if calculation is None:
        return
    entries = apps.get_model("ratings", "ListEntry").objects.filter(rating_list=rating_list.previous_id)
    entry = entries.filter(player=holder).values(*ENTRY).first()
    if entry is not None:
        entry["last_played"] = entry["last_played"].isoformat() if entry["last_played"] else None
    row = before_row(holder, position, entry, is_imported=rating_list.previous.origin == "imported")
    steps = dict(calculation.steps)
    steps["before"] = [*steps.get("before", []), row]
    Calculation.objects.filter(pk=calculation.pk).update(steps=steps)


def before_row(holder, position, entry, *, is_imported):
    """Return what a position made of an entry of the list before, as `ratings.ledger.facts.before_row` writes it."""
    rating = entry["rating"] if entry is not None and entry["status"] in RATED else None
    exact, pool = position["rating"], position["pool"]
    if is_imported:
        exact, pool = (None, pool) if rating is None else (100 * rating, [])
        known = dict(entry or {"completed_games": 0, "reached_2300": False, "reached_2400": False, "last_played": None})
    else:
        known = {
            "completed_games": position["completed"],
            "reached_2300": position["reached_2300"],
            "reached_2400": position["reached_2400"],
            "last_played": position["last_played"],
        }
    nobody = {"status": "unrated", "rating": None, "games": 0, "k_factor": None, "is_inactive": False}
    if rating is not None:
        corrected = entry | known
    elif exact is None and not (known["reached_2300"] or known["reached_2400"]):
        corrected = None
    else:
        corrected = nobody | {name: known[name] for name in ENTRY[5:]}
    first = exact // 100 if rating is None and exact is not None else None
    difference = 0
    if exact is not None:
        difference = exact % 100 if rating is None else exact - 100 * rating
    return {
        "player": holder,
        "entry": None if corrected is None else [corrected[name] for name in ENTRY],
        "pool": pool,
        "difference": difference,
        "first": first,
        "lost": exact is None and rating is not None,
    }


class Migration(migrations.Migration):
    dependencies = [("ratings", "0028_reword_labels")]

    operations = [
        migrations.RunPython(keep_what_lists_took, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="correctionline", name="participant_rating"),
        migrations.RemoveField(model_name="correctionline", name="position"),
    ]
