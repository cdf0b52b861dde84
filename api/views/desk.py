"""Registering tournaments and submitting reports by programs, as officers do at the desk."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView
from api.errors import NotFoundError
from api.officers import ObjectParser, OfficerView, as_refusal, bearer_of, tournament_of
from api.parsers import ReportBytesParser, ReportFormParser, ReportParser
from api.schema import listed
from api.serializers.desk import (
    NAMES,
    AcceptanceSerializer,
    PreviewSerializer,
    ProgressSerializer,
    RegistrationSerializer,
    ReportDetailSerializer,
    ReportSerializer,
)
from api.serializers.tournaments import TournamentSerializer
from api.views.reports import BODY, report_in
from ratings.services.preview import preview_as_json, preview_report
from tournaments import regulations
from tournaments.choices import Verb
from tournaments.errors import RefusedError
from tournaments.models import OfficerToken, Report, Tournament
from tournaments.queries.lookups import Lookups
from tournaments.queries.report_versions import versions_of
from tournaments.queries.steps import next_step
from tournaments.registration_form import RegistrationForm
from tournaments.services.checking import check_contents
from tournaments.services.registration import RegistrationRequest, register_tournament, same_registration
from tournaments.services.reports import accept_report, upload_report
from tournaments.trf import read_report

AUTH: Any = [{"officerToken": []}]
REGISTRATION = {
    "name": "Spring Rapid",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-07",
    "end": "2026-03-08",
    "city": "Alphaville",
    "chief_arbiter": "Arbiter, Anna",
    "schedule": [{"day": "2026-03-07", "rounds": 5}, {"day": "2026-03-08", "rounds": 4}],
}


def register(view: PublicView, request: Request) -> HttpResponseBase:
    """Register the tournament of a body; the same registration again answers with the one that is there."""
    now = timezone.now()
    token = bearer_of(request, Verb.REGISTER, at=now)
    wanted = _wanted(request, token)
    serializer = view.serialize(TournamentSerializer)
    try:
        made = register_tournament(wanted, by=token.user, on=now.date(), at=now)
    except RefusedError as error:
        again = same_registration(wanted, by=token.user)
        if again is None:
            raise as_refusal(error, NAMES) from error
        return Response(serializer(again).data)
    return Response(serializer(made).data, status=201)


def _wanted(request: Request, token: OfficerToken) -> RegistrationRequest:
    body = RegistrationSerializer(data=request.data)
    body.is_valid(raise_exception=True)
    data = {**body.form_data(), "federation": body.validated_data.get("federation", token.federation_id)}
    if data["federation"] != token.federation_id:
        raise ValidationError({"federation": f"The token is for {token.federation_id}."})
    form = RegistrationForm(data, user=token.user)
    if not form.is_valid():
        raise ValidationError(
            {NAMES.get(name, name): list(map(str, texts)) for name, texts in form.errors.items()}
        )
    return form.request()


class ProgressView(OfficerView):
    @extend_schema(
        operation_id="tournament_progress",
        tags=["desk"],
        summary="Where a tournament stands: the next step, by whom and until when",
        responses=ProgressSerializer,
        auth=AUTH,
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return the next step of one of the federation's tournaments. The token needs `read`."""
        self.parameters(request)
        now = timezone.now()
        tournament = tournament_of(bearer_of(request, Verb.READ, at=now), event_id)
        step = next_step(tournament, versions_of(tournament), today=now.date())
        body = {
            "tournament": tournament,
            "step": step.code,
            "what": step.what,
            "owner": str(step.owner),
            "until": step.until,
            "due_list": regulations.due_list(tournament.end),
            "last_day": regulations.third_list(tournament.end),
        }
        return Response(self.serialize(ProgressSerializer)(body).data)


