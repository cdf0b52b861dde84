"""The Celery application; its settings are the CELERY_ ones of the project."""

from __future__ import annotations

import os

from celery import Celery

from portal import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

broker.register()
app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def declare_queue() -> None:
    """Make the queue that tasks go to, so that processes which start together find it there."""
    with app.connection_for_write() as connection:
        app.amqp.queues[app.conf.task_default_queue].bind(connection.default_channel).declare()
