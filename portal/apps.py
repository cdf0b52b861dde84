from __future__ import annotations

from typing import Any

from django import forms
from django.apps import AppConfig, apps
from django.conf import settings
from django.core import validators
from django.utils.translation import get_language, ngettext_lazy
from django.utils.translation import gettext_lazy as _

# The labels of relations in the admin, by the name of the field: models name only their other fields.
RELATIONS = {
    "user": _("User"), "by": _("User"), "federation": _("Federation"), "player": _("Player"), "arena": _("Arena"),
    "tournament": _("Tournament"), "report": _("Report"), "rating_list": _("Rating list"), "white": _("White"),
    "black": _("Black"), "asked_by": _("Requested by"), "decided_by": _("Decided by"), "recorded_by": _("Recorded by"),
    "registered_by": _("Registered by"), "submitted_by": _("Submitted by"), "checked_by": _("Checked by"),
    "handed_by": _("Sent by"), "issued_by": _("Issued by"), "merged_into": _("Merged into"),
    "corrected_from": _("Corrected version"), "participant_rating": _("Calculation"),
    "added_by": _("Added by the list"), "closed_by": _("Ended by the list"), "basis": _("List in effect"),
    "standard_basis": _("Standard list in effect"),
    "included_in": _("Included in"), "taken_by": _("Included in"), "corrected_list": _("Corrected list"),
    "old_report": _("Former report"), "new_report": _("New report"),
    "previous": _("Previous list"), "rate": _("Fee rate"), "statement": _("Fee statement"),
}  # fmt: skip
_add_error = forms.BaseForm.add_error
OWN_APPS = ("players", "tournaments", "ratings", "arenas")


class PortalConfig(AppConfig):
    name = "portal"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Portal")

    def ready(self) -> None:
        """Register the system checks, bind task ids to the log and follow changes of accounts."""
        from portal import checks, receivers  # noqa: F401
        from portal.celery import follow_tasks
        from portal.telemetry import start_reports

        _label_relations()
        _reword_messages()
        checks.register_all()
        follow_tasks()
        start_reports(settings.ENVIRONMENT)


def _label_relations() -> None:
    """Label relations that have no label of their own. Not in the models, so that no migration is needed."""
    for model in (model for name in OWN_APPS for model in apps.get_app_config(name).get_models()):
        for field in model._meta.concrete_fields:
            # Django fills `verbose_name` in from the field's name: only `_verbose_name` says whether the model gave
            # one.
            if field.is_relation and getattr(field, "_verbose_name", "") is None and field.name in RELATIONS:
                field.verbose_name = RELATIONS[field.name]


def _add_named_error(form: forms.BaseForm, field: str | None, error: Any) -> None:
    """Add an error as Django does; that of an empty field names it, inside the sentence in English."""
    if field and getattr(error, "code", "") == "required":
        label = str(form[field].label)
        is_word = get_language() == "en" and not label.partition(" ")[0].isupper()
        error.params = {"field": label[:1].lower() + label[1:] if is_word else label}
    _add_error(form, field, error)


def _reword_messages() -> None:
    """Say in forms of Django and allauth what to enter, in the words of the portal."""
    from allauth.account.adapter import DefaultAccountAdapter
    from allauth.account.fields import PasswordField
    from allauth.mfa.adapter import DefaultMFAAdapter

    forms.BaseForm.add_error = _add_named_error  # type: ignore[assignment]
    forms.Field.default_error_messages["required"] = _("Enter the %(field)s.")
    for choice in (forms.ChoiceField, forms.ModelChoiceField):
        choice.default_error_messages["required"] = _("Select the %(field)s.")
    forms.FileField.default_error_messages["required"] = _("Select a file.")
    # These have none of their own: a change to what they inherit would reach every field.
    forms.BooleanField.default_error_messages = {"required": _("Select the box.")}
    forms.EmailField.default_error_messages = {"required": _("Enter an email address.")}
    PasswordField.default_error_messages = {"required": _("Enter a password.")}
    validators.MinValueValidator.message = _("Enter %(limit_value)s or more.")
    validators.MaxValueValidator.message = _("Enter at most %(limit_value)s.")
    validators.MaxLengthValidator.message = ngettext_lazy(
        "Enter at most %(limit_value)d character. You entered %(show_value)d.",
        "Enter at most %(limit_value)d characters. You entered %(show_value)d.",
        "limit_value",
    )
    code = _("The code is wrong or has expired. Enter the newest code.")
    DefaultMFAAdapter.error_messages["incorrect_code"] = code
    DefaultAccountAdapter.error_messages |= {
        "email_password_mismatch": _(
            "No account has this email address and password. Check both, or choose a new password."
        ),
        "email_taken": _("Another account already uses this address."),
        "enter_current_password": _("The current password is wrong. Enter it again."),
        "incorrect_code": code,
        "incorrect_password": _("The password is wrong. Enter it again."),
        "rate_limited": _("Too many attempts. Try again later."),
        "too_many_login_attempts": _("Too many failed sign-ins. Try again later."),
    }
