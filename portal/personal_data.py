"""What the portal keeps about a person: handed out whole, and for an account removed without the evidence of its acts.

Every table that refers to an account or a player is found in the models: one that is added later is handed out, too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as AdminEntry
from django.contrib.contenttypes.models import ContentType
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models.functions import Concat
from django.http import HttpResponse
from django.utils.translation import gettext as _

from arenas.models import Member
from core.errors import refused
from players.appointments import end_sessions
from players.choices import Area, CaseState, Deed
from players.claims import remove_claims
from players.models import Appointment, Case, Claim, Invitation, LogEntry, Notice, NoticePreference, Player
from players.models.log import record_act
from players.permissions import is_staff
from portal.models import User
from ratings.models import Follow, Follower
from tournaments.models import Objection
from tournaments.objections import remove_objections
from tournaments.tokens import end_secrets_of

# Secrets, and data that belong to no person, or to two.
SECRETS = {"password", "digest", "token_sha256", "data", "session_epoch", "session_key", "differences"}
# Fields that name a player in what is about somebody else: the applicant is only like the player.
OF_ANOTHER = {"likeness"}
# Only the followers themselves may see whom they follow.
NOT_OF_A_PERSON = {"players.NameWord", "account.EmailConfirmation", "ratings.Follow"}
# Texts of an account about the player whom it claims to be.
BY_ACCOUNTS = (Claim, Objection)
Row = dict[str, Any]


def data_of_account(user: User) -> Row:
    """Return what is kept about an account: its own rows whole, and of each act what, where and when.

    What somebody decided about others is not theirs to take along, nor are secrets.
    """
    return {
        "account": _values(user),
        "own": _tables(user, is_own=True),
        "acts": _tables(user, is_own=False),
        "invitations": [_values(row) for row in Invitation.objects.filter(email__iexact=user.email)],
        "audit_log": [
            _values(row)
            for row in LogEntry.objects.filter(models.Q(subject__iexact=user.email) | models.Q(account=user))
        ],
        "mails": [_values(row) for row in Notice.objects.filter(recipient__iexact=user.email)],
        "follows": [_values(row) for row in Follow.objects.filter(follower__address__iexact=user.email)],
    }


def data_of_player(player: Player) -> Row:
    """Return what is kept about a player, with the history of changes, and about their memberships in arenas."""
    members = Member.objects.filter(player=player)
    return {
        "player": _values(player),
        "history": [
            {"at": row.at, "action": row.action, "changes": row.changes}
            for row in player.log_entries.filter(action__in=(Deed.ADDED, Deed.EDITED)).order_by("pk")
        ],
        "tables": _tables(player, is_own=True, whole=True, claimant=_claimant(player)),
        "arenas": [
            {"member": _values(row), "tables": _tables(row, is_own=True, whole=True)} for row in members
        ],
    }


def _claimant(player: Player) -> int:
    """Return the number of the account that is confirmed to be the player's, 0 without one."""
    claims = Claim.objects.filter(player=player, state=CaseState.APPROVED)
    return claims.values_list("asked_by_id", flat=True).first() or 0


def data_file(data: dict[str, Any]) -> HttpResponse:
    """Return personal data as a download."""
    headers = {"Content-Disposition": 'attachment; filename="personal-data.json"'}
    content = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    return HttpResponse(content, content_type="application/json", headers=headers)


def _tables(
    subject: models.Model, *, is_own: bool, whole: bool = False, claimant: int = 0
) -> dict[str, list[Row]]:
    """Return the rows that refer to a user, by table and field: rows that end with the account, or its actions.

    With `whole` every reference counts as the user's own. What accounts wrote about a player belongs to the account;
    only `claimant` is the player.
    """
    found: dict[str, list[Row]] = {}
    # Hidden are the relations that have no way back (`related_name="+"`).
    for relation in subject._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ForeignObjectRel) or relation.many_to_many:
            continue
        model, name = relation.related_model, relation.field.name
        if isinstance(model, str) or model._meta.label in NOT_OF_A_PERSON or name in OF_ANOTHER:
            continue
        # What others did about a player names them; the changes are in the history. Of an account the log is beside.
        if model is LogEntry and (whole or name != "by"):
            continue
        # Cases by their kinds, each with its own columns.
        for table in Case.__subclasses__() if model is Case else [model]:
            is_written = table in BY_ACCOUNTS and name == "asked_by"
            owned = whole or is_written or relation.on_delete is models.CASCADE
            if owned != is_own:
                continue
            # The default manager of a model may leave rows out.
            rows = table._base_manager.filter(**{name: subject}).order_by("pk")
            if issubclass(table, Case) and table._meta.proxy:
                # A kind without columns of its own is of the table of all.
                rows = rows.filter(kind=table.KIND)
            if whole and table in BY_ACCOUNTS:
                rows = rows.filter(asked_by=claimant)
            shown = [_values(row) if owned else _act(row) for row in rows.iterator(chunk_size=1000)]
            if shown:
                found[f"{table._meta.label}.{name}"] = shown
    return found


