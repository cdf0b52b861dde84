"""Drop the tables of the former log where there was none; elsewhere the release before may read them."""

from django.db import migrations

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


def drop(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"SELECT COUNT(*) FROM {table}" for table in FORMER))
        is_empty = not any(count for (count,) in cursor.fetchall())
        for table in FORMER:
            if is_empty:
                cursor.execute(f"DROP TABLE {table}")
            elif connection.vendor == "postgresql":
                # Tables that are emptied must not be named by one that the portal no longer knows.
                for name, found in connection.introspection.get_constraints(cursor, table).items():
                    if found["foreign_key"]:
                        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')


class Migration(migrations.Migration):

    dependencies = [
        ("ratings", "0040_move_the_log"),
        ("players", "0036_forget_the_former_log"),
        ("tournaments", "0043_forget_the_former_log"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="HistoricalFeeRate")],
        ),
        migrations.RunPython(drop, migrations.RunPython.noop),
    ]