class ReportsView(OfficerView):
    parser_classes = [ReportParser, ReportBytesParser, ReportFormParser]

    @extend_schema(
        operation_id="reports",
        tags=["desk"],
        summary="The versions of a tournament's report, the oldest first",
        responses=listed(ReportSerializer),
        auth=AUTH,
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return every version that was ever submitted. The token needs `read`."""
        self.parameters(request)
        tournament = tournament_of(bearer_of(request, Verb.READ, at=timezone.now()), event_id)
        return Response({"results": ReportSerializer(versions_of(tournament), many=True).data})

    @extend_schema(
        operation_id="submit_report",
        tags=["desk"],
        summary="Submit a report: it is kept and checked, and counts once it is accepted",
        parameters=[],
        request=BODY,
        responses={200: ReportDetailSerializer, 201: ReportDetailSerializer},
        auth=AUTH,
    )
    def post(self, request: Request, event_id: str) -> HttpResponseBase:
        """Keep a report (the body, or the form's `file`) as the next version, with its findings.

        The same bytes again answer with the version that is there. The token needs `submit`.
        """
        self.parameters(request)
        now = timezone.now()
        token = bearer_of(request, Verb.SUBMIT, at=now)
        tournament = tournament_of(token, event_id)
        name, content = report_in(request.data)
        try:
            report = upload_report(tournament, content, file_name=name, by=token.user, on=now.date(), at=now)
        except RefusedError as error:
            raise as_refusal(error) from error
        is_new = report.submitted_at == now
        return Response(ReportDetailSerializer(report).data, status=201 if is_new else 200)


class ReportView(OfficerView):
    @extend_schema(
        operation_id="report",
        tags=["desk"],
        summary="One version of a report with its findings",
        responses=ReportDetailSerializer,
        auth=AUTH,
    )
    def get(self, request: Request, event_id: str, version: int) -> HttpResponseBase:
        """Return the state and the findings of a version. The token needs `read`."""
        self.parameters(request)
        tournament = tournament_of(bearer_of(request, Verb.READ, at=timezone.now()), event_id)
        return Response(ReportDetailSerializer(_version(tournament, version)).data)


class AcceptanceView(OfficerView):
    parser_classes = [ObjectParser]

    @extend_schema(
        operation_id="accept_report",
        tags=["desk"],
        summary="Accept a version: it is rated for the next list that can take it",
        parameters=[],
        request=AcceptanceSerializer,
        responses=ReportDetailSerializer,
        auth=AUTH,
        examples=[
            OpenApiExample(
                "warnings acknowledged",
                value={"acknowledgement": "Checked with the chief arbiter."},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, event_id: str, version: int) -> HttpResponseBase:
        """Accept a checked version; accepting twice changes nothing. The token needs `submit`."""
        self.parameters(request)
        now = timezone.now()
        token = bearer_of(request, Verb.SUBMIT, at=now)
        report = _version(tournament_of(token, event_id), version)
        body = AcceptanceSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        try:
            accepted = accept_report(
                report,
                acknowledgement=body.validated_data["acknowledgement"],
                by=token.user,
                on=now.date(),
                at=now,
            )
        except RefusedError as error:
            raise as_refusal(error) from error
        return Response(ReportDetailSerializer(accepted).data)


class PreviewView(OfficerView):
    @extend_schema(
        operation_id="preview_report",
        tags=["desk"],
        summary="What a version would do to the ratings if it were accepted today",
        responses=PreviewSerializer,
        auth=AUTH,
    )
    def get(self, request: Request, event_id: str, version: int) -> HttpResponseBase:
        """Return every player's would-be change; nothing is written. The token needs `read`."""
        self.parameters(request)
        now = timezone.now()
        tournament = tournament_of(bearer_of(request, Verb.READ, at=now), event_id)
        report = _version(tournament, version)
        trf, lookups = read_report(bytes(report.content)), Lookups()
        checked = check_contents(trf, tournament, on=report.submitted_on, lookups=lookups)
        if checked.errors or not checked.report.players:
            raise ValidationError({"version": "This version has errors, so nothing can be rated."})
        return Response(preview_as_json(preview_report(checked, tournament, on=now.date(), lookups=lookups)))


def _version(tournament: Tournament, version: int) -> Report:
    report = tournament.reports.defer("pgn").filter(version=version).first() if version < 2**15 else None
    if report is None:
        raise NotFoundError("The tournament has no such version of a report.")
    return report
