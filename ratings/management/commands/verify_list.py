"""`verify_list rapid 2026-02-01`: compute a published list again and compare the bytes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.core.management.base import CommandParser
from django.db import DatabaseError
from django.utils import timezone

from core.commands import PortalCommand, iso_day
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.runs import note_verification
from ratings.verify.verify import verify_list


class Command(PortalCommand):
    help = "Recalculate a published list and report the first difference."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=ListKind.values, help="rating type of the list")
        parser.add_argument("date", type=iso_day, help="date of the list, for example 2026-02-01")
        parser.add_argument(
            "--public-key", default="", help=("public key in base64, to check the signature too")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = f"{options['kind']} {options['date'].isoformat()}"
        rating_list = RatingList.objects.filter(kind=options["kind"], date=options["date"]).first()
        if rating_list is None:
            reason = f"there is no {name} list"
            self.refuse({"verified": False, "reasons": [reason]}, [reason], options)
        try:
            difference = verify_list(rating_list, public_key=options["public_key"])
        except ValueError as error:
            self.wrong_use(f"--public-key is no Ed25519 key in base64: {error}")
        # Where nothing can be written, a list is verified as well.
        with suppress(DatabaseError):
            note_verification(rating_list, difference, at=timezone.now())
        if difference is not None:
            self.refuse({"verified": False, "reasons": [str(difference)]}, [str(difference)], options)
        self.emit(
            {"verified": True, "reasons": []},
            [(f"{name}: verified, identical to the published files")],
            options,
        )
