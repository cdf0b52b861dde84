from django.db import migrations

from players.migrations._stored_sentences import recogniser, state_texts

SENTENCES = {
    "webhook-removed": "The webhook was removed.",
    "sender-stopped": "The worker stopped while sending.",
    "email-uncertain": ("The worker stopped while sending. The email may or may not have been sent."),
    "secret-unreadable": "The secret cannot be decrypted. Create the webhook again.",
    "server-answered": "The server answered %(status)d.",
    "address-length": "Enter an https address of at most %(number)d characters.",
    "address-invalid": "Enter a valid https address.",
    "address-parts": ("Enter an address that starts with https://, without a user name and without “#”."),
    "address-port": "Enter an address with port 443, or a port from 1024.",
    "address-path": "Encode special characters in the path of the address.",
    "not-public": "The address is not that of a public server.",
    "too-slow": "The server did not answer in time.",
    "certificate": "The certificate of the server is not valid: %(reason)s",
    "no-connection": "The connection failed: %(reason)s",
    "not-http": "The server did not answer with HTTP.",
}


def state_failures(apps, schema_editor):
    for name in ("Delivery", "Notice"):
        state_texts(apps.get_model("players", name).objects.all(), "failure", recogniser(SENTENCES))


class Migration(migrations.Migration):
    # In batches, each on its own: a second run does the rest.
    atomic = False

    dependencies = [("players", "0033_keep_what_the_portal_states_of_failures")]

    operations = [migrations.RunPython(state_failures, migrations.RunPython.noop)]
