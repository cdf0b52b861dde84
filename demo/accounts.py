"""User accounts of the demonstration, one for each role."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model

from demo.people import HOME
from players.choices import Role
from players.models import Appointment, Federation

OTHER = "SUI"
DOMAIN = "demo.example"
# Without letters and digits that look alike.
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Post:
    """A user's role: local part of the email address, name, role and federation."""

    local_part: str
    first_name: str
    last_name: str
    role: Role
    federation: str = ""

    @property
    def email(self) -> str:
        return f"{self.local_part}@{DOMAIN}"


@dataclass(frozen=True, slots=True)
class Account:
    """A created account, with the password that is shown once."""

    email: str
    password: str
    role: Role
    federation: str
    user: Any

    @property
    def title(self) -> str:
        """The role with the federation: `rating officer (LUX)`."""
        return f"{self.role.label} ({self.federation})" if self.federation else str(self.role.label)


POSTS = (
    Post("officer", "Viviane", "Wëllenstein", Role.OFFICER, HOME),
    Post("deputy", "Fränk", "Thillmany", Role.DEPUTY, HOME),
    Post("arbiter", "Mariette", "Feltgenhauer", Role.ARBITER, HOME),
    Post("officer.sui", "Rahel", "Schönwälder", Role.OFFICER, OTHER),
    Post("qc", "Ólafía", "Sæmundardal", Role.QC_CHAIR),
    Post("staff", "Duarte", "Vilarinhão", Role.STAFF),
    Post("council", "Črtomir", "Hruškovar", Role.COUNCIL),
    Post("auditor", "Bodil", "Skovmølle", Role.AUDITOR),
)


def make_accounts() -> list[Account]:
    """Create an account for each post, verified, with a random password."""
    accounts = [_account(post) for post in POSTS]
    for post in POSTS:
        if post.role == Role.OFFICER:
            details = f"{post.email}, weekdays 14 to 18 h"
            Federation.objects.filter(pk=post.federation).update(
                officer_name=f"{post.first_name} {post.last_name}", officer_details=details
            )
    return accounts


def accounts_table(accounts: Sequence[Account]) -> list[str]:
    """Return the lines of a table of accounts and passwords. The passwords are not stored in plain text."""
    rows = [("Email", "Password", "Role"), *((item.email, item.password, item.title) for item in accounts)]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [
        *(f"  {email:<{first}}  {password:<{second}}  {role}" for email, password, role in rows),
        "",
        "  The passwords are shown only now. To set a new one: rating-portal changepassword EMAIL",
    ]


def _account(post: Post) -> Account:
    password = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
    is_staff = post.role == Role.STAFF
    user = get_user_model().objects.create_user(
        email=post.email,
        password=password,
        first_name=post.first_name,
        last_name=post.last_name,
        is_staff=is_staff,
        is_superuser=is_staff,
    )
    EmailAddress.objects.create(user=user, email=post.email, verified=True, primary=True)
    Appointment.objects.create(user=user, role=post.role, federation_id=post.federation or None)
    return Account(post.email, password, post.role, post.federation, user)
