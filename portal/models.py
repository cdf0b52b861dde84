from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _


class EmailUserManager(UserManager["User"]):
    """Creates users identified by their email address."""

    def create_user(  # type: ignore[override]
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Return a new ordinary user; without a password the account cannot sign in."""
        return self._store(email, password, **{"is_staff": False, "is_superuser": False, **fields})

    def create_superuser(  # type: ignore[override]
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Return a new user with every permission."""
        return self._store(email, password, **{"is_staff": True, "is_superuser": True, **fields})

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the user with that email address, in upper or lower case."""
        return self.get(email__iexact=username)

    def _store(self, email: str, password: str | None, **fields: Any) -> User:
        if not email:
            raise ValueError("A user needs an email address.")
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user


class User(AbstractUser):
    """A person who signs in, by e-mail address."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(
        _("Email address"),
        unique=True,
        error_messages={"unique": _("An account with this email address already exists.")},
    )

    session_epoch = models.PositiveIntegerField(
        _("Number of times sessions were ended"),
        default=0,
        editable=False,
        help_text=_("Every change signs the person out."),
    )

    has_daily_digest = models.BooleanField(_("One email a day"), default=False)
    # Empty until the first sign-in.
    language = models.CharField(_("Language"), max_length=10, blank=True, editable=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[EmailUserManager] = EmailUserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        ordering = ["email"]

    def __str__(self) -> str:
        return self.get_full_name() or self.email

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """Return what a session must know: it ends with a new password and with a change of roles."""
        # Django's own hash goes by the password alone.
        known = f"{self.password}|{self.session_epoch}"
        return salted_hmac("portal.models.User.session", known, secret=secret, algorithm="sha256").hexdigest()

    def clean(self) -> None:
        super().clean()
        self.email = self.email.strip().lower()


def save_language(user: User, language: str) -> None:
    """Store the language of an account's emails."""
    User.objects.filter(pk=user.pk).update(language=language)
    user.language = language
