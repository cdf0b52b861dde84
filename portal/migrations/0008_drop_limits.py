from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("portal", "0007_limits_of_sign_in")]

    operations = [migrations.DeleteModel(name="Limit")]
