/* The temporary tables that queries of layouts and comparisons read: scope.sql, lines.sql and
 * provenance.sql. */
#ifndef ORR_SCOPE_H
#define ORR_SCOPE_H

#include "present/queries.h"

/* One set of journals: all of a ledger (operand "") or what was loaded as one of a comparison. */
struct orr_scope_side {
    const char *operand, *machine;
};

/* Makes the tables for "paper/experiment"; `whole`: those of lines.sql and provenance.sql, too. */
int orr_scope_make(const struct orr_ledger *ledger, const char *experiment,
                   const struct orr_scope_side *sides, size_t count, bool whole);
/* Runs the sections `set` and `setup` of a layout or part. */
int orr_scope_set_up(const struct orr_queries *queries, const struct orr_section *first,
                     const struct orr_ledger *ledger);
/* Drops every temporary table and view. */
int orr_scope_drop(const struct orr_ledger *ledger);

#endif
