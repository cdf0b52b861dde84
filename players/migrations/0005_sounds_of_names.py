"""How the words of names sound; filled from the words that are there, in batches."""

from typing import Any

from django.db import migrations, models

import core.models
from core.bulk import batched
from players.spelling import sound_of

BATCH = 5_000


def fill(apps: Any, schema_editor: Any) -> None:
    words = apps.get_model("players", "NameWord").objects.order_by("word").values_list("word", flat=True)
    sounds = apps.get_model("players", "NameSound").objects
    for batch in batched(words.distinct().iterator(chunk_size=BATCH), BATCH):
        sounds.bulk_create([sounds.model(word=word, sound=sound_of(word)) for word in batch])


class Migration(migrations.Migration):
    dependencies = [("players", "0004_notices")]

    operations = [
        migrations.CreateModel(
            name="NameSound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("word", core.models.CodePointCharField(max_length=60)),
                ("sound", core.models.CodePointCharField(max_length=12)),
            ],
            options={
                "indexes": [models.Index(fields=["sound", "word"], name="words_by_sound")],
                "constraints": [models.UniqueConstraint(fields=("word",), name="one_sound_a_word")],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
