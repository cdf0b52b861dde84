"""`/reports/check` and `/tournaments/{event_id}/reports`: check, submit, accept and preview reports."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import FOLLOW, PUBLIC, SUBMIT
from api.base import ResourceView
from api.errors import NotFoundError, TooLargeError
from api.media_types import ObjectParser, ReportBytesParser, ReportFormParser, ReportParser
from api.registrations import KnownMembersSerializer
from api.schema import list_of, operation
from api.tournaments import reported_tournament_or_404
from core.errors import RefusedError
from core.web.heavy_work import heavy_work
from ratings.preview import preview_as_json, preview_report
from tournaments.checking import check_contents
from tournaments.choices import LineAnswer, ReportState
from tournaments.drafts import line_items
from tournaments.lookups import Lookups
from tournaments.management.commands.check_trf import CheckedFile
from tournaments.models import Report, Tournament
from tournaments.report_barriers import acknowledgement_of, standing_errors
from tournaments.reports import accept_report, check_again, versions_of
from tournaments.trf import Severity, check_report, read_report
from tournaments.trf.findings import english_text
from tournaments.trf.limits import MAX_BYTES
from tournaments.uploaded_files import as_trf, keep_file, require_trf

NO_REPORT = "Report missing. Send it as the body, or as a file in this form field."
# Described as a form only: client generators fail on an operation with several types of bodies.
REPORT_BODY: dict[str, Any] = {
    "multipart/form-data": {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary"}},
        "required": ["file"],
    },
}


class FindingSerializer(serializers.Serializer[Any]):
    """One issue of a report."""

    code = serializers.CharField()
    severity = serializers.ChoiceField([item.value for item in Severity])
    line = serializers.IntegerField(allow_null=True, help_text="Starts at 1. Null for the whole file.")
    column = serializers.IntegerField(allow_null=True, help_text="Starts at 1. Null for the whole line.")
    message = serializers.CharField()
    fix = serializers.CharField(allow_null=True, help_text="Corrected line, if the correction is certain.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Say in English what is stored as a code with its values."""
        return super().to_representation({**instance, "message": english_text(instance)})


class CheckedFileSerializer(serializers.Serializer[Any]):
    """A checked report, in the format of `check_trf --json`."""

    file = serializers.CharField()
    players = serializers.IntegerField(help_text="Number of player records.")
    games = serializers.IntegerField(help_text="Games that would be rated.")
    findings = FindingSerializer(many=True)


class ReportSerializer(serializers.ModelSerializer[Report]):
    """A version of a report. It is stored permanently."""

    version = serializers.IntegerField()
    state = serializers.ChoiceField(ReportState.choices)
    error_count = serializers.SerializerMethodField(help_text="Issues that block acceptance.")
    warning_count = serializers.SerializerMethodField(
        help_text="Issues that must be acknowledged with a reason."
    )

    class Meta:
        model = Report
        fields = [
            "version",
            "state",
            "file_name",
            "sha256",
            "submitted_at",
            "accepted_on",
            "acknowledgement",
            "error_count",
            "warning_count",
        ]

    def get_error_count(self, report: Report) -> int:
        return sum(item["severity"] == Severity.ERROR for item in report.findings)

    def get_warning_count(self, report: Report) -> int:
        return sum(item["severity"] == Severity.WARNING for item in report.findings)


class ReportDetailSerializer(ReportSerializer):
    findings = FindingSerializer(many=True)

    class Meta(ReportSerializer.Meta):
        fields = [*ReportSerializer.Meta.fields, "findings"]


