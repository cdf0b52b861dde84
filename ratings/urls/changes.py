"""Deciding on requests to change players' data, whose effect on lists is shown."""

from __future__ import annotations

from django.urls import path

from ratings.views import changes

app_name = "changes"

urlpatterns = [path("<int:request_id>/decide", changes.decide, name="decide")]
