"""Checks of reports: nothing is stored."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PublicView
from api.errors import TooLargeError
from api.parsers import ReportBytesParser, ReportFormParser, ReportParser
from api.serializers.reference import CheckedFileSerializer
from tournaments.management.commands.check_trf import CheckedFile
from tournaments.trf import check_report, read_report
from tournaments.trf.limits import MAX_BYTES

NO_REPORT = "Send the report as the body, or as a file in this field of a form; there was none."
BODY: dict[str, Any] = {
    "text/plain": {"type": "string"},
    "application/octet-stream": {"type": "string", "format": "binary"},
    "multipart/form-data": {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary"}},
        "required": ["file"],
    },
}


class CheckView(PublicView):
    parser_classes = [ReportParser, ReportBytesParser, ReportFormParser]

    def scope_of(self, request: Request) -> str:
        """Count checks apart: they cost more than a page."""
        return "check"

    @extend_schema(
        operation_id="check_report",
        tags=["reports"],
        summary="What is wrong in a report (TRF), where, and what to do",
        request=BODY,
        responses=CheckedFileSerializer,
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Return the findings of a report that is sent as the body or as the form's `file`; stores nothing."""
        self.parameters(request)
        name, content = report_in(request.data)
        report = read_report(content)
        checked = CheckedFile(name, report, check_report(report))
        return Response(CheckedFileSerializer(checked.as_json()).data)


def report_in(data: Any) -> tuple[str, bytes]:
    """Return the name and the bytes of the report in a request's body; a fault where there is none."""
    if isinstance(data, bytes):
        name, content = "report.trf", data
    else:
        upload = data.get("file")
        if not isinstance(upload, UploadedFile):
            raise ValidationError({"file": NO_REPORT})
        name, content = upload.name or "report.trf", upload.read(MAX_BYTES + 1)
    if not content:
        raise ValidationError({"file": NO_REPORT})
    if len(content) > MAX_BYTES:
        raise TooLargeError(f"A report has at most {MAX_BYTES // 1024**2} MiB.")
    return name, content
