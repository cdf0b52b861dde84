"""What the desk shows of ratings."""

from __future__ import annotations

from django.urls import path

from ratings.urls import converters as _converters  # noqa: F401 the converters are known from here on
from ratings.views import preview

app_name = "previews"

urlpatterns = [
    path("<event_id:event_id>/reports/<int:version>/preview", preview.preview, name="preview"),
    path("<event_id:event_id>/handed/<int:number>/preview", preview.handed_preview, name="handed-preview"),
]
