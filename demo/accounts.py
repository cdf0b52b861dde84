"""The people who work with the portal in the demonstration: one account for each role."""

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
# Without letters and digits that look like others.
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True)
class Post:
    """Somebody's role: the local part of their address, their name, and for which federation."""

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
    """An account that was made, with the password that is told once."""

    email: str
    password: str
    role: Role
    federation: str
    user: Any

    @property
    def title(self) -> str:
        """What the person is: `rating officer (LUX)`."""
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
    """Make an account for each post, with a random password of its own, ready to sign in."""
    accounts = [_account(post) for post in POSTS]
    for post in POSTS:
        if post.role == Role.OFFICER:
            details = f"{post.email}, weekdays 14 to 18 h"
            Federation.objects.filter(pk=post.federation).update(
                officer_name=f"{post.first_name} {post.last_name}", officer_details=details
            )
    return accounts


def accounts_table(accounts: Sequence[Account]) -> list[str]:
    """Return the lines that show the accounts with their passwords, which nothing keeps."""
    rows = [("Email", "Password", "Role"), *((item.email, item.password, item.title) for item in accounts)]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [
        *(f"  {email:<{first}}  {password:<{second}}  {role}" for email, password, role in rows),
        "",
        "  The passwords are shown only now. To set a new one: manage.py changepassword EMAIL",
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
