from django.db import migrations

from players.migrations._stored_sentences import recogniser, state_texts

FLAGGED = {"flagged": "Results and events flagged by the checks: %(number)d."}


def state_holds(apps, schema_editor):
    # What a person wrote is never searched.
    rows = apps.get_model("tournaments", "Hold").objects.filter(is_from_findings=True)
    state_texts(rows, "reason", recogniser(FLAGGED))


class Migration(migrations.Migration):
    # In batches, each on its own: a second run does the rest.
    atomic = False

    dependencies = [
        ("players", "0034_state_failures_by_code"),
        ("tournaments", "0041_find_lines_by_unknown_ids"),
    ]

    operations = [migrations.RunPython(state_holds, migrations.RunPython.noop)]
