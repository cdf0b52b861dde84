"""`reset_second_factor EMAIL --reason "..."`: for the last member of FIDE staff, whom nobody else can help."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, operator_name
from core.errors import RefusedError
from portal.accounts.lost_factor import reset_as_operator
from portal.models import User


class Command(PortalCommand):
    help = "Remove the two-factor authentication of an account as the operator, and email its owner."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", help="email address of the account")
        parser.add_argument("--reason", required=True, help="reason, kept in the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        email, result = options["email"].strip(), {"reset": False}
        user = User.objects.filter(email__iexact=email).first()
        if user is None:
            reasons = [f"no account has the email address {email}"]
            self.refuse({**result, "reasons": reasons}, reasons, options)
        try:
            by_name, at = operator_name(), timezone.now()
            reset_as_operator(user, reason=options["reason"], by_name=by_name, at=at)
        except RefusedError as error:
            self.refuse_as(error, result, options)
        line = f"two-factor authentication of {user.email} removed"
        self.emit({"reset": True, "reasons": []}, [line], options)
