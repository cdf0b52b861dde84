"""`/arbiters`: arbiters with their title and licence. Their tournaments are at `/tournaments?arbiter=`."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.reverse import reverse

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import AddressField
from api.paging import PageParameters, keyset_page
from api.schema import federation_parameter, operation, page_of
from core.html.paging import Keyset
from players.arbiters import ON_THE_LIST, Arbiter, arbiter_of
from players.choices import ArbiterTitle
from players.models import Player
from players.names import find_ids
from tournaments.arbiters import directed_by

BY_FIDE_ID = Keyset(("fide_id",))


class ArbiterParameters(PageParameters):
    """The arbiters to find: `q` or `federation`."""

    q = serializers.CharField(required=False, max_length=100, help_text="Words of the name, or a FIDE ID.")
    federation = federation_parameter(help_text="Arbiters of this federation.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not {"q", "federation"} & attrs.keys():
            raise serializers.ValidationError({"q": "Send `q` or `federation`."})
        return attrs


class ArbiterSerializer(serializers.Serializer[Arbiter]):
    """An arbiter. Title, category and licence are empty or null if unknown."""

    fide_id = serializers.IntegerField()
    name = serializers.CharField(source="player.name")
    federation = serializers.CharField(source="player.federation_id")
    title = serializers.ChoiceField(ArbiterTitle.choices, allow_blank=True)
    category = serializers.CharField()
    licensed_until = serializers.DateField(allow_null=True)
    url = AddressField("api:arbiter", lambda row, context: {"fide_id": row.fide_id})
    tournaments_url = serializers.SerializerMethodField(
        help_text="URL of the tournaments as chief arbiter or deputy."
    )

    def get_tournaments_url(self, row: Arbiter) -> str:
        return f"{reverse('api:tournaments', request=self.context['request'])}?arbiter={row.fide_id}"


class ArbitersView(ResourceView):
    scope = PUBLIC
    Parameters = ArbiterParameters

    @operation("arbiters", summary="Arbiters by name or federation", responses=page_of(ArbiterSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of the arbiters of a name or federation, by FIDE ID."""
        players = Player.objects.filter(ON_THE_LIST, merged_into=None).select_related("arbiter_licence")
        if "q" in self.query:
            ids, is_cut = find_ids(self.query["q"])
            if is_cut:
                raise serializers.ValidationError({"q": "Too many players have these words. Add a word."})
            players = players.filter(pk__in=ids)
        if "federation" in self.query:
            players = players.filter(federation=self.query["federation"])
        serialize = self.serialize(ArbiterSerializer)
        return self.answer_made(
            keyset_page(
                self, BY_FIDE_ID, players, lambda found, **many: serialize(map(arbiter_of, found), **many)
            )
        )


class ArbiterView(ResourceView):
    scope = PUBLIC

    @operation("arbiter", summary="One arbiter", responses=ArbiterSerializer)
    def get(self, request: Request, fide_id: int) -> HttpResponseBase:
        """Return an arbiter with title and licence."""
        players = Player.objects.select_related("arbiter_licence").filter(pk=fide_id, merged_into=None)
        found = players.filter(
            ON_THE_LIST | Q(pk__in=directed_by(fide_id).values("arbiters__player"))
        ).first()
        if found is None:
            raise NotFoundError(f"No arbiter has FIDE ID {fide_id}.")
        return self.answer_body(self.serialize(ArbiterSerializer)(arbiter_of(found)).data)
