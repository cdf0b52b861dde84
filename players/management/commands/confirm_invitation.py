"""`confirm_invitation EMAIL ROLE`: the second person for an invitation, where the portal has one member of staff."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from core.commands import PortalCommand, operator_name
from core.errors import RefusedError
from players.choices import CONFIRMED_ROLES
from players.invitations import confirm_invitation, mail_invitation
from players.models import Invitation


class Command(PortalCommand):
    help = "Confirm an invitation to a FIDE role as the operator and email its link."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("email", help="email address of the invited person")
        parser.add_argument("role", choices=[role.value for role in CONFIRMED_ROLES], help="role to confirm")

    def handle(self, *args: Any, **options: Any) -> None:
        email, at = options["email"].strip().lower(), timezone.now()
        waiting = Invitation.objects.unanswered_at(at).filter(email=email, role=options["role"])
        invitation = waiting.filter(confirmed_at=None).first()
        if invitation is None:
            reasons = [f"no invitation of {email} as {options['role']} waits for a confirmation"]
            self.refuse({"confirmed": False, "reasons": reasons}, reasons, options)
        try:
            with transaction.atomic():
                token = confirm_invitation(invitation, by=None, at=at, by_name=operator_name())
                mail_invitation(invitation, token, at=at)
        except RefusedError as error:
            self.refuse_as(error, {"confirmed": False}, options)
        self.emit({"confirmed": True, "reasons": []}, [f"invitation emailed to {email}"], options)