class AcceptanceSerializer(KnownMembersSerializer):
    acknowledgement = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=2000,
        default="",
        help_text="Reason for acknowledging the warnings. Required if there are warnings. It is saved.",
    )
    reasons = serializers.DictField(
        child=serializers.CharField(max_length=2000),
        required=False,
        default=dict,
        help_text=(
            "Reasons for single issues by code. Required for those that must be answered by themselves, such as "
            "`report-of-others` (decision D-135)."
        ),
    )

    lines = serializers.DictField(
        child=serializers.ChoiceField(LineAnswer.choices),
        required=False,
        default=dict,
        help_text=(
            "By line: whether the player is the `same` person as its FIDE ID, or an `other` one. Required where 3 "
            "or more lines have the FIDE ID of a player of another name (decision D-130)."
        ),
    )


class PreviewGameSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    opponent = serializers.IntegerField(allow_null=True)
    counts = serializers.BooleanField()
    change = serializers.IntegerField(allow_null=True, help_text="Hundredths of a point, before K.")
    reasons = serializers.ListField(child=serializers.CharField())


class PreviewPlayerSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    fide_id = serializers.IntegerField(allow_null=True)
    status = serializers.CharField()
    start_rating = serializers.IntegerField(allow_null=True)
    k = serializers.IntegerField(allow_null=True)
    previous = serializers.IntegerField(allow_null=True)
    result = serializers.CharField(help_text="Key of `/reasons`, or `not-registered`.")
    change = serializers.IntegerField(allow_null=True, help_text="Hundredths of a point.")
    rating = serializers.IntegerField(allow_null=True)
    games = PreviewGameSerializer(many=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """Preview of the ratings if the report is accepted today, in the format of `preview_report`."""

    list = serializers.DateField()
    rules = serializers.CharField()
    games = serializers.IntegerField(help_text="Games that would be rated.")
    players = PreviewPlayerSerializer(many=True)


class CheckView(ResourceView):
    scope = PUBLIC
    parser_classes = [ReportParser, ReportBytesParser, ReportFormParser]

    def throttle_scope(self, request: Request) -> str:
        """Count checks apart from pages, because they cost more."""
        return "check"

    @operation(
        "check_report",
        summary="Check a report (TRF): issues with line, column and fix",
        request=REPORT_BODY,
        responses=CheckedFileSerializer,
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Return the issues of a report, sent as the body or as the form field `file`. Nothing is stored.

        A body is `text/plain` or `application/octet-stream`. A crosstable (CSV or a spreadsheet) is refused here: send
        it as a report of its registered tournament.
        """
        name, content = read_body(request.data)
        try:
            require_trf(content, name)
        except RefusedError as error:
            raise serializers.ValidationError({"file": error.refusals[0].message}) from error
        with heavy_work(request):
            report = read_report(content, on=timezone.now().date())
            checked = CheckedFile(name, report, check_report(report))
        return Response(CheckedFileSerializer(checked.as_json()).data)


class ReportsView(ResourceView):
    scope = {"GET": FOLLOW, "POST": SUBMIT}
    parser_classes = [ReportParser, ReportBytesParser, ReportFormParser]

    @operation(
        "reports",
        summary="Versions of the report of a tournament, oldest first",
        responses=list_of(ReportSerializer),
    )
    def get(self, request: Request, event_id: str) -> HttpResponseBase:
        """Return all versions that were submitted. Required permission: `read`."""
        tournament = reported_tournament_or_404(self.token, event_id)
        return Response({"results": ReportSerializer(versions_of(tournament), many=True).data})

    @operation(
        "submit_report",
        summary="Upload and check a report (it is rated after acceptance)",
        request=REPORT_BODY,
        responses={200: ReportDetailSerializer, 201: ReportDetailSerializer},
    )
    def post(self, request: Request, event_id: str) -> HttpResponseBase:
        """Store a report (the body, or the form field `file`) as the next version, with its check results.

        A body is `text/plain` or `application/octet-stream`. A crosstable as CSV, XLSX, XLS or ODS is turned into a TRF
        draft. Send a CSV file as the form field, with a name that ends in `.csv`. Sending the same file again returns
        the existing version. Required permission: `submit`.
        """
        now, officer = timezone.now(), self.token.user
        tournament = reported_tournament_or_404(self.token, event_id)
        name, content = read_body(request.data)
        with heavy_work(request):
            draft = as_trf(tournament, content, name)
            report = keep_file(tournament, draft, by=officer, on=now.date(), at=now)
        # The same file again gives the earlier version, with its own instant.
        is_new = report.submitted_at == now
        return Response(ReportDetailSerializer(report).data, status=201 if is_new else 200)


class ReportView(ResourceView):
    scope = FOLLOW

    @operation(
        "report", summary="One version of a report with its check results", responses=ReportDetailSerializer
    )
    def get(self, request: Request, event_id: str, version: int) -> HttpResponseBase:
        """Return the state and the check results of a version. Required permission: `read`."""
        tournament = reported_tournament_or_404(self.token, event_id)
        report = _version_or_404(tournament, version)
        with heavy_work(request):
            trf = read_report(bytes(report.content))
            check_again(report, trf, on=timezone.now().date(), lookups=Lookups())
        return Response(ReportDetailSerializer(report).data)


class AcceptanceView(ResourceView):
    scope = SUBMIT
    parser_classes = [ObjectParser]

    @operation(
        "accept_report",
        summary="Accept a version of the report",
        request=AcceptanceSerializer,
        responses=ReportDetailSerializer,
        examples=[
            OpenApiExample(
                "warnings acknowledged",
                value={"acknowledgement": "Checked with the chief arbiter."},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, event_id: str, version: int) -> HttpResponseBase:
        """Accept a checked version. Accepting it again changes nothing. Required permission: `submit`."""
        now, officer = timezone.now(), self.token.user
        report = _version_or_404(reported_tournament_or_404(self.token, event_id), version)
        body = AcceptanceSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        said = body.validated_data
        lines = line_items(report.findings, said["lines"])
        words = acknowledgement_of(said["reasons"], said["acknowledgement"], lines=lines)
        accepted = accept_report(report, acknowledgement=words, by=officer, on=now.date(), at=now)
        return Response(ReportDetailSerializer(accepted).data)


class PreviewView(ResourceView):
    scope = FOLLOW

    @operation(
        "preview_report",
        summary="Preview of the ratings if the version is accepted today",
        responses=PreviewSerializer,
    )
    def get(self, request: Request, event_id: str, version: int) -> HttpResponseBase:
        """Return the rating change of every player without saving. Required permission: `read`."""
        tournament = reported_tournament_or_404(self.token, event_id)
        report = _version_or_404(tournament, version)
        with heavy_work(request):
            trf, lookups = read_report(bytes(report.content)), Lookups()
            checked = check_contents(trf, tournament, on=timezone.now().date(), lookups=lookups)
            if standing_errors(checked, tournament) or not checked.report.players:
                raise serializers.ValidationError(
                    {"version": "This version has errors, so nothing can be rated."}
                )
            today = timezone.now().date()
            preview = preview_report(checked, tournament, on=today, lookups=lookups)
        return Response(preview_as_json(preview))


def read_body(data: Any) -> tuple[str, bytes]:
    """Return the name and the bytes of the report in a body. Raise ValidationError without a report."""
    if isinstance(data, bytes):
        # A body has no name; the parsers take it for TRF.
        name, content = "report.trf", data
    else:
        upload = data.get("file")
        if not isinstance(upload, UploadedFile):
            raise serializers.ValidationError({"file": NO_REPORT})
        # One byte more than is taken tells that a file is too large.
        name, content = upload.name or "report.trf", upload.read(MAX_BYTES + 1)
    if not content:
        raise serializers.ValidationError({"file": NO_REPORT})
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"The report must be {MAX_BYTES // 1024**2} MiB or smaller.")
    return name, content


def _version_or_404(tournament: Tournament, version: int) -> Report:
    report = tournament.reports.defer("pgn").filter(version=version).first()
    if report is None:
        raise NotFoundError("The report has no such version.")
    return report
