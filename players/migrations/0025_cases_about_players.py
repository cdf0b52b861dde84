from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# The state of each kind that has another name now.
RENAMED = {
    "Transfer": {"asked": "waiting", "agreed": "approved"},
    "ChangeRequest": {"granted": "approved"},
    "MergeProposal": {"granted": "approved"},
}


def rename_states(apps: Any, _editor: Any) -> None:
    for name, states in RENAMED.items():
        for before, after in states.items():
            apps.get_model("players", name).objects.filter(state=before).update(state=after)


def rename_back(apps: Any, _editor: Any) -> None:
    for name, states in RENAMED.items():
        for before, after in states.items():
            apps.get_model("players", name).objects.filter(state=after).update(state=before)


def state() -> models.CharField[Any, Any]:
    choices = [
        ("waiting", "waiting for FIDE staff"),
        ("approved", "approved"),
        ("refused", "refused"),
        ("withdrawn", "cancelled"),
    ]
    return models.CharField(choices=choices, default="waiting", max_length=9, verbose_name="state")


def answer() -> models.CharField[Any, Any]:
    return models.CharField(blank=True, max_length=400, verbose_name="answer")


def decided(kind: str) -> models.CheckConstraint:
    is_open = models.Q(("decided_at", None), ("state", "waiting"))
    is_closed = models.Q(models.Q(("state", "waiting"), _negated=True), ("decided_at__isnull", False))
    return models.CheckConstraint(condition=is_open | is_closed, name=f"{kind}_decided_has_its_instant")


KINDS = ("application", "transfer", "changerequest", "mergeproposal")


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("players", "0024_fence_due_work"),
    ]

    operations = [
        migrations.RemoveConstraint("mergeproposal", "a_merge_is_confirmed_by_another_person"),
        migrations.RemoveConstraint("transfer", "one_open_transfer_a_player"),
        migrations.RemoveConstraint("changerequest", "a_change_request_decided_has_its_instant"),
        migrations.RenameField("application", "applied_by", "asked_by"),
        migrations.RenameField("application", "applied_at", "asked_at"),
        migrations.RenameField("application", "reason", "answer"),
        migrations.RenameField("transfer", "reason", "answer"),
        migrations.AddField("mergeproposal", "answer", answer()),
        migrations.AlterField("application", "answer", answer()),
        migrations.AlterField("transfer", "answer", answer()),
        migrations.AlterField("application", "asked_at", models.DateTimeField(verbose_name="requested at")),
        migrations.RunPython(rename_states, rename_back),
        *(migrations.AlterField(kind, "state", state()) for kind in KINDS),
        migrations.AlterModelOptions(
            "application",
            {
                "ordering": ["asked_at", "pk"],
                "verbose_name": "FIDE ID application",
                "verbose_name_plural": "FIDE ID applications",
            },
        ),
        migrations.AddConstraint(
            "mergeproposal",
            models.CheckConstraint(
                condition=models.Q(("state", "approved"), _negated=True)
                | models.Q(
                    ("decided_by__isnull", False),
                    models.Q(("decided_by", models.F("asked_by")), _negated=True),
                ),
                name="a_merge_is_confirmed_by_another_person",
            ),
        ),
        migrations.AddConstraint(
            "transfer",
            models.UniqueConstraint(
                condition=models.Q(("state", "waiting")),
                fields=("player",),
                name="one_open_transfer_a_player",
            ),
        ),
        *(migrations.AddConstraint(kind, decided(kind)) for kind in KINDS),
    ]
