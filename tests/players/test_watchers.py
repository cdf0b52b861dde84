"""Staff cannot become those who watch staff, and nothing that is done to an account stays unseen."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from players.choices import NoticeKind, Role
from players.invitations import accept_as, confirm_invitation, invite
from players.models import Appointment, Invitation, Notice
from portal.models import User
from ratings.adoptions import adopt
from tests import make
from tests.codes import codes_of_messages
from tests.log import acts

pytestmark = pytest.mark.page

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


@pytest.fixture
def staff(db: None) -> User:
    user: User = make.appointment(role="staff", user__email="staff@fide.example").user
    return user


@pytest.fixture
def auditor(db: None) -> User:
    user: User = make.appointment(role="auditor", user__email="auditor@fide.example").user
    user.set_password("a long enough word")
    user.save()
    return user


@pytest.fixture
def browser(staff: User, client: Client) -> Client:
    client.force_login(staff)
    return client


def second_of_staff() -> User:
    user: User = make.appointment(role="staff", user__email="second@fide.example").user
    return user


def recorded() -> list[tuple[str, str, str]]:
    return [(one.action, one.subject, one.by.email if one.by else one.by_name) for one in acts()]


def test_staff_set_no_password_of_others(browser: Client, auditor: User) -> None:
    words = {"password1": "another long enough word", "password2": "another long enough word"}
    officer = make.person("officer")
    answers = [
        browser.post(f"/admin/portal/user/{user.pk}/password/", {**words, "usable_password": "true"})
        for user in (auditor, officer)
    ]

    auditor.refresh_from_db()
    assert [answer.status_code for answer in answers] == [403, 403]
    assert auditor.check_password("a long enough word")


def test_superusers_set_no_password_and_no_address_of_others(client: Client, auditor: User) -> None:
    client.force_login(User.objects.create_superuser("root@fide.example", "a long enough word"))

    password = client.post(f"/admin/portal/user/{auditor.pk}/password/", {"password1": "x" * 20})
    client.post(f"/admin/portal/user/{auditor.pk}/change/", {"email": "mine@x.example", "is_active": "on"})

    auditor.refresh_from_db()
    assert (password.status_code, auditor.email) == (403, "auditor@fide.example")


def test_staff_make_no_accounts_and_no_appointments_in_the_admin(browser: Client, staff: User) -> None:
    account = browser.post("/admin/portal/user/add/", {"email": "x@x.example", "usable_password": "false"})
    role = browser.post("/admin/players/appointment/add/", {"user": staff.pk, "role": "qc"})
    held = Appointment.objects.get()
    ended = browser.post(f"/admin/players/appointment/{held.pk}/delete/", {"post": "yes"})

    assert (account.status_code, role.status_code, ended.status_code) == (403, 403, 403)
    assert Appointment.objects.count() == 1


def test_fide_roles_take_a_second_person(browser: Client, staff: User) -> None:
    browser.post("/desk/people/", {"email": "friend@x.example", "role": "qc", "federation": ""})
    invitation = Invitation.objects.get()
    waiting = (Notice.objects.count(), Invitation.objects.open_at(timezone.now()).count())
    own = browser.post(f"/desk/people/invitations/{invitation.pk}/confirm")
    unsent = Notice.objects.count()
    other = make.browser(second_of_staff())
    other.post(f"/desk/people/invitations/{invitation.pk}/confirm")

    assert waiting == (0, 0)
    assert (unsent, codes_of_messages(own)[-1]) == (0, "second-person")
    assert [*Notice.objects.values_list("recipient", "kind")] == [("friend@x.example", "invitation")]
    assert Invitation.objects.open_at(timezone.now()).count() == 1
    assert recorded() == [
        ("invite", "friend@x.example", "staff@fide.example"),
        ("confirm", "friend@x.example", "second@fide.example"),
    ]


def test_confirmation_is_a_task_of_others_until_the_invitation_expires(browser: Client) -> None:
    browser.post("/desk/people/", {"email": "friend@x.example", "role": "qc", "federation": ""})
    other = make.browser(second_of_staff())
    address = f"/desk/people/invitations/{Invitation.objects.get().pk}/confirm"
    pages = [one.get("/desk/people/").content.decode() for one in (browser, other)]

    def tasks(client: Client) -> list[tuple[str, str, str, str]]:
        found = [task for task in client.get("/desk/").context["work"] if task.code == "invitation"]
        return [(task.about, task.why, str(task.page), task.sort) for task in found]

    assert [address in page for page in pages] == [False, True]
    asked = ("friend@x.example", "QC chair", "/desk/people/", "people")
    assert [tasks(one) for one in (browser, other)] == [[], [asked]]
    gone = timezone.now() - timedelta(days=1)
    Invitation.objects.update(invited_at=gone - timedelta(days=7), expires_at=gone)
    assert tasks(other) == []


def test_the_operator_is_the_second_person_by_command(staff: User) -> None:
    invite("friend@x.example", role=Role.QC_CHAIR, federation=None, by=staff, at=timezone.now())

    call_command("confirm_invitation", "friend@x.example", "qc")

    assert Notice.objects.get().recipient == "friend@x.example"
    assert recorded()[-1][2].endswith(" (command)")


def test_watchers_are_told_of_a_new_one(staff: User, auditor: User) -> None:
    invitation, _token = invite("friend@x.example", role=Role.QC_CHAIR, federation=None, by=staff, at=NOW)
    confirm_invitation(invitation, by=second_of_staff(), at=NOW)
    accept_as(invitation, user=make.user(email="friend@x.example"), at=NOW)

    told = Notice.objects.filter(subject="Roles changed on the rating portal")
    assert {*told.values_list("recipient", flat=True)} == {staff.email, auditor.email, "second@fide.example"}


def test_whose_appointment_ends_is_told(browser: Client, auditor: User) -> None:
    browser.post(f"/desk/people/appointments/{auditor.appointments.get().pk}/end")

    mails = Notice.objects.filter(recipient=auditor.email).values_list("kind", flat=True)
    assert [*mails] == [NoticeKind.SECURITY]


def test_a_change_of_an_account_is_logged_and_told(browser: Client) -> None:
    officer = make.appointment(role="officer", user__email="olga@x.example").user
    names = {"first_name": "Mallory", "last_name": officer.last_name, "is_active": "on"}

    browser.post(f"/admin/portal/user/{officer.pk}/change/", names)

    (act,) = acts()
    assert (act.action, act.subject, act.by.email) == ("change", "olga@x.example", "staff@fide.example")
    assert act.changes == [{"field": "first_name", "before": "", "after": "Mallory"}]
    assert Notice.objects.get().recipient == "olga@x.example"


def test_a_new_password_is_logged_and_its_rehash_is_not(auditor: User) -> None:
    User.objects.filter(pk=auditor.pk).update(password="md5$salt$x")
    auditor.refresh_from_db()
    auditor.password = "another hash"
    auditor.save(update_fields=["password"])
    before = recorded()
    auditor.set_password("another long enough word")
    auditor.save()

    assert [deed for deed, *_rest in before] == ["password"]
    assert [(deed, subject) for deed, subject, _who in recorded()] == [("password", auditor.email)] * 2


def test_a_superuser_made_by_command_is_in_the_log(db: None) -> None:
    User.objects.create_superuser("root@fide.example", "a long enough word")

    ((deed, subject, who),) = recorded()
    assert (deed, subject, who.endswith("(command)")) == ("change", "root@fide.example", True)


def test_who_publishes_by_command_is_in_the_log(db: None, capsys: Any) -> None:
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind)
    call_command("publish_lists", "2026-02-01")

    rows = recorded()
    assert [(deed, subject) for deed, subject, _who in rows] == [
        ("publish", "rapid 2026-02-01"),
        ("publish", "blitz 2026-02-01"),
    ]
    assert {who.endswith(" (command)") for *_rest, who in rows} == {True}


def test_who_adopts_is_in_the_log(staff: User) -> None:
    text = "fide-rapid-blitz-2024"

    adopt(text, first_day=date(2027, 1, 1), reason="Council decided", by=staff, at=NOW)

    assert recorded() == [("adopt", f"{text} from 2027-01-01", staff.email)]


def test_the_audit_log_shows_these_acts(
    client: Client, auditor: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    User.objects.create_superuser("root@fide.example", "a long enough word")
    client.force_login(auditor)

    page = client.get("/desk/trail/", {"kind": "account", "object": "root@fide.example"}).content.decode()

    assert ("account changed" in page, "root@fide.example" in page) == (True, True)


def test_the_audit_log_shows_answers_in_words(
    client: Client, auditor: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    User.objects.create_superuser("root@fide.example", "a long enough word")
    named = User.objects.get(email="root@fide.example")
    named.email = "root; superuser status: no@fide.example"
    named.save()
    client.force_login(auditor)

    shown = client.get("/desk/trail/", {"kind": "account"}).content.decode()
    french = client.get("/fr/desk/trail/", {"kind": "account"}).content.decode()

    assert (shown.count(": yes"), "True" in shown, french.count("\u00a0: oui")) == (1, False, 1)
    # What stands in a value is no field of its own.
    whole = shown.replace("<wbr>", "").count("no@fide.example")
    assert (whole, shown.count(": no<"), french.count("\u00a0: non")) == (2, 0, 0)
