from django.db import migrations

from core.secrets import decrypt

FIELDS = ("secret", "seed")


def decrypt_secrets(apps, schema_editor):
    """Store the secrets of second factors as the code before this migration reads them."""
    for row in apps.get_model("mfa", "Authenticator").objects.all():
        secrets = {name: decrypt(row.data[name]) for name in FIELDS if name in row.data}
        if secrets:
            row.data |= secrets
            row.save(update_fields=["data"])


class Migration(migrations.Migration):
    """Secrets of second factors are written encrypted from here on, and read in both forms.

    What is stored stays as it is: the code before could not read it while both run. `rotate_secrets` encrypts it.
    """

    dependencies = [
        ("portal", "0002_sessions_end_with_roles"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(migrations.RunPython.noop, decrypt_secrets)]
