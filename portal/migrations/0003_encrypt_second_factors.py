from django.db import migrations

from core.secrets import ENCRYPTED, encrypt

FIELDS = ("secret", "seed")


def encrypt_secrets(apps, schema_editor):
    """Encrypt the secrets of second factors that were stored as they are."""
    for row in apps.get_model("mfa", "Authenticator").objects.all():
        plain = [name for name in FIELDS if not row.data.get(name, ENCRYPTED).startswith(ENCRYPTED)]
        if plain:
            row.data |= {name: encrypt(row.data[name]) for name in plain}
            row.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("portal", "0002_sessions_end_with_roles"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(encrypt_secrets, migrations.RunPython.noop, elidable=True)]
