/* The temporary tables that queries of layouts and comparisons read: scope.sql, lines.sql and
 * provenance.sql. */
#ifndef ORR_SCOPE_H
#define ORR_SCOPE_H

#include "present/queries.h"

/* One set of journals: all of a ledger (operand "") or what was loaded as one of a comparison. */
struct orr_scope_side {
    const char *operand, *machine;
};

/* What of them. */
enum orr_scope_tables {
    ORR_SCOPE_CELLS = 1,      /* scope.sql */
    ORR_SCOPE_LINES = 2,      /* lines.sql, behind the former */
    ORR_SCOPE_PROVENANCE = 4, /* provenance.sql */
    ORR_SCOPE_WHOLE = 7
};
/* Makes the tables for "paper/experiment", in place of all temporary ones that there were. */
int orr_scope_make(const struct orr_ledger *ledger, const char *experiment,
                   const struct orr_scope_side *sides, size_t count, enum orr_scope_tables tables);
/* Runs the sections `set` and `setup` of a layout or part. */
int orr_scope_set_up(const struct orr_queries *queries, const struct orr_section *first,
                     const struct orr_ledger *ledger);
/* Drops every temporary table and view. */
int orr_scope_drop(const struct orr_ledger *ledger);

#endif
