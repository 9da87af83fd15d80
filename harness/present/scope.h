/* One experiment on one machine, and the temporary tables that queries of layouts and comparisons
 * read of it: scope.sql, lines.sql and provenance.sql. */
#ifndef ORR_SCOPE_H
#define ORR_SCOPE_H

#include "plan/paper.h"
#include "present/queries.h"

struct orr_scope {
    const struct orr_ledger *ledger;
    const struct orr_paper *paper;
    const struct orr_experiment *experiment;
    char name[128];  /* "fujiwara/table2" */
    char cells[128]; /* the experiment that has the cells which it shows: name, if not another's */
    const char *quantity; /* "energy": that layout; NULL: the experiment's own */
    const char *machine;  /* "" when nothing was measured anywhere */
    bool measured;        /* there are cells of this experiment on this machine */
};
void orr_scope_set(struct orr_scope *out, const struct orr_ledger *ledger,
                   const struct orr_paper *paper, const struct orr_experiment *experiment,
                   const char *machine);

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
/* Runs the sections `fill` of a layout or part; `experiment` NULL: for all of the paper. */
int orr_scope_fill(const struct orr_queries *queries, const struct orr_section *first,
                   const struct orr_ledger *ledger, const struct orr_paper *paper,
                   const char *experiment);
/* Runs the sections `set` and `setup` of a layout or part. */
int orr_scope_set_up(const struct orr_queries *queries, const struct orr_section *first,
                     const struct orr_ledger *ledger);
/* SQL of these tables, up to NULL. */
extern const char *const orr_scope_texts[];
/* Drops every temporary table and view. */
int orr_scope_drop(const struct orr_ledger *ledger);

#endif
