"""The rules of the online systems in words, clause by clause; reasons and pages link to them by the clause."""

from arenas.regulations.clauses import Clause, clause_of, clauses_of

__all__ = ["Clause", "clause_of", "clauses_of"]
