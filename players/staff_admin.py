"""Base classes of all admin pages: only for FIDE staff, and with forms that detect concurrent changes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import DataError, transaction
from django.db.models import BooleanField, DateField, Field, JSONField, Model, QuerySet
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.dates import moment_element, short_date
from core.html.figures import NONE, colon, signed_hundredths
from core.web.typed_forms import restore_form
from players.models.log import Logged
from players.permissions import is_staff

# So many rows are counted and can be paged through; more are reached by searching.
MAX_COUNTED = 5_000
# So many items of a list are shown.
MAX_ITEMS = 500
# JSON whose markup is longer is folded.
MAX_UNFOLDED = 2_000
# Of all lists, those of accounts too.
admin.site.empty_value_display = NONE
Row = TypeVar("Row", bound=Model)


class BoundedPaginator(Paginator[Any]):
    """Counts up to a bound only: the number of all rows of a large table costs a scan of it."""

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most `MAX_COUNTED`."""
        rows: Any = self.object_list
        # Without the order, by which the whole table would be sorted before it is cut.
        return int(rows.order_by().values("pk")[:MAX_COUNTED].count())


def shown_values(value: Any) -> SafeString | str:
    """Return stored JSON as lists for people: names with their values, items below each other."""
    if value in (None, "", [], {}):
        return "–"
    if isinstance(value, dict):
        pairs = ((name.replace("_", " "), shown_values(item)) for name, item in value.items())
        return format_html(
            '<dl class="facts words flush">{}</dl>', format_html_join("", "<dt>{}</dt><dd>{}</dd>", pairs)
        )
    if not isinstance(value, list):
        text = str(value)
        if _LIST.fullmatch(text):
            return ", ".join(re.findall(r"'([^']*)'", text))
        return str(_WORDS.get(text, text))
    if not any(isinstance(item, list | dict) for item in value):
        return ", ".join("–" if item is None else str(item) for item in value)
    items = ((shown_values(item),) for item in value[:MAX_ITEMS])
    return format_html('<ol class="flush">{}</ol>', format_html_join("", "<li>{}</li>", items))


# A manifest has its facts as Python writes them.
_WORDS = {"True": _l("yes"), "False": _l("no"), "None": "–"}
_LIST = re.compile(r"\['[^']*'(?:, '[^']*')*\]")


def in_folds(value: Any) -> SafeString | str:
    """Return stored JSON as people read it, folded if it is long: the inputs of a list are hundreds of lines."""
    shown = shown_values(value)
    folded = '<details><summary>{}</summary><div class="pad-y1">{}</div></details>'
    return shown if len(shown) < MAX_UNFOLDED else format_html(folded, _("Show all values"), shown)


def in_words(value: bool) -> str:
    """Return what is true or not in words, which Django draws as a green tick or a red cross."""
    return _("yes") if value else _("no")


def in_points(value: int | None) -> str:
    """Return a change that is stored in hundredths as a signed number of points."""
    return signed_hundredths(value)


def in_short(value: date | None) -> SafeString | str:
    """Return a day or an instant as the columns of a list have it, on one line."""
    if isinstance(value, datetime):
        return moment_element(value)
    return format_html('<span class="nowrap">{}</span>', short_date(value)) if value else NONE


@cache
def written(field: Field[Any, Any], write: Callable[[Any], SafeString | str]) -> Callable[[Any], Any]:
    """Return the column of a field with its values as `write` returns them; it sorts as the field does."""

    def column(row: Any) -> SafeString | str:
        return write(getattr(row, field.attname))

    column.__name__ = field.name
    column.short_description = field.verbose_name  # type: ignore[attr-defined]
    column.admin_order_field = field.name  # type: ignore[attr-defined]
    return column


def refused_with_changes(form: type[forms.ModelForm[Row]], stored: Row) -> type[forms.ModelForm[Row]]:
    """Return a form that is refused because another user has stored changes, which it shows."""
    now = form(instance=stored)

    def value_of(name: str) -> Any:
        value = getattr(stored, name, now[name].initial)
        return "–" if value in (None, "") else value

    class ChangedMeanwhile(form):  # type: ignore[misc, valid-type]
        def clean(self) -> dict[str, Any]:
            sent = [
                name
                for name in self.fields
                if now[name].field.has_changed(now[name].initial, self[name].data)
            ]
            changes = ", ".join(f"{self.fields[name].label}{colon()} {value_of(name)}" for name in sent)
            message = _(
                "A user changed this meanwhile. Nothing was saved. Stored now: %(values)s. If you send the "
                "form again, your changes replace them."
            )
            message = message % {"values": changes or "–"}
            self.add_error(None, ValidationError(message, code="changed-meanwhile"))
            cleaned: dict[str, Any] = super().clean() or self.cleaned_data
            return cleaned

    return ChangedMeanwhile


