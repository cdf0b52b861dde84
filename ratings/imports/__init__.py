"""FIDE's lists come in: players, federations and the imported lists of a date, in one transaction (D-12)."""

from ratings.imports.importing import import_list
from ratings.imports.outcome import Import, ImportedList, ReportProgress

__all__ = ["Import", "ImportedList", "ReportProgress", "import_list"]
