"""PostgreSQL for tests that write for real: emptied by DELETE, not by TRUNCATE.

TRUNCATE gives every table and index a new file, which takes longer than most of these tests; the
few rows that one leaves are gone in a millisecond. Foreign keys are checked at the end of the
transaction (Django makes them DEFERRABLE INITIALLY DEFERRED), so any order of tables will do.
"""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base, operations


class DatabaseOperations(operations.DatabaseOperations):
    def sql_flush(
        self, style: Any, tables: Any, *, reset_sequences: bool = False, allow_cascade: bool = False
    ) -> list[str]:
        if reset_sequences:
            return super().sql_flush(
                style, tables, reset_sequences=True, allow_cascade=allow_cascade
            )
        return [f"DELETE FROM {self.quote_name(table)};" for table in tables]


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
