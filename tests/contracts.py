"""The import-linter contract of packages that must run anywhere."""

from __future__ import annotations

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class PureContract(Contract):
    """Each package imports the standard library and the named packages, nothing else."""

    packages = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Return whether the contract is kept, with every import that breaks it."""
        allowed = tuple(self.packages)
        broken = [
            (module, imported)
            for package in allowed
            for module in (package, *graph.find_descendants(package))
            for imported in graph.find_modules_directly_imported_by(module)
            if imported.split(".")[0] not in sys.stdlib_module_names
            and not any(imported == name or imported.startswith(f"{name}.") for name in allowed)
        ]
        return ContractCheck(kept=not broken, metadata={"broken": sorted(broken)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that break the contract."""
        for module, imported in check.metadata["broken"]:
            output.print_error(f"{module} imports {imported}")