def _values(row: models.Model) -> Row:
    """Return the fields of a row with data of the person: no secrets, no other people, no files."""
    return dict(_field_values(row))


def _field_values(row: models.Model) -> Iterator[tuple[str, Any]]:
    for field in row._meta.concrete_fields:
        is_person = field.related_model is User
        if field.name not in SECRETS and not is_person and not isinstance(field, models.BinaryField):
            yield field.name, getattr(row, field.attname)


def _act(row: models.Model) -> Row:
    """Return which row it was, and its instants."""
    times = (field for field in row._meta.concrete_fields if isinstance(field, models.DateTimeField))
    return {"id": row.pk} | {field.name: getattr(row, field.attname) for field in times}


def remove_account(user: User, *, reason: str, by: Any, at: datetime) -> None:
    """Remove an account with its roles, secrets, name and address. Its actions remain under its number.

    The rows of the audit log and its chain do not change. `RefusedError` without a reason, for one's own account,
    and for another of FIDE staff unless a superuser does it.
    """
    if by is not None and (not is_staff(by) or by.pk == user.pk):
        raise refused("not-yours", _("Only FIDE staff can remove accounts, and not their own."))
    if by is not None and (user.is_staff or user.is_superuser) and not by.is_superuser:
        raise refused("staff-account", _("Only a superuser can remove the accounts of FIDE staff."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter the reason. It is kept in the audit log."), "reason")
    with transaction.atomic():
        held = User.objects.select_for_update().get(pk=user.pk)
        own: Iterable[models.QuerySet[Any]] = (
            Authenticator.objects.filter(user=held),
            EmailAddress.objects.filter(user=held),
            NoticePreference.objects.filter(user=held),
            UserSession.objects.filter(user=held),
        )
        for appointment in Appointment.objects.filter(user=held):
            appointment.delete(by=by, at=at)
        for rows in own:
            rows.delete()
        remove_claims(held, by=by, at=at)
        remove_objections(held)
        end_secrets_of(held, at=at)
        end_sessions(held)
        _anonymize_texts(held)
        record_act(Area.ACCOUNT, Deed.REMOVE, _placeholder(held), by=by, at=at, reason=reason)


def _placeholder(user: User) -> str:
    # No mail can go there: `.invalid` is reserved (RFC 2606).
    return f"removed-{user.pk}@removed.invalid"


def _anonymize_texts(user: User) -> None:
    """Put a number in the place of name and address, wherever they are no evidence."""
    address, name = user.email, _placeholder(user)
    Invitation.objects.filter(email__iexact=address, accepted_at=None, revoked_at=None).delete()
    Invitation.objects.filter(email__iexact=address).update(email=name)
    # A mail is not sent twice: the key stays. Two addresses in other letters may have had the same one.
    Follower.objects.filter(address__iexact=address).delete()
    mails = Notice.objects.filter(models.Q(recipient__iexact=address) | models.Q(user=user))
    mails.filter(sent_at=None).delete()
    mails.update(recipient=Concat(models.Value("removed-"), models.F("pk"), models.Value("@removed.invalid"),
                                  output_field=models.EmailField()), text="", subject="")  # fmt: skip
    kind = ContentType.objects.get_for_model(User)
    AdminEntry.objects.filter(content_type=kind, object_id=str(user.pk)).update(object_repr=name)
    user.set_unusable_password()
    nothing = {
        "first_name": "",
        "last_name": "",
        "language": "",
        "is_active": False,
        "is_staff": False,
        "is_superuser": False,
    }
    # Not by `save`: what follows from a change would write the address into the audit log and mail it.
    User.objects.filter(pk=user.pk).update(email=name, password=user.password, last_login=None, **nothing)