def with_typed(form: type[forms.ModelForm[Row]], typed: QueryDict) -> type[forms.ModelForm[Row]]:
    """Return a form that shows what was typed before its author was signed out."""

    class Typed(form):  # type: ignore[misc, valid-type]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            for name, field in self.fields.items():
                if not field.widget.needs_multipart_form:
                    self.initial[name] = field.widget.value_from_datadict(typed, {}, self.add_prefix(name))

    return Typed


TYPED = "_typed_before"


class StaffAdmin(admin.ModelAdmin[Row]):
    """A page for FIDE staff: one predicate decides, regardless of Django's permission tables.

    JSON that is not edited is shown as lists, and hundredths as points. A form that is opened before somebody else
    changes the row is refused.
    """

    # The number of all rows beside that of the found ones costs a scan.
    show_full_result_count = False
    paginator = BoundedPaginator
    list_per_page = 25
    # What staff do with the rows beside looking at them.
    allowed: Collection[str] = ("add", "change", "delete")
    # How fields are written that only staff can look at, by their names.
    writes: Mapping[str, Callable[[Any], SafeString | str]] = {}
    show_facets = admin.ShowFacets.NEVER

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the list; a value out of any range, as a year 99999, is refused as Django refuses a wrong one."""
        if "action" in request.POST and ACTION_CHECKBOX_NAME not in request.POST:
            messages.warning(request, _("Select a row first."))
            return redirect(request.get_full_path())
        try:
            return super().changelist_view(request, extra_context)
        except (ValueError, OverflowError, DataError):
            if not request.GET or ERROR_FLAG in request.GET:
                raise
            return redirect(f"{request.path}?{ERROR_FLAG}=1")

    @admin.display(description=_l("federation"), ordering="federation")
    def federation_code(self, row: Any) -> str:
        """Return the code of a federation, which needs no query."""
        return row.federation_id or ""

    @admin.display(description=_l("FIDE ID"), ordering="player")
    def fide_id_of_player(self, row: Any) -> str:
        """Return the FIDE ID of a player, which needs no query."""
        return str(row.player_id or "–")

    def get_fields(self, request: HttpRequest, obj: Row | None = None) -> list[Any]:
        """Return the fields, those of JSON as people read it unless they are edited."""
        shown: dict[str, Any] = {field.name: written(field, in_folds) for field in self.json_fields()}
        changes = (field for field in self.opts.concrete_fields if field.name.endswith("_hundredths"))
        shown |= {field.name: written(field, in_points) for field in changes}
        shown |= self.columns_of(BooleanField, in_words)
        shown |= {name: written(self.opts.get_field(name), write) for name, write in self.writes.items()}
        if self.has_change_permission(request, obj):
            kept: Any = self.get_readonly_fields(request, obj)
            shown = {name: column for name, column in shown.items() if column in kept}
        names: list[Any] = [name for name in super().get_fields(request, obj) if not callable(name)]
        return [shown.get(name, name) for name in names]

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Return the columns of the list, those of what is true or not in words, dates on one line."""
        columns = self.columns_of(BooleanField, in_words) | self.columns_of(DateField, in_short)
        return [columns.get(str(name), name) for name in super().get_list_display(request)]

    def columns_of(self, kind: type[Field[Any, Any]], write: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the columns of the fields of a kind, with their values as `write` returns them."""
        fields = (field for field in self.opts.concrete_fields if isinstance(field, kind))
        return {field.name: written(field, write) for field in fields}

    def get_form(
        self, request: HttpRequest, obj: Row | None = None, change: bool = False, **options: Any
    ) -> Any:
        """Return the form; one that refuses where the row is no longer what the author of the request saw."""
        form = super().get_form(request, obj, change=change, **options)
        # Django asks so for the names of the fields, which `seen_of` needs.
        if options.get("fields", ()) is None:
            return form
        # What was typed is only shown: what is sent is checked against what its author saw.
        if request.method == "GET":
            if not hasattr(request, TYPED):
                setattr(request, TYPED, restore_form(request))
            if typed := getattr(request, TYPED):
                return with_typed(form, typed)
        seen = request.POST.get("seen")
        if obj is None or seen is None or seen == self.seen_of(request, obj):
            return form
        return refused_with_changes(form, self._stored_row(obj))

    def render_change_form(
        self, request: HttpRequest, context: Any, add: bool = False, change: bool = False,
        form_url: str = "", obj: Row | None = None,
    ) -> Any:  # fmt: skip
        """Have the form carry what its author sees."""
        if obj is not None and self.has_change_permission(request, obj):
            context["seen"] = self.seen_of(
                request, self._stored_row(obj) if request.method == "POST" else obj
            )
        return super().render_change_form(request, context, add, change, form_url, obj)

    def seen_of(self, request: HttpRequest, obj: Row) -> str:
        """Return what a form carries as the data that its author saw: what may be changed, and JSON."""
        kept = {str(name) for name in self.get_readonly_fields(request, obj)}
        edited = {str(name) for name in self.get_fields(request, obj)} - kept
        edited |= {field.name for field in self.json_fields()}
        names = [field.name for field in self.opts.concrete_fields if field.name in edited]
        values = [(name, str(obj.serializable_value(name))) for name in names]
        return hashlib.sha256(repr(values).encode()).hexdigest()

    def _stored_row(self, obj: Row) -> Row:
        """Return the row as it is stored: a form that is refused has written its values into the one at hand."""
        return self.model._default_manager.get(pk=obj.pk)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Row]:
        """Lock the row that a form changes: another one that is sent at the same moment waits."""
        rows = super().get_queryset(request)
        match = request.resolver_match
        is_change = match is not None and str(match.url_name).endswith("_change")
        is_locking = request.method == "POST" and is_change and transaction.get_connection().in_atomic_block
        # Not the rows that it names: PostgreSQL cannot lock the optional side of a join.
        return rows.select_for_update(of=("self",)) if is_locking else rows

    def json_fields(self) -> list[JSONField]:
        """Return the fields of the model that hold JSON."""
        return [field for field in self.opts.concrete_fields if isinstance(field, JSONField)]

    def save_model(self, request: HttpRequest, obj: Row, form: Any, change: bool) -> None:
        """Save a row, with who did it where the log has its changes."""
        if isinstance(obj, Logged):
            obj.save(by=request.user, at=timezone.now())
        else:
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Row) -> None:
        if isinstance(obj, Logged):
            obj.delete(by=request.user, at=timezone.now())
        else:
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Row]) -> None:
        if not issubclass(queryset.model, Logged):
            super().delete_queryset(request, queryset)
            return
        for row in queryset:
            self.delete_model(request, row)

    def formfield_for_choice_field(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Return a field whose empty choice is a dash, as everywhere."""
        if db_field.blank:
            options["choices"] = db_field.get_choices(blank_choice=[("", NONE)])
        return super().formfield_for_choice_field(db_field, request, **options)

    def history_view(self, request: HttpRequest, object_id: str, *args: Any, **options: Any) -> Any:
        """Show the history of a row; what the log has is shown there. What cannot be the key of one is not found."""
        try:
            row = self.get_object(request, unquote(object_id))
        except ValidationError as error:
            raise Http404 from error
        if row is None:
            raise Http404
        if not isinstance(row, Logged):
            return super().history_view(request, object_id, *args, **options)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        about = {"kind": row.area, "object": row.log_name()}
        return redirect(f"{reverse('desk:audit-log')}?{urlencode(about)}")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return "add" in self.allowed and is_staff(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return "change" in self.allowed and is_staff(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return "delete" in self.allowed and is_staff(request.user)


class EvidenceAdmin(StaffAdmin[Row]):
    """What is published or otherwise evidence: looked at, never added to, changed or deleted."""

    allowed = ()


class EvidenceInline(admin.TabularInline[Any, Any]):
    """Rows of evidence below the row that they belong to."""

    extra = 0
    template = "admin/edit_inline/evidence.html"
    # Whether all but the first 8 rows are folded, each with a line for each value on a phone.
    is_long = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows with what they name, so that many rows ask no more than one."""
        relations = [field.name for field in self.model._meta.concrete_fields if field.many_to_one]
        named = [name for name in map(str, self.fields or ()) if name in relations]
        found = super().get_queryset(request)
        return found.select_related(*named) if named else found

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
