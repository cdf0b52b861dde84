"""The project: settings, tasks, addresses, health and what all pages share; nothing of chess."""

from portal.celery import app as celery_app

__all__ = ["celery_app"]
